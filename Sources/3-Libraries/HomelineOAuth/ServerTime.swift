internal import Bytes

/// Finds the server's time in an error message.
enum ServerTime {
  /// The end of the year 9999. Larger numbers are not treated as times, because arithmetic on them could overflow.
  private static let limit: Int64 = 253_402_300_799

  /// Returns the seconds since 1970 in `Expired timestamp, yours 1, ours 2` (sent by GNU social and others), or the middle of the range in
  /// `(accepted: 1-3)`. Returns nil if the message contains neither.
  static func find(in text: String) -> Int64? {
    let tokens = ASCII.lowercased(text).utf8
      .split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
      .map { String($0) ?? "" }
    if let ours = numbers(after: "ours", in: tokens).first { return ours }
    let accepted = numbers(after: "accepted", in: tokens)
    guard accepted.count == 2, accepted[0] <= accepted[1] else { return nil }
    return accepted[0] + (accepted[1] - accepted[0]) / 2
  }

  /// Returns the numbers that directly follow a word, up to the first number that is not a time.
  private static func numbers(after word: String, in tokens: [String]) -> [Int64] {
    guard let index = tokens.firstIndex(of: word) else { return [] }
    let following = tokens[(index + 1)...].lazy.map { Int64($0) }.prefix { $0.map { $0 <= limit } ?? false }
    return following.compactMap(\.self)
  }
}
