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
  /// The number of connections with part of a request.
  private var partialRequests = 0
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
    let former = entries[id]?.activity
    guard former != activity else { return }
    count(former, -1)
    count(activity, 1)
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

  mutating func remove(_ id: Int) { count(entries.removeValue(forKey: id)?.activity, -1) }

  private mutating func count(_ activity: ConnectionActivity?, _ change: Int) {
    if activity == .partialRequest { partialRequests += change }
  }

  /// The connection to close first: the one idle longest, otherwise the oldest with a partial request, otherwise the one closing longest.
  /// Nil if all connections are busy. The connection stays in the table.
  ///
  /// If more than three quarters of the connections have a partial request, the oldest of these is the first. Otherwise, clients that send
  /// slowly could fill the table, and each new connection would be closed for the next one before its request arrives.
  var leastImportant: Int? {
    mutating get {
      if partialRequests > capacity / 4 * 3, let slow = oldest(.partialRequest) { return slow }
      return oldest(.idle) ?? oldest(.partialRequest) ?? oldest(.closing)
    }
  }

  private mutating func oldest(_ activity: ConnectionActivity) -> Int? {
    while let first = arrivals[activity]?.first {
      if entries[first.id]?.since == first.since { return first.id }
      arrivals[activity]?.removeFirst()
    }
    return nil
  }
}
