package import CivilTime
internal import Publish
internal import SQLite
package import Storage
internal import Timeline

extension AccountDatabase {
  package func importPosts(
    _ posts: [ImportedPost], at now: Timestamp, expecting revision: Revision
  ) throws(StorageError) -> Written<Int> {
    let written = try write(expecting: revision) { () throws(StorageError) in
      var table = PostTable(connection)
      var new = 0
      for post in posts where try table.importPost(post, at: now) { new += 1 }
      try table.close()
      return (new, table.changes)
    }
    observer?.postsChanged(written.value.1)
    return Written(written.value.0, written.revision)
  }
}

extension PostTable {
  /// Imports a post unless its position is occupied.
  /// - Parameter seenAt: when the source stored the post; `nil` if that is not known.
  /// - Returns: whether the post was added.
  mutating func importPost(
    _ imported: ImportedPost, seenAt: Timestamp? = nil, at now: Timestamp
  ) throws(StorageError) -> Bool {
    guard try storedPost(at: imported.key) == nil else { return false }
    guard let post = imported.post else {
      try connection.run(
        "INSERT INTO posts (key, id, created_at, seen_at, deleted_at) VALUES (?, ?, ?, ?, ?)",
        [
          .text(imported.key.text), .text(imported.id.text), .integer(imported.createdAt.milliseconds),
          SQLiteValue(seenAt?.milliseconds), .integer((imported.deletedAt ?? now).milliseconds),
        ])
      return true
    }
    // The author's names are as of that time, and may have changed since.
    let row = try insert(
      post, PostJSON.bytes(post), key: imported.key, source: imported.source[...], at: seenAt ?? post.createdAt)
    for edit in imported.edits {
      try connection.run(
        "INSERT OR IGNORE INTO edits (row, until, id, text) VALUES (?, ?, ?, ?)",
        [.integer(row), .integer(edit.until.milliseconds), .text(edit.id.text), .text(edit.text)])
    }
    return true
  }
}
