internal import CivilTime
internal import Publish
internal import Timeline

/// A row of a damaged database, as far as it says what it should.
struct DamagedPost {
  let row: Int64
  /// Without what it said before, which stands in another table.
  let post: ImportedPost
  let seenAt: Timestamp?

  /// The columns that every version has had, and those that came with the fourth.
  static func columns(of connection: SQLiteConnection) -> String {
    let names = (try? connection.all("SELECT name FROM pragma_table_info('posts')") { $0.text(0) }) ?? []
    let later = ["source", "seen_at", "deleted_at"].map { names.contains($0) ? $0 : "NULL" }
    return (["key", "id", "created_at", "post"] + later).joined(separator: ", ")
  }

  /// - Parameter row: the row id, then the columns.
  /// - Returns: `nil` for a row of which damage has made something else.
  init?(_ row: borrowing SQLiteRow) {
    let key = row.text(1)
    let id = PostID(row.text(2))
    let createdAt = Timestamp(milliseconds: row.integer(3))
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !id.text.isEmpty,
      Self.times.contains(createdAt)
    else { return nil }
    self.row = row.integer(0)
    seenAt = row.integerOrNull(6).map { Timestamp(milliseconds: $0) }.flatMap { Self.times.contains($0) ? $0 : nil }
    if row.isNull(4) {
      guard let deletedAt = row.integerOrNull(7) else { return nil }
      post = ImportedPost(
        deleted: id, key: PostKey(key), createdAt: createdAt, deletedAt: Timestamp(milliseconds: deletedAt))
    } else {
      // The text says itself whose it is: another one's would be a page in the wrong place.
      guard let read = try? PostJSON.read(row.bytes(4)), read.id == id, !Self.isSpoilt(read) else { return nil }
      post = ImportedPost(read, key: PostKey(key), source: row.bytes(5))
    }
  }

  /// From 1970 to 9999: what a moment of ours can be.
  private static let times = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

  /// Whether bytes were read that are no UTF-8.
  private static func isSpoilt(_ post: Post) -> Bool { post.text.unicodeScalars.contains("\u{0}") }
}
