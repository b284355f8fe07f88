internal import Glibc
package import Platform

/// The folders where `homeline backup` and `homeline restore` prepare their work. Their names contain the process id.
extension FileLayout {
  package static let (backupPrefix, restorePrefix) = ("_backup-", "_restore-")

  /// Creates a private folder for unfinished work in the data folder, whose disk has space for databases, and removes those left behind by
  /// killed processes.
  /// - Parameter prefix: ``backupPrefix`` or ``restorePrefix``.
  package func createStaging(_ prefix: String) throws(SystemError) -> String {
    try Folder.create(dataFolder)
    // This process has no such folder yet, so a folder with its id belonged to an earlier process.
    try removeAbandonedStaging { $0 == getpid() || !ProcessEnvironment.isRunning($0) }
    return try Folder.createUnique("\(dataFolder)/\(prefix)\(getpid())-")
  }

  /// Removes the folders that killed processes left behind. They may contain tokens.
  package func removeAbandonedStaging() throws(SystemError) {
    guard File.exists(dataFolder) else { return }
    try removeAbandonedStaging { !ProcessEnvironment.isRunning($0) }
  }

  private func removeAbandonedStaging(of hasEnded: (Int32) -> Bool) throws(SystemError) {
    for name in try Folder.names(in: dataFolder) {
      guard let prefix = [Self.backupPrefix, Self.restorePrefix].first(where: name.hasPrefix) else { continue }
      let process = Int32(name.dropFirst(prefix.count).prefix { $0.isNumber }) ?? 0
      if process <= 0 || hasEnded(process) { Self.removeTree("\(dataFolder)/\(name)") }
    }
  }

  /// Removes a folder and everything in it, without following symbolic links. Entries that cannot be removed are left behind.
  package static func removeTree(_ path: String) {
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
