internal import Time

/// The options `--since` and `--until`.
struct DateRange {
  static let since = Option("--since", .date, "from this time on, such as yesterday, 9:00 or 7d")
  static let until = Option("--until", .date, "before this time")

  let start: Timestamp?
  let end: Timestamp?

  init(_ arguments: Arguments) throws(UsageError) {
    start = try arguments.value(Self.since)
    end = try arguments.value(Self.until)
    if let start, let end, start >= end {
      func local(_ moment: Timestamp) -> String { arguments.zone.date(at: moment).dayAndMinute }
      throw arguments.error("--since \(local(start)) is not before --until \(local(end)), so the range is empty")
    }
  }
}
