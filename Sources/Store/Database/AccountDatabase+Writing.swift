internal import CivilTime
internal import Publish
package import Timeline

extension AccountDatabase {
  /// Keeps a page: its posts, what is now known of the timeline, and the state, together or not at all.
  ///
  /// A post seen again is kept as it is now. The same page once more changes nothing.
  /// - Parameters:
  ///   - settlement: what the answer has cost, where that is counted.
  ///   - change: what the answer means for the state.
  /// - Returns: how many posts were not known before.
  @discardableResult
  package func insert(
    _ page: Page, as place: PagePlace, settling settlement: Settlement? = nil,
    state change: (inout AccountState) -> Void = { _ in }
  ) throws(SQLiteError) -> Int {
    try connection.transaction { () throws(SQLiteError) in
      var new = 0
      for entry in page.entries where try insert(entry, json: PostJSON.bytes(entry.post)) { new += 1 }
      let known = try spans()
      var grown = known
      switch place {
      case .head: grown.insert(head: page)
      case .continuing(let cursor): grown.insert(page, continuing: cursor)
      }
      if grown != known { try replaceSpans(by: grown) }
      if let settlement { try write(settlement) }
      try changeState(change)
      return new
    }
  }

  /// Changes the state.
  package func update(_ change: (inout AccountState) -> Void) throws(SQLiteError) {
    try connection.transaction { () throws(SQLiteError) in try changeState(change) }
  }

  /// - Returns: whether the post is a new one.
  private func insert(_ entry: Page.Entry, json: [UInt8]) throws(SQLiteError) -> Bool {
    let key = SQLiteValue.text(entry.key.text)
    let rest: [SQLiteValue] = [
      .text(entry.post.id.text), .integer(entry.post.createdAt.milliseconds), .bytes(json),
    ]
    try connection.run(
      "INSERT INTO posts (key, id, created_at, post) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING", [key] + rest)
    if connection.changes == 1 { return true }
    // Only where something differs: most posts of an overlap are as they were, and need no writing.
    try connection.run(
      """
      UPDATE posts SET id = ?1, created_at = ?2, post = ?3
      WHERE key = ?4 AND (id, created_at, post) IS NOT (?1, ?2, ?3)
      """, rest + [key])
    return false
  }

  private func replaceSpans(by spans: Spans) throws(SQLiteError) {
    try connection.run("DELETE FROM spans")
    for span in spans.all {
      try connection.run(
        "INSERT INTO spans (newest_key, newest_id, oldest_key, oldest_id, older_cursor) VALUES (?, ?, ?, ?, ?)",
        [
          .text(span.newest.key.text), .text(span.newest.id.text), .text(span.oldest.key.text),
          .text(span.oldest.id.text), SQLiteValue(span.older?.text),
        ])
    }
  }

  private func changeState(_ change: (inout AccountState) -> Void) throws(SQLiteError) {
    let known = try state()
    var changed = known
    change(&changed)
    guard changed != known else { return }
    let assignments = AccountState.columns.map { "\($0) = ?" }.joined(separator: ", ")
    try connection.run("UPDATE state SET \(assignments) WHERE row = 1", changed.values)
  }
}
