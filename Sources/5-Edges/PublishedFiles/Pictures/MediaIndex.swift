internal import Platform
internal import Storage
internal import StorageSQLite

/// The index of the pictures, `index.db`. It is a cache: it is not synced (`synchronous = OFF`), and a corrupt or foreign file is replaced.
/// Use only on the store's queue.
final class MediaIndex {
  let connection: SQLiteConnection
  private let file: FileStatus.Identity

  private init(_ connection: SQLiteConnection, _ file: FileStatus.Identity) {
    self.connection = connection
    self.file = file
  }

  /// Whether the path still leads to the opened file.
  var isInPlace: Bool { (try? FileStatus.of(connection.path))?.identity == file }

  /// Opens the index, or replaces an unusable one.
  static func open(_ path: String) throws -> MediaIndex {
    if let sound = try usable(path) { return sound }
    for suffix in ["", "-wal", "-shm"] { try File.remove(path + suffix) }
    guard let new = try usable(path) else { preconditionFailure("an empty database is usable") }
    return new
  }

  func close() { connection.close() }

  /// Returns the index at a path; `nil` if the file is corrupt or has a different version.
  private static func usable(_ path: String) throws -> MediaIndex? {
    let wasLeftOpen = SQLiteConnection.wasLeftOpen(path)
    let connection = try SQLiteConnection(path, .writing)
    do {
      try connection.run("PRAGMA journal_mode = WAL")
      try connection.run("PRAGMA synchronous = OFF")
      let found = try connection.first("PRAGMA user_version") { $0.integer(0, in: 0...Int64(Int32.max)) } ?? 0
      let isEmpty = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.amount(0) } == 0
      if isEmpty { try create(in: connection) }
      let isSound = try !wasLeftOpen || connection.first("PRAGMA quick_check(1)") { $0.text(0) } == "ok"
      if isSound, isEmpty || found == version { return MediaIndex(connection, try FileStatus.of(path).identity) }
    } catch let error as StorageError where error.kind == .damaged {
    } catch {
      connection.close()
      throw error
    }
    connection.close()
    return nil
  }

  private static let version: Int64 = 1

  private static func create(in connection: SQLiteConnection) throws(StorageError) {
    try connection.transaction { () throws(StorageError) in
      for statement in statements { try connection.run(statement) }
    }
  }

  private static let statements = [
    // used_at: when the picture was fetched or a page last referred to it, in milliseconds since 1970. doomed: whether to remove the
    // picture as soon as no reader holds the lock.
    """
    CREATE TABLE pictures (
      hash TEXT PRIMARY KEY NOT NULL,
      type TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      used_at INTEGER NOT NULL,
      doomed INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    // The picture that a URL leads to, or the number of failed attempts and the time of the next one.
    """
    CREATE TABLE sources (
      url TEXT PRIMARY KEY NOT NULL,
      hash TEXT REFERENCES pictures ON DELETE CASCADE,
      tries INTEGER NOT NULL DEFAULT 0,
      next_try INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX sources_hash ON sources (hash)",
    // The pictures that an owner's current page refers to.
    """
    CREATE TABLE names (
      owner TEXT NOT NULL,
      hash TEXT NOT NULL REFERENCES pictures ON DELETE CASCADE,
      PRIMARY KEY (owner, hash)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX names_hash ON names (hash)",
    // The part of a picture received before its transfer was interrupted.
    """
    CREATE TABLE parts (
      url TEXT PRIMARY KEY NOT NULL,
      file TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      validator TEXT NOT NULL,
      kept_at INTEGER NOT NULL
    ) STRICT
    """,
    "PRAGMA user_version = \(version)",
  ]
}
