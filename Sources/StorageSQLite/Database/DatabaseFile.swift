internal import CivilTime
internal import Files
internal import Platform

/// A database file with its `-wal` and `-shm` files.
enum DatabaseFile {
  /// Renames a closed database. Its log is renamed with it, so that SQLite still finds the log.
  /// - Returns: the new path.
  static func setAside(_ path: String, at now: Timestamp) throws(SystemError) -> String {
    let aside = FreePath.beside(path, "corrupt", at: now, suffixes: ["", "-wal"])
    // The log is renamed first: SQLite would apply a remaining log to the next database.
    if File.exists("\(path)-wal") { try File.rename("\(path)-wal", to: "\(aside)-wal") }
    try File.remove("\(path)-shm")
    try File.rename(path, to: aside)
    if let folder = Folder.parent(of: path) { try Folder.sync(folder) }
    return aside
  }
}
