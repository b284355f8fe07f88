internal import CivilTime
internal import Platform

/// A database's file with its companions `-wal` and `-shm`.
enum DatabaseFile {
  /// Moves a closed database beside its place; its log goes with it under a name that SQLite finds.
  /// - Returns: where it is now.
  static func setAside(_ path: String, at now: Timestamp) throws(SystemError) -> String {
    let aside = FreePath.beside(path, "corrupt", at: now, suffixes: ["", "-wal"])
    // The log first: one that stayed would be taken for the log of the database that is begun next.
    if File.exists("\(path)-wal") { try File.rename("\(path)-wal", to: "\(aside)-wal") }
    try File.remove("\(path)-shm")
    try File.rename(path, to: aside)
    if let folder = Folder.parent(of: path) { try Folder.sync(folder) }
    return aside
  }

  /// Whether the last one who wrote did not close it: then a log with content is left.
  static func wasLeftOpen(_ path: String) -> Bool {
    guard let log = try? FileFacts.of("\(path)-wal") else { return false }
    return log.size > 0
  }
}
