internal import Glibc
internal import Platform

/// A folder with its contents.
enum FolderTree {
  /// Removes the folder if it exists.
  static func remove(_ path: String) throws(SystemError) {
    guard File.exists(path) else { return }
    do throws(SystemError) { try File.remove(path) } catch {
      // unlink(2) returns this error for a folder.
      guard error.code == EISDIR else { throw error }
      for name in try Folder.names(in: path) { try remove("\(path)/\(name)") }
      try Folder.remove(path)
    }
  }
}
