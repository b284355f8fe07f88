internal import CSQLite
internal import Glibc
internal import Platform
package import Storage

extension SQLiteConnection {
  /// Copies the whole database into a new file in one read transaction (sqlite.org/c3ref/backup_finish.html). Other connections can write
  /// in the meantime.
  /// - Parameter path: the new file, which must not exist. It has mode 0600 and is synced.
  package func copy(to path: String) throws(StorageError) {
    let copy = try SQLiteConnection(path, .writing)
    // The copy is used only when it is complete, so a journal would only cost time.
    try copy.run("PRAGMA journal_mode = OFF")
    try copy.run("PRAGMA synchronous = OFF")
    try copy.takePages(of: self)
    copy.close()
    do throws(SystemError) { try Descriptor.open(path, O_RDWR).sync() } catch { throw StorageError(error.about(path)) }
  }

  /// Returns the content as a database file (`sqlite3_serialize`).
  func serialized() throws(StorageError) -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = unsafe sqlite3_serialize(opened(), "main", &size, 0) else {
      throw unsafe StorageError(of: opened(), code: SQLITE_NOMEM, file: path)
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
  }
}
