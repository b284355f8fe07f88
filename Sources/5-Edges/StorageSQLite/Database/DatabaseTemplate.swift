internal import Platform
internal import Storage

/// An empty database file of the current schema. Each new account gets a copy of it.
///
/// SQLite would create a new file's tables with 5 million instructions and 7 syncs, most of them for changing a file that is empty to WAL mode.
enum DatabaseTemplate {
  /// Creates a database if nothing has this name. Its content is on the disk before it has its name. The first commit syncs the folder, and
  /// until then a power failure may remove the empty file.
  ///
  /// If the template cannot be made, nothing is created, and SQLite creates the tables in the file.
  static func create(_ path: String) throws(SystemError) {
    guard !FreeName.isTaken(path), let content else { return }
    // SQLite would apply a log or a journal to any database beside it, and removes them only beside an empty file.
    for suffix in ["-wal", "-journal"] where (try? FileStatus.ofLink(path + suffix))?.isRegular == true {
      try File.remove(path + suffix)
    }
    do throws(SystemError) { try AtomicFile.create(content, at: path, syncsName: false) } catch {
      // Another program has created a file in the meantime, which is checked like every other file.
      if !error.isExisting { throw error }
    }
  }

  /// Removes what processes killed in ``create(_:)`` have left.
  static func removeLeftovers(of path: String) throws(SystemError) { try AtomicFile.removeAbandoned(of: path) }

  private static let content: [UInt8]? = try? make()

  static func make() throws(StorageError) -> [UInt8]? {
    let connection = try SQLiteConnection(":memory:", .memory)
    defer { connection.close() }
    try connection.run("PRAGMA page_size = \(DatabaseSchema.pageSize)")
    try DatabaseSchema.create(in: connection)
    return inLogMode(try connection.serialized())
  }

  /// The fields of a file's header that differ between a database in memory and a file in WAL mode (sqlite.org/fileformat2.html).
  private enum Header {
    static let pageSize = 16
    static let versions = 18..<20
    static let numberOfPages = 28
    /// The number of the last change, which also says that the number of pages is valid.
    static let changes = [24, 92]
    static let size = 100
  }

  /// Returns the file in WAL mode; `nil` if its header is not as expected.
  private static func inLogMode(_ file: [UInt8]) -> [UInt8]? {
    let pages = file.count / DatabaseSchema.pageSize
    guard file.starts(with: Array("SQLite format 3\0".utf8)), file.count >= Header.size,
      file[Header.pageSize] == UInt8(DatabaseSchema.pageSize >> 8), file[Header.pageSize + 1] == 0,
      pages < 256, pages * DatabaseSchema.pageSize == file.count, file[Header.numberOfPages + 3] == UInt8(pages),
      file[Header.versions].allSatisfy({ $0 == 1 })
    else { return nil }
    var file = file
    for place in Header.versions { file[place] = 2 }
    for place in Header.changes { file[place + 3] = 1 }
    return file
  }
}
