/// The server's own time where a refusal tells it.
enum ServerTime {
  /// Up to the end of the year 9999. What is larger is no clock's time, and no sum with it need fit.
  private static let limit: Int64 = 253_402_300_799

  /// Seconds since 1970 out of `Expired timestamp, yours 1, ours 2` (GNU social and others on the same library), or the
  /// middle of the accepted range, `(accepted: 1-3)`; nil when there is none.
  static func find(in text: String) -> Int64? {
    let words = ASCII.lowercased(text).utf8
      .split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
      .map { String($0) ?? "" }
    if let ours = numbers(after: "ours", in: words).first { return ours }
    let accepted = numbers(after: "accepted", in: words)
    guard accepted.count == 2, accepted[0] <= accepted[1] else { return nil }
    return accepted[0] + (accepted[1] - accepted[0]) / 2
  }

  /// The positive integers that follow a word directly; one that is no moment ends them.
  private static func numbers(after word: String, in words: [String]) -> [Int64] {
    guard let place = words.firstIndex(of: word) else { return [] }
    let following = words[(place + 1)...].lazy.map { Int64($0) }.prefix { $0.map { $0 <= limit } ?? false }
    return following.compactMap(\.self)
  }
}
