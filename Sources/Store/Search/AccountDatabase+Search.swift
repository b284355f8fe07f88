package import CivilTime
internal import Timeline

extension AccountDatabase {
  /// The newest posts that a query finds, newest first. What was deleted is not found.
  /// - Parameters:
  ///   - since: from this moment on; `until` itself is not in it.
  ///   - author: a screen name, in any letter case, with or without a leading `@`. Posts of the same user under another name than
  ///     the one seen last are found too.
  ///   - limit: how many at most; no more than these are in memory.
  package func search(
    _ query: SearchQuery, since: Timestamp? = nil, until: Timestamp? = nil, author: String? = nil, limit: Int
  ) throws(SQLiteError) -> [KnownPost] {
    // The rows first and their texts only of those that are wanted: a word can stand in every post.
    var sql = """
      SELECT key, id, post FROM posts WHERE row IN (
        SELECT posts.row FROM search JOIN posts ON posts.row = search.rowid
        WHERE search MATCH ? AND posts.created_at >= ? AND posts.created_at < ? AND posts.deleted_at IS NULL
      """
    var values: [SQLiteValue] = [
      .text(query.expression), .integer(since?.milliseconds ?? .min), .integer(until?.milliseconds ?? .max),
    ]
    if let author {
      sql += " AND posts.author IN (SELECT id FROM authors WHERE screen_name = ?)"
      values.append(.text(String(author.drop { $0 == "@" })))
    }
    sql += " ORDER BY posts.key DESC LIMIT ?) ORDER BY key DESC"
    return try connection.all(sql, values + [.integer(Int64(max(0, limit)))]) { row in
      KnownPost(mark: PostMark(id: PostID(row.text(1)), key: PostKey(row.text(0))), json: row.bytes(2))
    }
  }
}
