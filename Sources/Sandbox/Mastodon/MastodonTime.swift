internal import CivilTime

/// Moments with decimals, as servers of Mastodon's API write them.
enum MastodonTime {
  /// RFC 3339 in UTC.
  static func text(_ time: Timestamp, decimals: Int) -> String {
    let whole = time.rfc3339.dropLast()
    guard decimals > 0 else { return whole + "Z" }
    let digits =
      String(1000 + time.milliseconds % 1000).dropFirst() + String(repeating: "0", count: max(0, decimals - 3))
    return whole + "." + digits.prefix(decimals) + "Z"
  }
}
