package import Time

/// The position of a post whose id is not ordered: its time, then a rank that keeps the server's order of posts with
/// the same time.
package struct TimedPosition: Sendable, Hashable {
  /// The rank of the first post with a given time; other posts get ranks above and below it.
  package static let firstRank = 5_000
  private static let ranks = 0...9_999

  package let milliseconds: Int64
  package let rank: Int
  /// The id, in ASCII.
  let name: String

  /// - Parameter rank: clamped to four digits; posts with the same rank are ordered by their ids.
  package init(_ time: Timestamp, id: String, rank: Int = TimedPosition.firstRank) {
    let name = id.unicodeScalars.map { $0.isASCII ? String($0) : "%" + String($0.value, radix: 16) }.joined()
    self.init(time.milliseconds, rank, name)
  }

  private init(_ milliseconds: Int64, _ rank: Int, _ name: String) {
    self.milliseconds = milliseconds
    self.rank = min(max(rank, Self.ranks.lowerBound), Self.ranks.upperBound)
    self.name = name
  }

  /// Reads a key of such a position; `nil` for any other key.
  package init?(_ key: PostKey) {
    guard key.text.utf8.first == UInt8(ascii: "t") else { return nil }
    let parts = key.text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count >= 16, parts[1].utf8.count == 4,
      let milliseconds = Int64(parts[0].dropFirst()), let rank = Int(parts[1]), Self.ranks.contains(rank)
    else { return nil }
    self.init(milliseconds, rank, String(parts[2]))
  }

  package var key: PostKey {
    PostKey("t" + Self.padded(String(milliseconds), 15) + "." + Self.padded(String(rank), 4) + "." + name)
  }

  /// Returns the same post with a different rank.
  package func at(rank: Int) -> TimedPosition { TimedPosition(milliseconds, rank, name) }

  /// Returns the position just below this one, for another post.
  package func below(id: String) -> TimedPosition {
    rank > Self.ranks.lowerBound
      ? TimedPosition(Timestamp(milliseconds: milliseconds), id: id, rank: rank - 1)
      : TimedPosition(Timestamp(milliseconds: milliseconds - 1), id: id, rank: Self.ranks.upperBound)
  }

  private static func padded(_ digits: String, _ count: Int) -> String {
    String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
