internal import Time

/// Converts between the index of a post and its time and id.
struct PostCalendar: Sendable {
  /// 2020-01-01T00:00:00Z, the earliest time of a post.
  static let epoch = Timestamp(seconds: 1_577_836_800)
  /// The length of a slot in milliseconds. Each post appears in the first half of its slot, so consecutive posts are 20 to 60 s apart, and
  /// one division finds the slot for a time.
  static let slot: Int64 = 40_000
  /// The epoch of the milliseconds in ids (Twitter's snowflake format).
  static let idEpoch: Int64 = 1_288_834_974_657

  private let seed: UInt64
  let start: Timestamp

  /// - Parameter start: the start of the first post's slot; not before `epoch`.
  init(seed: UInt64, start: Timestamp) {
    self.seed = seed
    self.start = start
  }

  /// Returns the time when a post appears.
  func moment(of index: Int) -> Timestamp {
    var dice = SeededRandom(seed &+ 1, UInt64(index))
    return Timestamp(
      milliseconds: start.milliseconds + Int64(index) * Self.slot + Int64(dice.roll(Int(Self.slot / 2))))
  }

  /// Returns the id of a post. Ids are greater than 2^53 and grow with time.
  func id(of index: Int) -> UInt64 {
    var dice = SeededRandom(seed &+ 2, UInt64(index))
    return Self.id(at: moment(of: index), dice.roll(1 << 22))
  }

  static func id(at moment: Timestamp, _ low: Int) -> UInt64 {
    UInt64(moment.milliseconds - idEpoch) << 22 | UInt64(low)
  }

  /// Returns the index of the newest post at a time; `nil` before the first post.
  func newestIndex(at time: Timestamp) -> Int? {
    let distance = time.milliseconds - start.milliseconds
    guard distance >= 0 else { return nil }
    let index = Int(distance / Self.slot)
    if moment(of: index) <= time { return index }
    return index > 0 ? index - 1 : nil
  }

  /// Returns the time contained in an id.
  static func moment(ofID id: UInt64) -> Timestamp { Timestamp(milliseconds: Int64(id >> 22) + idEpoch) }

  /// Returns the index of the newest post whose id is at most this one.
  func newestIndex(withIDAtMost id: UInt64) -> Int? {
    guard let index = newestIndex(at: Self.moment(ofID: id)) else { return nil }
    if self.id(of: index) <= id { return index }
    return index > 0 ? index - 1 : nil
  }
}
