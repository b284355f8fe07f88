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
