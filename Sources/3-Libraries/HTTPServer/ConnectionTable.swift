/// Chooses the connection to close when there are too many. The table knows only the number and the activity of each connection.
struct ConnectionTable {
  private struct Entry {
    var activity: ConnectionActivity
    /// The number of the table change that began the connection's current activity.
    var since: Int
  }

  private let capacity: Int
  private var entries: [Int: Entry] = [:]
  private var changes = 0
  /// For each activity, the connections that began it, oldest first. Outdated entries are removed lazily.
  private var arrivals: [ConnectionActivity: ArraySlice<Arrival>] = [:]

  private struct Arrival {
    let id: Int
    let since: Int
  }

  /// - Parameter capacity: the maximum number of connections, at least one.
  init(capacity: Int) {
    precondition(capacity > 0, "the capacity must be at least 1")
    self.capacity = capacity
  }

  var isFull: Bool { entries.count >= capacity }

  /// Adds a connection, or records its new activity.
  mutating func note(_ activity: ConnectionActivity, of id: Int) {
    guard entries[id]?.activity != activity else { return }
    changes += 1
    entries[id] = Entry(activity: activity, since: changes)
    if activity != .busy { arrive(Arrival(id: id, since: changes), as: activity) }
  }

  /// Appends an entry. Outdated entries are removed once they outnumber the connections, so that the list remains short and its oldest
  /// entry is found quickly.
  private mutating func arrive(_ arrival: Arrival, as activity: ConnectionActivity) {
    var list = arrivals[activity].take() ?? []
    list.append(arrival)
    if list.count > 2 * entries.count + 16 {
      list = ArraySlice(list.filter { entries[$0.id]?.since == $0.since })
    }
    arrivals[activity] = list
  }

  mutating func remove(_ id: Int) {
    entries[id] = nil
  }

  /// The connection to close first: the one idle longest, otherwise the oldest with a partial request, otherwise the one closing longest.
  /// Nil if all connections are busy. The connection stays in the table.
  var leastImportant: Int? {
    mutating get { oldest(.idle) ?? oldest(.partialRequest) ?? oldest(.closing) }
  }

  private mutating func oldest(_ activity: ConnectionActivity) -> Int? {
    while let first = arrivals[activity]?.first {
      if entries[first.id]?.since == first.since { return first.id }
      arrivals[activity]?.removeFirst()
    }
    return nil
  }
}
