internal import Files
internal import Glibc
internal import Platform

/// A private folder for unfinished work. It is in the data folder, whose disk has space for databases.
struct StagingFolder {
  let path: String

  /// Creates the folder, and removes folders that killed processes left behind.
  /// - Parameter prefix: the beginning of the folder's name. No account's name can begin with it.
  init(_ prefix: String, in layout: FileLayout) throws(BackupError) {
    precondition(prefix.hasPrefix("_"), "other names are reserved for accounts")
    path = try converting { () throws(SystemError) in
      try Folder.create(layout.dataFolder)
      for name in try Folder.names(in: layout.dataFolder) where name.hasPrefix(prefix) {
        let process = Int32(name.dropFirst(prefix.count).prefix { $0.isNumber }) ?? 0
        let isRunning = process > 0 && (kill(process, 0) == 0 || errno == EPERM)
        if !isRunning || process == getpid() { Self.removeTree("\(layout.dataFolder)/\(name)") }
      }
      return try Folder.createUnique("\(layout.dataFolder)/\(prefix)\(getpid())-")
    }
  }

  func remove() { Self.removeTree(path) }

  /// Removes a folder and everything in it, without following symbolic links. Entries that cannot be removed are left behind.
  private static func removeTree(_ path: String) {
    for name in (try? Folder.names(in: path)) ?? [] {
      let child = "\(path)/\(name)"
      if let status = try? FileStatus.ofLink(child), status.isFolder {
        removeTree(child)
      } else {
        try? File.remove(child)
      }
    }
    try? Folder.remove(path)
  }
}
