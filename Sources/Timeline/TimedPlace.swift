package import CivilTime

/// The place of a post whose id does not say it: by its time, and among posts of the same time by a rank, which keeps the order in which
/// the server shows them.
package struct TimedPlace: Sendable, Hashable {
  /// Of the first post of a time; others are put above and below it.
  package static let firstRank = 5_000
  private static let ranks = 0...9_999

  package let milliseconds: Int64
  package let rank: Int
  /// The id, in ASCII.
  package let name: String

  /// - Parameter rank: kept within four digits; posts that have the same one then stand by their ids.
  package init(_ time: Timestamp, id: String, rank: Int = TimedPlace.firstRank) {
    let name = id.unicodeScalars.map { $0.isASCII ? String($0) : "%" + String($0.value, radix: 16) }.joined()
    self.init(time.milliseconds, rank, name)
  }

  private init(_ milliseconds: Int64, _ rank: Int, _ name: String) {
    self.milliseconds = milliseconds
    self.rank = min(max(rank, Self.ranks.lowerBound), Self.ranks.upperBound)
    self.name = name
  }

  /// Reads a key that was made of such a place; `nil` for any other.
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

  /// The same post at another rank.
  package func at(rank: Int) -> TimedPlace { TimedPlace(milliseconds, rank, name) }

  private static func padded(_ digits: String, _ count: Int) -> String {
    String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
