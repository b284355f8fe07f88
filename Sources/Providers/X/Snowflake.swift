internal import CivilTime

/// The moment in X's ids: their upper bits count milliseconds (the form that Twitter called snowflake).
enum Snowflake {
  /// 2010-11-04T01:42:54.657Z, where the count begins.
  private static let epoch: Int64 = 1_288_834_974_657

  /// When a post with this id was written; `nil` for ids that do not fit 63 bits, or are from before the first such id.
  static func time(of id: String) -> Timestamp? {
    guard let number = Int64(id), number >= 29_700_000_000 else { return nil }
    return Timestamp(milliseconds: (number >> 22) + epoch)
  }
}
