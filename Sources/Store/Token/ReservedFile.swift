internal import Glibc
internal import Platform

/// A file with allocated space for a token that is about to be asked for, so that a full disk or an unwritable folder is found while
/// nothing is lost yet.
struct ReservedFile: Sendable {
  /// Two pages of every usual file system; a token takes less than one.
  private static let size = 8192

  let path: String

  /// Makes it, its space filled with zeros, and brings it to the disk.
  /// - Parameter subject: whom an error is about.
  func make(in folder: String, for subject: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // posix_fallocate(3) answers the error itself and leaves `errno` alone.
      let code = posix_fallocate(descriptor.number, 0, off_t(Self.size))
      if code != 0 { throw SystemError(call: "posix_fallocate", code: code) }
      try descriptor.sync()
      try descriptor.close()
      try Folder.sync(folder)
    } catch {
      remove()
      throw error.about(subject)
    }
  }

  /// Writes the content into the reserved space, brings it to the disk and puts it in the place of another file.
  ///
  /// If any step fails, the content is written once more into a new file: a failed `fsync` must not be repeated on this one.
  func fill(_ bytes: [UInt8], asNew target: String, in folder: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_NOFOLLOW)
      try descriptor.write(bytes)
      let number = descriptor.number
      try check("ftruncate") { ftruncate(number, off_t(bytes.count)) }
      try descriptor.sync()
      try descriptor.close()
      try File.rename(path, to: target)
      try Folder.sync(folder)
    } catch {
      try AtomicFile.write(bytes, to: target, .synced)
      remove()
    }
  }

  func remove() { try? File.remove(path) }
}
