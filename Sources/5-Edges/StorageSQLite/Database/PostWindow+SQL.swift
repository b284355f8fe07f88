internal import Formats
internal import JSON
package import Storage
package import Timeline

extension AccountDatabase {
  package func appendPosts(
    of timeline: TimelineName, atMost count: Int, from lowest: PostKey?, readUpTo read: PostPosition?,
    to window: inout PostWindow
  ) throws(StorageError) {
    guard let rows = try rows(of: timeline) else { return }
    let readKey = read.map { Array($0.key.text.utf8) }
    // All rows share a pair of arrays, so these finally contain the last row's values.
    var (key, id): ([UInt8], [UInt8]) = ([], [])
    try connection.run(
      rows.selectPosts,
      rows.values + [.text(lowest?.text ?? StoredKey.lowestOfHome), .text("~"), .integer(Int64(count))]
    ) { row throws(StorageError) in
      window.lines.append { rows.append(row, to: &$0) }
      key.removeAll(keepingCapacity: true)
      id.removeAll(keepingCapacity: true)
      row.append(0, to: &key)
      row.append(1, to: &id)
      if let readKey, !readKey.lexicographicallyPrecedes(key) {
        if window.newestRead == nil { window.newestRead = PostID(String(decoding: id, as: UTF8.self)) }
      } else {
        window.unread += 1
      }
    }
    if key.isEmpty { return }
    window.last = PostPosition(
      id: PostID(String(decoding: id, as: UTF8.self)), key: PostKey(String(decoding: key, as: UTF8.self)))
  }

  /// Reads the whole table, because reposters have no index, and only a user's own command asks for this.
  package func reposts(by userID: String, mentioning id: String) throws(StorageError) -> [StoredRepost] {
    var reposter = JSONWriter()
    reposter.object { $0.member("id", userID) }
    let member = "\"reposted_by\":" + String(decoding: reposter.bytes.dropLast(), as: UTF8.self)
    return try connection.all(
      """
      SELECT key, id, source FROM posts WHERE post IS NOT NULL AND instr(post, ?) > 0 AND instr(source, ?) > 0
      ORDER BY key DESC LIMIT 100
      """, [.text(member), .text(id)]
    ) { row in
      StoredRepost(mark: PostPosition(id: PostID(row.text(1)), key: StoredKey.key(row.text(0))), source: row.bytes(2))
    }
  }
}
