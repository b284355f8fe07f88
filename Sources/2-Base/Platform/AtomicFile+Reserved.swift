internal import Glibc

/// Replacements whose space is reserved before the content exists. A full disk or a read-only folder is thus detected before the content
/// can be lost.
extension AtomicFile {
  /// The reserved size in bytes: two pages on common file systems.
  private static let reservedSize = 8192

  /// Creates a file for the new content of another file in the same folder, fills it with zeros and syncs it.
  /// - Parameters:
  ///   - new: the path of the file to create. The caller removes it if it is not used.
  ///   - path: the file to be replaced; errors name it.
  package static func reserve(_ new: String, for path: String) throws(SystemError) {
    do throws(SystemError) {
      // The content could not be put there later.
      try FreeName.refuseDanglingLink(path)
      let descriptor = try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // posix_fallocate(3) returns the error and does not set `errno`.
      let code = posix_fallocate(descriptor.number, 0, off_t(reservedSize))
      if code != 0 { throw SystemError(call: "posix_fallocate", code: code) }
      try descriptor.sync()
      try descriptor.close()
      if let folder = Folder.parent(of: path) { try Folder.sync(folder) }
    } catch {
      try? File.remove(new)
      throw error.about(path)
    }
  }

  /// Writes the content into the reserved file, syncs it and renames it over the other file, which is on disk afterwards.
  ///
  /// If a step fails, the content is written to a new file, because a failed `fsync` must not be repeated on the same file.
  package static func write(_ bytes: [UInt8], inReserved new: String, to path: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(new, O_WRONLY | O_NOFOLLOW)
      try descriptor.write(bytes)
      let number = descriptor.number
      try check("ftruncate") { ftruncate(number, off_t(bytes.count)) }
      try descriptor.sync()
      try descriptor.close()
      try File.rename(new, to: path)
      if let folder = Folder.parent(of: path) { try Folder.sync(folder) }
    } catch {
      try write(bytes, to: path, .synced)
      try? File.remove(new)
    }
  }
}
