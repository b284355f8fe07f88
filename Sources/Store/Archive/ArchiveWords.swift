internal import Publish
internal import Timeline

/// The search index. It keeps words alone, so that taking a post out needs the post as it was put in.
struct ArchiveWords {
  let connection: SQLiteConnection

  func add(_ post: Post, row: Int64) throws(SQLiteError) {
    try connection.run(
      "INSERT INTO search (rowid, text, author) VALUES (?, ?, ?)",
      [.integer(row), .text(SearchText.text(of: post)), .text(SearchText.author(of: post))])
  }

  func remove(_ post: Post, row: Int64) throws(SQLiteError) {
    try connection.run(
      "INSERT INTO search (search, rowid, text, author) VALUES ('delete', ?, ?, ?)",
      [.integer(row), .text(SearchText.text(of: post)), .text(SearchText.author(of: post))])
  }

  /// The same post once more; costs nothing where its words are as they were.
  func replace(_ former: Post, by post: Post, row: Int64) throws(SQLiteError) {
    guard
      SearchText.text(of: former) != SearchText.text(of: post)
        || SearchText.author(of: former) != SearchText.author(of: post)
    else { return }
    try remove(former, row: row)
    try add(post, row: row)
  }

  /// Writes the whole index anew in one piece: only then the words of removed posts are gone from the file.
  func compact() throws(SQLiteError) { try connection.run("INSERT INTO search (search) VALUES ('optimize')") }
}
