internal import Platform

/// The private files of the web page, in the folder `_web`.
enum WebFile {
  /// Returns a file's content; nil if there is none.
  static func read(_ path: String, limit: Int) throws(PrivateFileError) -> [UInt8]? {
    do throws(PrivateFileError) { return try TrustedFile.readPrivate(path, limit: limit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw error
    }
  }

  /// Replaces a file, and creates its folder if it does not exist.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    if let folder = Folder.parent(of: path) { try Folder.create(folder) }
    try AtomicFile.write(bytes, to: path, .synced)
  }
}
