internal import Storage
internal import Time
internal import Timeline

/// A row with valid values in a corrupt database.
struct DamagedPost {
  let row: Int64
  /// The post without its edits, which are in another table.
  let post: ImportedPost
  let seenAt: Timestamp?
  let isInHome: Bool

  /// Returns the columns that every version has, and the columns that version 4 added. The content of a filtered post is in `hidden`.
  static func columns(of connection: SQLiteConnection) -> String {
    func names(_ table: String) -> [String] {
      (try? connection.all("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) }) ?? []
    }
    let known = names("posts")
    let hasHidden = names("hidden").contains("source")
    func content(_ column: String) -> String {
      guard hasHidden else { return column }
      return """
        CASE WHEN post IS NULL AND deleted_at IS NULL THEN (SELECT hidden.\(column) FROM hidden WHERE row = posts.rowid)
        ELSE \(column) END
        """
    }
    let later = ["source", "seen_at", "deleted_at"].map { column in
      known.contains(column) ? column == "source" ? content(column) : column : "NULL"
    }
    return (["key", "id", "created_at", content("post")] + later).joined(separator: ", ")
  }

  /// - Parameter row: the row id, then the columns.
  /// - Returns: `nil` if the values are corrupt.
  init?(_ row: borrowing SQLiteRow) {
    isInHome = StoredKey.isInHome(row.text(1))
    let key = StoredKey.key(row.text(1)).text
    let id = PostID(row.text(2))
    let createdAt = row.time(3)
    guard Self.isValid(key), !id.text.isEmpty,
      Self.times.contains(createdAt)
    else { return nil }
    self.row = row.rowID(0)
    seenAt = row.timeOrNull(6).flatMap { Self.times.contains($0) ? $0 : nil }
    if row.isNull(4) {
      guard let deletedAt = row.timeOrNull(7) else { return nil }
      post = ImportedPost(
        deleted: id, key: PostKey(key), createdAt: createdAt, deletedAt: deletedAt)
    } else {
      // The JSON contains the post's id. If the ids differ, the page is in the wrong place.
      guard let read = try? PostJSON.read(row.bytes(4)), read.id == id, !Self.hasInvalidText(read) else { return nil }
      post = ImportedPost(read, key: PostKey(key), source: row.bytes(5))
    }
  }

  /// Returns whether a text can be a key.
  static func isValid(_ key: String) -> Bool {
    (1...200).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// The valid range of times: 1970 to 9999.
  private static let times = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

  /// Returns whether invalid UTF-8 was read.
  private static func hasInvalidText(_ post: Post) -> Bool { post.text.unicodeScalars.contains("\u{0}") }
}
