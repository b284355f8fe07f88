internal import Formats
package import Storage
package import Time
internal import Timeline

/// Searches the posts that the user's filters hide. They are not in the search index, which contains only posts that are shown.
extension AccountDatabase {
  /// The number of posts held in memory.
  private static let filteredStep = 500

  /// Returns the newest filtered posts that match a query, newest first.
  /// - Parameters:
  ///   - since: the earliest publication time; `until` itself is excluded.
  ///   - author: a case-insensitive screen name, with or without a leading `@`.
  package func searchFiltered(
    _ query: SearchQuery, since: Timestamp? = nil, until: Timestamp? = nil, author: String? = nil,
    in scope: ArchiveScope = .withoutPrivate, limit: Int
  ) throws(StorageError) -> [KnownPost] {
    guard hasFiltered else { return [] }
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    let index = try SQLiteConnection(":memory:", .memory)
    defer { index.close() }
    try index.run(ArchiveTables.createSearch("found"))
    var found: [KnownPost] = []
    var below: PostKey?
    while found.count < limit {
      let posts = try filteredPosts(below: below, since: since, until: until, author: author, scope)
      guard let last = posts.last else { break }
      below = last.mark.key
      found += try matches(of: query, in: posts, index)
    }
    return Array(found.prefix(max(0, limit)))
  }

  private func filteredPosts(
    below key: PostKey?, since: Timestamp?, until: Timestamp?, author: String?, _ scope: ArchiveScope
  ) throws(StorageError) -> [KnownPost] {
    // '~' sorts after all keys.
    var values: [SQLiteValue] = [
      .text(key?.text ?? "~"), .integer(since?.milliseconds ?? .min), .integer(until?.milliseconds ?? .max),
    ]
    var byAuthor = ""
    if let author {
      // Like a search of shown posts, this also finds posts under an earlier name of the same user.
      byAuthor = """
        AND (json_extract(content, '$.author.screen_name') = ?4 COLLATE NOCASE
        OR json_extract(content, '$.author.id') IN (SELECT id FROM authors WHERE screen_name = ?4))
        """
      values.append(.text(String(author.drop { $0 == "@" })))
    }
    let filtered = try filteredRows(of: scope)
    return try connection.all(
      """
      SELECT key, id, content FROM (\(filtered))
      WHERE key < ?1 AND created_at >= ?2 AND created_at < ?3 \(byAuthor)
      ORDER BY key DESC LIMIT \(Self.filteredStep)
      """, values
    ) { KnownPost(mark: PostPosition(id: PostID($0.text(1)), key: PostKey($0.text(0))), json: $0.bytes(2)) }
  }

  /// Returns the statement that selects a scope's filtered posts: those that a filter hides in home, and those that filters hide in all other
  /// timelines that contain them.
  private func filteredRows(of scope: ArchiveScope) throws(StorageError) -> String {
    let ofHome = """
      SELECT key, id, created_at, hidden.post AS content FROM \(PostTable.hiddenPosts) WHERE deleted_at IS NULL
      """
    guard try seesOthers() else { return scope.includes(.home) ? ofHome : "\(ofHome) AND FALSE" }
    // The stored form has no filter, because each timeline has its own.
    let isHidden = try entryCondition(of: scope, "filter_action = 'hide'")
    let isShown = try entryCondition(of: scope, "filter_action IS NOT 'hide'")
    let outside = scope.includes(.home) ? "NOT \(StoredKey.isHome) AND " : ""
    let ofOthers = """
      SELECT \(StoredKey.plain) AS key, id, created_at, post AS content FROM posts
      WHERE \(outside)post IS NOT NULL AND \(isHidden) AND NOT \(isShown)
      """
    return scope.includes(.home) ? "\(ofHome) UNION ALL \(ofOthers)" : ofOthers
  }

  /// Returns the posts that match, in the given order.
  /// - Parameter index: an empty index in memory, which is empty again afterwards.
  private func matches(
    of query: SearchQuery, in posts: [KnownPost], _ index: SQLiteConnection
  ) throws(StorageError) -> [KnownPost] {
    for (row, known) in posts.enumerated() {
      guard let post = try? PostJSON.read(known.json) else { continue }
      try index.run(
        "INSERT INTO found (rowid, text, author) VALUES (?, ?, ?)",
        [.integer(Int64(row)), .text(SearchText.text(of: post)), .text(SearchText.author(of: post))])
    }
    let rows = try index.all(
      "SELECT rowid FROM found WHERE found MATCH ? ORDER BY rowid", [.text(query.expression)]
    ) { $0.rowID(0) }
    try index.run("INSERT INTO found (found) VALUES ('delete-all')")
    return rows.map { posts[Int($0)] }
  }
}
