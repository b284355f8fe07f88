/// Who has to go when there are too many connections: a value that knows them by number and standing only.
struct ConnectionTable {
  private struct Entry {
    var standing: ConnectionStanding
    /// When it came into its standing, counted in changes of the table.
    var since: Int
  }

  private let capacity: Int
  private var entries: [Int: Entry] = [:]
  private var changes = 0

  /// - Parameter capacity: the most connections at a time, at least one.
  init(capacity: Int) {
    precondition(capacity > 0, "a server needs room for a connection")
    self.capacity = capacity
  }

  var isFull: Bool { entries.count >= capacity }

  /// Adds a connection, or notes its standing.
  mutating func note(_ standing: ConnectionStanding, of id: Int) {
    guard entries[id]?.standing != standing else { return }
    changes += 1
    entries[id] = Entry(standing: standing, since: changes)
  }

  mutating func remove(_ id: Int) {
    entries[id] = nil
  }

  /// The connection that is missed least: the one silent for longest, else the one half-sent for longest, else the
  /// one leaving for longest; nil if all are busy. It stays in the table.
  var mostDispensable: Int? {
    func oldest(_ standing: ConnectionStanding) -> Int? {
      entries.lazy.filter { $0.value.standing == standing }.min { $0.value.since < $1.value.since }?.key
    }
    return oldest(.silent) ?? oldest(.halfSent) ?? oldest(.leaving)
  }
}
