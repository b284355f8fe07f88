internal import Folders
internal import Glibc
internal import Platform

/// A private folder for unfinished work (``FileLayout/createStaging(_:)``).
struct StagingFolder {
  let path: String

  init(_ prefix: String, in layout: FileLayout) throws(BackupError) {
    path = try converting { () throws(SystemError) in try layout.createStaging(prefix) }
  }

  func remove() { FileLayout.removeTree(path) }
}
