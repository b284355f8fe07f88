/// Chooses the connection to close when there are too many. The table knows only the number and the activity of each connection.
struct ConnectionTable {
  private struct Entry {
    var activity: ConnectionActivity
    /// The number of the change to the table at which the connection's current activity began.
    var since: Int
  }

  private let capacity: Int
  private var entries: [Int: Entry] = [:]
  private var changes = 0
  /// For each activity, the connections that began it, oldest first. Entries of connections whose activity has changed since are removed
  /// lazily.
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

  /// The connection to close first: the connection that has been idle longest, otherwise the oldest with a partial request, otherwise the
  /// connection that has been closing longest; nil if all connections are busy. The connection stays in the table.
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

/// The activity of a connection, which determines whether it may be closed to admit another connection.
enum ConnectionActivity: Equatable, Sendable {
  /// No byte of a request has arrived since the connection was accepted or the last response was sent.
  case idle
  /// Part of a request has arrived.
  case partialRequest
  /// A request is being handled, or its response is being sent.
  case busy
  /// The last response was sent, and the server is waiting for the client to close.
  case closing
}
