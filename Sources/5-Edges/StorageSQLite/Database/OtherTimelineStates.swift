internal import Storage
internal import Time
internal import Timeline

/// The states of timelines other than home, in the order of reading and writing.
extension TimelineState {
  private static let columns = [
    "reference", "refreshed_at", "next_refresh_at", "stale_since", "problem_code", "problem_message",
    "problem_retry_at", "entity_tag", "failures", "read_key", "read_id", "walked_at",
  ]
  /// Selects the name and the state of each timeline.
  static let selectAll = "SELECT name, \(columns.joined(separator: ", ")) FROM timelines"
  static let update = "UPDATE timelines SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?"

  /// One value for each column.
  var values: [SQLiteValue] {
    [
      SQLiteValue(reference), SQLiteValue(refreshedAt?.milliseconds), SQLiteValue(nextRefreshAt?.milliseconds),
      SQLiteValue(staleSince?.milliseconds), SQLiteValue(problem?.code.rawValue), SQLiteValue(problem?.message),
      SQLiteValue(problem?.retryAt?.milliseconds), SQLiteValue(entityTag), SQLiteValue(Int64(failures)),
      SQLiteValue(readUpTo?.key.text), SQLiteValue(readUpTo?.id.text), SQLiteValue(walkedAt?.milliseconds),
    ]
  }

  /// Reads a row of `selectAll`.
  init(_ row: borrowing SQLiteRow) {
    self.init()
    reference = row.textOrNull(1)
    refreshedAt = row.timeOrNull(2)
    nextRefreshAt = row.timeOrNull(3)
    staleSince = row.timeOrNull(4)
    if let code = row.textOrNull(5) {
      // A code added by a later version is read as a provider failure.
      problem = Problem(
        code: Problem.Code(rawValue: code) ?? .provider, message: row.text(6), retryAt: row.timeOrNull(7))
    }
    entityTag = row.textOrNull(8)
    failures = row.amount(9)
    if let key = row.textOrNull(10), let id = row.textOrNull(11) {
      readUpTo = PostPosition(id: PostID(id), key: PostKey(key))
    }
    walkedAt = row.timeOrNull(12)
  }

  /// Reads the states of all timelines that this version knows.
  static func others(in connection: SQLiteConnection) throws(StorageError) -> [TimelineName: TimelineState] {
    var states: [TimelineName: TimelineState] = [:]
    try connection.run(selectAll) { row throws(StorageError) in
      if let name = try? TimelineName(row.text(0)) { states[name] = TimelineState(row) }
    }
    return states
  }
}

extension AccountDatabase {
  /// Writes the state of a timeline other than home. Call this within a transaction.
  func write(_ state: TimelineState, of timeline: TimelineName) throws(StorageError) {
    let number = try newNumber(of: timeline)
    try connection.run(TimelineState.update, state.values + [.integer(number)])
  }
}

/// The rate limits of kinds of timelines.
extension AccountState {
  private static let selectKindLimits = "SELECT kind, rate_limit, rate_remaining, rate_reset FROM kind_limits"

  /// Adds the states of the timelines other than home, and the rate limits of their kinds.
  mutating func addOthers(from connection: SQLiteConnection) throws(StorageError) {
    for (name, other) in try TimelineState.others(in: connection) { self[name] = other }
    var limits: [TimelineName.Kind: RateLimit] = [:]
    try connection.run(Self.selectKindLimits) { row throws(StorageError) in
      guard let kind = TimelineName.Kind(rawValue: row.text(0)), let reset = row.timeOrNull(3) else { return }
      limits[kind] = RateLimit(limit: row.amountOrNull(1), remaining: row.amount(2), reset: reset)
    }
    kindRateLimits = limits
  }
}

extension AccountDatabase {
  /// Writes the rate limits of the kinds of timelines. Call this within a transaction, once a timeline other than home exists.
  func write(kindLimits limits: [TimelineName.Kind: RateLimit]) throws(StorageError) {
    try connection.run("DELETE FROM kind_limits")
    for (kind, limit) in limits {
      try connection.run(
        "INSERT INTO kind_limits (kind, rate_limit, rate_remaining, rate_reset) VALUES (?, ?, ?, ?)",
        [
          .text(kind.rawValue), SQLiteValue(limit.limit.map(Int64.init)), .integer(Int64(limit.remaining)),
          .integer(limit.reset.milliseconds),
        ])
    }
  }
}
