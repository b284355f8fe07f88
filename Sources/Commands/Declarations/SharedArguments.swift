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

/// The options for printing posts as text.
enum TextOptions {
  static let ids = Flag("--ids", "print the id of each post, for commands such as post --reply-to")
  static let threads = Flag("--threads", "print replies indented below the posts that they answer")
  static let noPager = Flag("--no-pager", "print long output on a terminal without a pager")
}

extension TextBlock {
  /// The paragraph that explains `--threads`.
  static var threads: TextBlock {
    """
    With `--threads`, the thread with the newest post comes first, and each reply is indented below the post that it answers. Answered posts
    are added from the archive, at most 20 above each post.
    """
  }

  /// The paragraph that explains the pager.
  static var pager: TextBlock {
    """
    On a terminal, long output is shown by a pager: the program in the variable `PAGER`, otherwise `less -FRX`. `--no-pager`, and `PAGER`
    if it is empty or `cat`, print the output without a pager.
    """
  }

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

  /// Returns whether `--threads` was given. The option is valid only for text output.
  func threads(ofText isText: Bool) throws(UsageError) -> Bool {
    guard has(TextOptions.threads) else { return false }
    if !isText { throw error("--threads is only for --format text") }
    return true
  }

  var eitherViewOrAccount: UsageError { error("specify an account or a --view, not both") }
}
