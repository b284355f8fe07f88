package import Storage
package import Time
internal import Timeline

extension AccountDatabase {
  /// Returns the latest posts that match a query, latest first, and by key at the same time. Deleted posts are left out.
  /// - Parameters:
  ///   - since: the earliest publication time; `until` itself is excluded.
  ///   - author: a case-insensitive screen name, with or without a leading `@`. Also finds posts that the same user published under an
  ///     earlier name.
  ///   - scope: the posts to search. A post is found unless the user's filters hide it in home or in all timelines that contain it.
  ///   - moment: only earlier posts are returned; `nil` for all.
  ///   - limit: the maximum number of posts, both returned and held in memory.
  package func search(
    _ query: SearchQuery, since: Timestamp? = nil, until: Timestamp? = nil, author: String? = nil,
    in scope: ArchiveScope = .withoutPrivate, below moment: PostMoment?, limit: Int
  ) throws(StorageError) -> [TimedPost] {
    // Writers add and remove parts in the meantime. The transaction makes all reads see the same state.
    try connection.run("BEGIN")
    defer { try? connection.run("ROLLBACK") }
    var found = NewestFound(limit: max(0, limit))
    let bounds = Bounds(
      since: since, until: until, below: moment, author: author.map { String($0.drop { $0 == "@" }) },
      condition: try condition(of: scope, isShown: true), hasOutside: try seesOthers())
    let lastUndivided = try lastUndividedRow()
    if lastUndivided > 0 { try search(query, in: "search", rows: 0..<lastUndivided + 1, bounds, &found) }
    for part in try searchParts() {
      // All posts of the remaining parts are earlier.
      if let last = found.last, part.times.upperBound < last.time { break }
      if let since, part.times.upperBound < since { break }
      if let until, part.times.lowerBound >= until { continue }
      if let moment, part.times.lowerBound > moment.time { continue }
      try search(query, in: part.table, rows: SearchPart.rows(of: part.number), bounds, &found)
    }
    var posts: [TimedPost] = []
    for hit in found.hits {
      let post = try connection.first("SELECT id, post, key FROM posts WHERE row = ?", [.integer(hit.row)]) { row in
        (id: PostID(row.text(0)), json: row.bytes(1), isInHome: StoredKey.isInHome(row.text(2)))
      }
      guard let post else { continue }
      let json = try shownForm(post.json, ofRow: hit.row, isInHome: post.isInHome, scope)
      let known = KnownPost(mark: PostPosition(id: post.id, key: hit.moment.key), json: json)
      posts.append(TimedPost(known, at: hit.moment.time))
    }
    return posts
  }

  package func search(
    _ query: SearchQuery, since: Timestamp? = nil, until: Timestamp? = nil, author: String? = nil,
    in scope: ArchiveScope = .withoutPrivate, limit: Int
  ) throws(StorageError) -> [KnownPost] {
    try search(query, since: since, until: until, author: author, in: scope, below: nil, limit: limit).map(\.post)
  }

  /// The conditions on the posts that contain the terms.
  private struct Bounds {
    let since: Timestamp?
    let until: Timestamp?
    let below: PostMoment?
    let author: String?
    /// The condition of the scope, if it does not include all posts.
    let condition: String?
    /// Whether there are posts that home does not contain, whose stored keys are not their keys.
    let hasOutside: Bool
  }

  /// The latest matching rows found so far.
  private struct NewestFound {
    let limit: Int
    /// The matching rows, latest first.
    private(set) var hits: [(moment: PostMoment, row: Int64)] = []

    /// The earliest hit once the limit is reached; earlier posts are not needed.
    var last: PostMoment? { hits.count < limit ? nil : hits.last?.moment }

    init(limit: Int) { self.limit = limit }

    mutating func take(_ more: [(moment: PostMoment, row: Int64)]) {
      guard !more.isEmpty else { return }
      hits = Array((hits + more).sorted { $0.moment > $1.moment }.prefix(limit))
    }
  }

  private func search(
    _ query: SearchQuery, in table: String, rows: Range<Int64>, _ bounds: Bounds, _ found: inout NewestFound
  ) throws(StorageError) {
    // The bounds of the moment: its time, and its key among the posts at this time. '~' sorts after all keys.
    let below = bounds.below
    var values: [SQLiteValue] = [
      .text(query.expression), .integer(rows.upperBound),
      .integer(max(bounds.since ?? .earliest, found.last?.time ?? .earliest).milliseconds),
      .integer(bounds.until?.milliseconds ?? .max),
      .integer(below?.time.milliseconds ?? .max), .integer(below?.time.milliseconds ?? .max),
      .text(below?.key.text ?? "~"),
    ]
    if let author = bounds.author { values += [.text(author), .integer(rows.lowerBound), .integer(rows.upperBound)] }
    values.append(.integer(Int64(found.limit)))
    let sql = Self.searchStatement(
      in: table, isByAuthor: bounds.author != nil, bounds.condition,
      key: bounds.hasOutside ? StoredKey.plain : "posts.key")
    found.take(
      try connection.all(sql, values) { (moment: PostMoment($0.time(2), PostKey($0.text(0))), row: $0.rowID(1)) })
  }

  /// Returns the condition that selects an author's rows in a part. The index of authors finds them before any post is read.
  private static func byAuthor(in table: String) -> String {
    """
    AND +\(table).rowid IN (
      SELECT row FROM posts WHERE author IN (SELECT id FROM authors WHERE screen_name = ?) AND row >= ? AND row < ?)
    """
  }

  /// Returns the query for a part's latest matching rows. CROSS JOIN and '+' make SQLite read the search index first, regardless of its
  /// estimates for the conditions on posts.
  /// - Parameters:
  ///   - condition: the condition of the scope; `nil` if it includes all posts.
  ///   - key: the expression of the post's key.
  static func searchStatement(
    in table: String, isByAuthor: Bool, _ condition: String? = nil, key: String = "posts.key"
  ) -> String {
    """
    SELECT \(key), posts.row, posts.created_at FROM \(table) CROSS JOIN posts ON posts.row = \(table).rowid
    WHERE \(table) MATCH ? AND \(table).rowid < ? AND +posts.created_at >= ? AND +posts.created_at < ?
    AND +posts.created_at <= ? AND (+posts.created_at < ? OR +\(key) < ?) AND posts.post IS NOT NULL
    \(isByAuthor ? byAuthor(in: table) : "")\(condition.map { " AND \($0)" } ?? "")
    ORDER BY +posts.created_at DESC, +\(key) DESC LIMIT ?
    """
  }
}
