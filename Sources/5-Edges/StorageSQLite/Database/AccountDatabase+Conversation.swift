internal import Formats
internal import JSON
package import Storage
internal import Time
package import Timeline

/// The posts around one post, for a page that shows it in its conversation.
extension AccountDatabase {
  package func replies(
    to mark: PostPosition, in scope: ArchiveScope, lookingAt limit: Int, atMost most: Int
  ) throws(StorageError) -> [KnownPost] {
    let condition = try condition(of: scope, isShown: true).map { " AND \($0)" } ?? ""
    var newer = try newerReplies(than: mark.key.text, upTo: "~", limit, condition)
    if try seesOthers() {
      // Posts that home does not contain are a range of stored keys of their own.
      let key = StoredKey.text(mark.key, isInHome: false)
      newer += try newerReplies(than: key, upTo: StoredKey.lowestOfHome, limit, condition)
      newer.sort { $0.key < $1.key }
    }
    // A reply is newer than what it answers, so one pass finds the replies to replies too.
    var conversation: Set<String> = [mark.id.text]
    var replies: [KnownPost] = []
    for reply in newer where conversation.contains(reply.answered) && conversation.insert(reply.id).inserted {
      let post = try connection.first("SELECT post, key FROM posts WHERE row = ?", [.integer(reply.row)]) { row in
        (json: row.bytes(0), isInHome: StoredKey.isInHome(row.text(1)))
      }
      guard let post else { continue }
      replies.append(
        KnownPost(
          mark: PostPosition(id: PostID(reply.id), key: reply.key),
          json: try shownForm(post.json, ofRow: reply.row, isInHome: post.isInHome, scope)))
      if replies.count == most { break }
    }
    return replies
  }

  package func source(of id: PostID, in scope: ArchiveScope) throws(StorageError) -> [UInt8]? {
    let condition = try condition(of: scope, isShown: true).map { " AND \($0)" } ?? ""
    let found = try connection.first(
      "SELECT source FROM posts WHERE id = ? AND post IS NOT NULL\(condition) ORDER BY key DESC LIMIT 1",
      [.text(id.text)]
    ) { $0.isNull(0) ? nil : $0.bytes(0) }
    return found ?? nil
  }

  package func edits(of id: PostID, in scope: ArchiveScope) throws(StorageError) -> [ImportedPost.Edit] {
    guard hasArchive else { return [] }
    let condition = try condition(of: scope, isShown: true).map { " AND \($0)" } ?? ""
    return try connection.all(
      """
      SELECT until, edits.id, text FROM edits WHERE row = (
        SELECT row FROM posts WHERE id = ? AND post IS NOT NULL\(condition) ORDER BY key DESC LIMIT 1)
      ORDER BY until
      """, [.text(id.text)]
    ) { ImportedPost.Edit(until: $0.time(0), id: PostID($0.text(1)), text: $0.text(2)) }
  }

  /// A post that answers another one.
  private struct Reply {
    let row: Int64
    let key: PostKey
    let id: String
    /// The id of the post that it answers.
    let answered: String
  }

  /// The member of a published post that names the post it answers. Published JSON has no spaces between tokens and no unescaped quotation
  /// marks in strings, so the bytes are found only as a member.
  private static let member = Array("\"in_reply_to\":".utf8)
  /// The number of bytes of the member that are read. An id is much shorter.
  private static let memberBytes = 1_000

  /// Returns the replies in a range of stored keys, oldest first.
  /// - Parameters:
  ///   - key: the lower bound, which is excluded.
  ///   - limit: the number of posts to look at.
  ///   - condition: a further condition on posts.
  private func newerReplies(
    than key: String, upTo end: String, _ limit: Int, _ condition: String
  ) throws(StorageError) -> [Reply] {
    var found: [Reply] = []
    // SQLite's `instr` would copy each post, and search it byte by byte.
    try connection.run(
      "SELECT row, key, id, post FROM posts WHERE key > ? AND key < ? AND post IS NOT NULL\(condition) ORDER BY key LIMIT ?",
      [.text(key), .text(end), .integer(Int64(limit))]
    ) { row in
      guard let member = row.bytes(3, behind: Self.member, atMost: Self.memberBytes),
        let answered = Self.answered(member)
      else { return }
      found.append(
        Reply(row: row.rowID(0), key: StoredKey.key(row.text(1)), id: row.text(2), answered: answered))
    }
    return found
  }

  /// Returns the id in the beginning of a member.
  private static func answered(_ member: [UInt8]) -> String? {
    var cursor = JSONCursor(member)
    var id: String?
    // The bytes end somewhere after the id.
    try? cursor.members { cursor, name in
      if name == "id", case .string = try cursor.peek() { id = try cursor.string() } else { try cursor.skip() }
    }
    return id
  }
}
