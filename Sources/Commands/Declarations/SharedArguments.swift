internal import CivilTime
internal import Settings

/// The options `--since` and `--until`.
struct DateRange {
  static let since = Option("--since", .date, "from this time on: a day, a time or an age, such as 7d")
  static let until = Option("--until", .date, "before this time")

  let start: Timestamp?
  let end: Timestamp?

  init(_ arguments: Arguments) throws(UsageError) {
    start = try arguments.value(Self.since)
    end = try arguments.value(Self.until)
    if let start, let end, start >= end {
      throw arguments.error("--since \(start.rfc3339) is not before --until \(end.rfc3339), so the range is empty")
    }
  }
}

extension TextBlock {
  /// The paragraph that explains DATE.
  static var dates: TextBlock {
    """
    A DATE is a day (`2026-11-20`, meaning midnight UTC), a time (`2026-11-20T15:00:00Z`) or an age (`12h`, `7d`, `3w`)
    counted back from now.
    """
  }
}

extension Arguments {
  /// Reads an account's name from an argument that also accepts other values.
  func account(_ text: String) throws(UsageError) -> AccountName {
    if let name = AccountName(text) { return name }
    throw error("\(DisplayText.quoted(text)) is not a valid account name: \(AccountName.rule)")
  }

  var eitherViewOrAccount: UsageError { error("specify an account or a --view, not both") }
}
