internal import CivilTime
internal import Settings

/// The options `--since` and `--until`.
struct DateRange {
  static let since = Option("--since", .date, "from this moment on: a day, a time or an age, such as 7d")
  static let until = Option("--until", .date, "before this moment")

  let start: Timestamp?
  let end: Timestamp?

  init(_ arguments: Arguments) throws(UsageError) {
    start = try arguments.value(Self.since)
    end = try arguments.value(Self.until)
    if let start, let end, start >= end {
      throw arguments.error("--since \(start.rfc3339) is not before --until \(end.rfc3339), so nothing lies between")
    }
  }
}

extension TextBlock {
  /// What a DATE can be.
  static var dates: TextBlock {
    """
    A DATE is a day (`2026-11-20`, which means its midnight in UTC), a time (`2026-11-20T15:00:00Z`) or an age (`12h`, `7d`, `3w`)
    counted back from now.
    """
  }
}

extension Arguments {
  /// An account's name in the value of an option that also takes other words.
  func account(_ text: String) throws(UsageError) -> AccountName {
    if let name = AccountName(text) { return name }
    throw error("\(DisplayText.quoted(text)) is no account's name: \(AccountName.rule)")
  }

  var eitherViewOrAccount: UsageError { error("name an account or a --view, not both") }
}
