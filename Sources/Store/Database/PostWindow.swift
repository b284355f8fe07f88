package import Publish
package import Timeline

/// The newest posts of a database as they are published, and how many of them are unread.
package struct PostWindow {
  package var lines = PostLines()
  /// The oldest of them.
  package var last: PostMark?
  /// How many are newer than the post up to which everything is read.
  package var unread = 0
  /// The newest of them that is read; `nil` where none is.
  package var newestRead: PostID?

  package init() {}
}

extension AccountDatabase {
  /// Adds the newest posts to a window, newest first.
  /// - Parameters:
  ///   - count: how many at most.
  ///   - lowest: the place below which none is taken.
  ///   - read: up to where everything is read.
  package func appendPosts(
    atMost count: Int, from lowest: PostKey? = nil, readUpTo read: PostMark?, to window: inout PostWindow
  ) throws(SQLiteError) {
    let readKey = read.map { Array($0.key.text.utf8) }
    // One pair of arrays for all rows: only the last row's are kept.
    var (key, id): ([UInt8], [UInt8]) = ([], [])
    try connection.run(
      "SELECT post, key, id FROM posts WHERE key >= ? AND post IS NOT NULL ORDER BY key DESC LIMIT ?",
      [.text(lowest?.text ?? ""), .integer(Int64(count))]
    ) { row throws(SQLiteError) in
      window.lines.append { row.append(0, to: &$0) }
      key.removeAll(keepingCapacity: true)
      id.removeAll(keepingCapacity: true)
      row.append(1, to: &key)
      row.append(2, to: &id)
      if let readKey, !readKey.lexicographicallyPrecedes(key) {
        if window.newestRead == nil { window.newestRead = PostID(String(decoding: id, as: UTF8.self)) }
      } else {
        window.unread += 1
      }
    }
    if key.isEmpty { return }
    window.last = PostMark(
      id: PostID(String(decoding: id, as: UTF8.self)), key: PostKey(String(decoding: key, as: UTF8.self)))
  }

  /// The place of a post; `nil` where its id alone does not tell it.
  package func mark(of id: PostID) throws(SQLiteError) -> PostMark? {
    let keys = try connection.all("SELECT key FROM posts WHERE id = ?", [.text(id.text)]) { PostKey($0.text(0)) }
    return keys.count == 1 ? PostMark(id: id, key: keys[0]) : nil
  }
}
