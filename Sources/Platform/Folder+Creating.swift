internal import Glibc

extension Folder {
  /// Makes a folder and those above it that are missing, each with mode 0700 (`mkdir(2)`).
  /// - Throws: for one that is there already, also what ``FolderTrust`` finds wrong with it.
  package static func create(_ path: String) throws(SystemError) {
    try make(path)
    try FolderTrust.check(path)
  }

  private static func make(_ path: String) throws(SystemError) {
    // Most are there already, and mkdir(2) takes the folder above for itself to say so.
    if let facts = try? FileFacts.of(path), facts.isFolder { return }
    do throws(SystemError) {
      try check("mkdir", path) { unsafe mkdir(path, 0o700) }
    } catch {
      if error.isNoEntry, let above = parent(of: path) {
        try create(above)
        do throws(SystemError) { try check("mkdir", path) { unsafe mkdir(path, 0o700) } } catch {
          // Somebody else was quicker: the folder is there all the same.
          if !error.isExisting { throw error }
        }
      } else if error.isExisting {
        guard try FileFacts.of(path).isFolder else { throw SystemError(call: "mkdir", code: ENOTDIR, subject: path) }
      } else {
        throw error
      }
    }
  }
}
