internal import Settings

extension TextBlock {
  /// The paragraph that explains `--threads`.
  static var threads: TextBlock {
    """
    With `--threads`, the thread with the newest post comes first, and each reply is indented below the post it replies to. Earlier posts
    are added from the archive, at most 20 above each post.
    """
  }

  /// The paragraph that explains the pager.
  static var pager: TextBlock {
    """
    On a terminal, long output is shown in a pager: `$PAGER`, otherwise `less -FRX`. `--no-pager` turns this off, and so does a `PAGER` that
    is empty or `cat`.
    """
  }

  /// The paragraph that explains DATE.
  static var dates: TextBlock {
    """
    A DATE is a time of day (`18:00`, `6pm`), a day (`yesterday`, `monday`, `2026-11-20`), both (`yesterday 9:00`, `2026-11-20 15:00`)
    or an age (`30m`, `12h`, `7d`, `3w`). Times are in the local time zone, and a day begins at midnight. `18:00` and `monday` are the
    last ones before now. A time can contain its zone: `2026-11-20T15:00:00Z`.
    """
  }

  /// The paragraph that explains TIME.
  static var futureTimes: TextBlock {
    """
    A TIME is a time of day (`18:00`, `6pm`), a day (`tomorrow`, `friday`, `2026-12-24`), both (`tomorrow 9:00`, `2026-12-24 18:00`)
    or a delay (`30m`, `12h`, `3d`). Times are in the local time zone, and a day begins at midnight. `18:00` and `friday` are the
    next ones after now. A time can contain its zone: `2026-12-24T18:00:00Z`. Times in the past are refused.
    """
  }
}

extension Arguments {
  /// Reads an account's name from an argument that also accepts other values.
  func account(_ text: String) throws(UsageError) -> AccountName {
    do throws(ArgumentError) { return try AccountName(given: text) } catch { throw self.error(error.message) }
  }

  /// Reads an account or a timeline from an argument that also accepts other values.
  func timeline(_ text: String) throws(UsageError) -> TimelineOperand {
    do throws(ArgumentError) { return try TimelineOperand(given: text) } catch { throw self.error(error.message) }
  }

  /// Returns whether `--threads` was given. The option is valid only for text output.
  func threads(ofText isText: Bool) throws(UsageError) -> Bool {
    guard has(TextOptions.threads) else { return false }
    if !isText { throw error("--threads is only for --format text") }
    return true
  }

  var eitherViewOrAccount: UsageError { error("specify an account or a --view, not both") }
}
