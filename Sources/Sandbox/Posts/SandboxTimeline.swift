internal import CivilTime

/// A home timeline that is a function of a seed and the time: post `i` depends on the seed and on `i` only, and a page costs
/// what its posts cost, however long the timeline is.
struct SandboxTimeline: Sendable {
  struct Query: Sendable {
    /// How many posts are looked at; filters come after it.
    var count = 20
    /// Only newer ones than this.
    var sinceID: UInt64?
    /// Only this one and older ones.
    var maxID: UInt64?
    var excludesReplies = false
  }

  /// How far back the API reaches, in posts.
  static let reach = 800
  /// 2020-01-01T00:00:00Z. Nothing is older.
  static let epoch = Timestamp(seconds: 1_577_836_800)
  /// Each post has a slot of its own and stands in its first half: so 20 to 60 s lie between two, and a moment's slot is
  /// found by a division.
  static let slot: Int64 = 40_000
  /// Where the ids' count of milliseconds begins (the form that Twitter calls snowflake).
  private static let idEpoch: Int64 = 1_288_834_974_657

  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// When a post appears.
  func moment(of index: Int) -> Timestamp {
    var dice = Dice(seed &+ 1, UInt64(index))
    return Timestamp(
      milliseconds: Self.epoch.milliseconds + Int64(index) * Self.slot + Int64(dice.roll(Int(Self.slot / 2))))
  }

  /// Above 2^53, and rising with the moment.
  func id(of index: Int) -> UInt64 {
    var dice = Dice(seed &+ 2, UInt64(index))
    return Self.id(at: moment(of: index), dice.roll(1 << 22))
  }

  static func id(at moment: Timestamp, _ low: Int) -> UInt64 {
    UInt64(moment.milliseconds - idEpoch) << 22 | UInt64(low)
  }

  /// The newest post that is there at a moment; nil before the first.
  func newestIndex(at time: Timestamp) -> Int? {
    let distance = time.milliseconds - Self.epoch.milliseconds
    guard distance >= 0 else { return nil }
    let index = Int(distance / Self.slot)
    if moment(of: index) <= time { return index }
    return index > 0 ? index - 1 : nil
  }

  /// The newest post whose id is at most this one.
  func newestIndex(withIDAtMost id: UInt64) -> Int? {
    guard let index = newestIndex(at: Timestamp(milliseconds: Int64(id >> 22) + Self.idEpoch)) else { return nil }
    if self.id(of: index) <= id { return index }
    return index > 0 ? index - 1 : nil
  }

  /// The posts of a page, newest first.
  func page(_ query: Query, at time: Timestamp, late: LatePosts? = nil) -> [SandboxPost] {
    guard let newest = newestIndex(at: time) else { return [] }
    var first = newest
    if let maxID = query.maxID {
      guard let limit = newestIndex(withIDAtMost: maxID) else { return [] }
      first = min(first, limit)
    }
    // A `since_id` below the reach is moved up to it without a word, as the real API does.
    var last = max(0, newest - Self.reach + 1)
    if let sinceID = query.sinceID, let known = newestIndex(withIDAtMost: sinceID) { last = max(last, known + 1) }
    guard first >= last else { return [] }
    let factory = PostFactory(seed: seed, timeline: self)
    return (last...first).reversed().lazy
      .filter { isVisible($0, at: time, late) }
      .prefix(query.count)
      .map { factory.post($0) }
      .filter { !query.excludesReplies || $0.reply == nil }
  }

  private func isVisible(_ index: Int, at time: Timestamp, _ late: LatePosts?) -> Bool {
    guard let late, index % late.every == 0 else { return true }
    return moment(of: index) + late.by <= time
  }
}
