internal import Time

/// The time in X's ids: their upper bits count milliseconds (Twitter called this format snowflake).
enum Snowflake {
  /// 2010-11-04T01:42:54.657Z, the start of the count.
  private static let epoch: Int64 = 1_288_834_974_657

  /// Returns the time when a post with this id was written; `nil` for ids that do not fit into 63 bits, or are older than this format.
  static func time(of id: String) -> Timestamp? {
    guard let number = Int64(id), number >= 29_700_000_000 else { return nil }
    return Timestamp(milliseconds: (number >> 22) + epoch)
  }
}
