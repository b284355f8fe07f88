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
  /// Who came into a standing when, in that order; with some that have left it since.
  private var arrivals: [ConnectionStanding: ArraySlice<Arrival>] = [:]

  private struct Arrival {
    let id: Int
    let since: Int
  }

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
    if standing != .busy { arrive(Arrival(id: id, since: changes), as: standing) }
  }

  /// The list is cleared of those that have left when there are more of them than connections: so it stays as short as the table,
  /// and who has to go is found without a look at all.
  private mutating func arrive(_ arrival: Arrival, as standing: ConnectionStanding) {
    var list = arrivals[standing].take() ?? []
    list.append(arrival)
    if list.count > 2 * entries.count + 16 {
      list = ArraySlice(list.filter { entries[$0.id]?.since == $0.since })
    }
    arrivals[standing] = list
  }

  mutating func remove(_ id: Int) {
    entries[id] = nil
  }

  /// The connection that is missed least: the one silent for longest, else the one half-sent for longest, else the
  /// one leaving for longest; nil if all are busy. It stays in the table.
  var mostDispensable: Int? {
    mutating get { oldest(.silent) ?? oldest(.halfSent) ?? oldest(.leaving) }
  }

  private mutating func oldest(_ standing: ConnectionStanding) -> Int? {
    while let first = arrivals[standing]?.first {
      if entries[first.id]?.since == first.since { return first.id }
      arrivals[standing]?.removeFirst()
    }
    return nil
  }
}

/// What a connection is worth when room is needed.
enum ConnectionStanding: Equatable, Sendable {
  /// Nothing of a request has come since it was accepted or answered.
  case silent
  /// A part of a request has come.
  case halfSent
  /// A request waits for its answer, or the answer is on its way.
  case busy
  /// Its last answer is out; the peer's end is waited for.
  case leaving
}
