internal import Time

/// A set whose entries expire.
///
/// A nonce is valid only together with its timestamp, and old timestamps are refused, so an entry can be removed once its timestamp is too
/// old. The same applies to request tokens. The entries are not stored on disk. To repeat a request after a restart, an attacker must have
/// read the user's loopback traffic, and would receive only fictional posts.
struct ExpiringSet: Sendable {
  enum Insertion { case new, known, full }

  /// The maximum number of entries, far more than an honest client needs. Beyond it, new entries are refused; old ones are never discarded.
  let capacity: Int
  private(set) var count = 0
  /// The entries, keyed by the second when they expire.
  private var buckets: [Int64: Set<String>] = [:]
  private var swept: Int64 = .min

  init(capacity: Int) { self.capacity = capacity }

  func contains(_ entry: String, until expiry: Timestamp) -> Bool {
    buckets[expiry.seconds]?.contains(entry) ?? false
  }

  /// Inserts an entry.
  /// - Parameter expiry: the time when the entry becomes too old; always the same for the same entry.
  mutating func insert(_ entry: String, until expiry: Timestamp, at now: Timestamp) -> Insertion {
    sweep(now.seconds)
    if contains(entry, until: expiry) { return .known }
    guard count < capacity else { return .full }
    buckets[expiry.seconds, default: []].insert(entry)
    count += 1
    return .new
  }

  private mutating func sweep(_ now: Int64) {
    guard now > swept else { return }
    swept = now
    for (second, entries) in buckets where second < now {
      buckets[second] = nil
      count -= entries.count
    }
  }
}
