internal import CivilTime

/// Remembers what was used until it would be refused anyway, and no longer.
///
/// A nonce counts together with its timestamp, and a timestamp older than the window is refused by itself: so the memory of a
/// nonce may end with the window. The same holds for a request token and its life. What is in memory ends with the process:
/// who could repeat a request to the next one has read this user's traffic on loopback, and gets made-up posts for it.
struct ExpiringSet: Sendable {
  enum Insertion { case new, known, full }

  /// An honest client is far below it; beyond it new ones are turned away, never old ones forgotten.
  let capacity: Int
  private(set) var count = 0
  /// By the second in which they expire.
  private var buckets: [Int64: Set<String>] = [:]
  private var swept: Int64 = .min

  init(capacity: Int) { self.capacity = capacity }

  func contains(_ entry: String, until expiry: Timestamp) -> Bool {
    buckets[expiry.seconds]?.contains(entry) ?? false
  }

  /// - Parameter expiry: from then on the entry is refused for its age; the same whenever the same entry comes.
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
