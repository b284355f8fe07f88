internal import Glibc

/// Files that only this program creates. Another user may have put something else at their paths: a FIFO would block `open(2)` forever, and
/// that user's file would have untrusted content.
package enum TrustedFile {
  /// Opens a regular file without blocking (`open(2)` with O_NONBLOCK, which has no effect on regular files).
  /// - Throws: EISDIR for a folder; an error with advice for a FIFO, a socket or a device.
  package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
    let descriptor = try Descriptor.open(path, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
    let facts = try FileStatus.of(descriptor, path: path)
    if facts.isFolder { throw SystemError(call: "open", code: EISDIR, subject: path) }
    guard facts.isRegular else { throw noFile(path) }
    return descriptor
  }

  /// Opens a regular file that controls the program's behaviour, and so must belong to the user or to root.
  static func openTrusted(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
    let descriptor = try open(path, flags, mode: mode)
    let facts = try FileStatus.of(descriptor, path: path)
    guard facts.isOwn else { throw stranger(path, facts) }
    return descriptor
  }

  /// Checks that a file is trusted before other code opens it by its path.
  package static func check(_ path: String) throws(SystemError) {
    for facts in [try FileStatus.ofLink(path), try FileStatus.of(path)] where !facts.isOwn {
      throw stranger(path, facts)
    }
    // Opening a folder fails later, with its own error.
    let facts = try FileStatus.of(path)
    guard facts.isRegular || facts.isFolder else { throw noFile(path) }
  }

  /// Reads a file of at most `limit` bytes.
  /// - Throws: EFBIG for a larger one.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) { return try open(path, O_RDONLY).readToEnd(limit: limit) } catch { throw error.about(path) }
  }

  /// Reads a file that contains one of the program's own secrets.
  /// - Throws: `.readableByOthers` if its permissions give any access to the group or other users.
  package static func readPrivate(_ path: String, limit: Int) throws(PrivateFileError) -> [UInt8] {
    try File.readPrivate(path, limit: limit) { path throws(SystemError) in try openTrusted(path, O_RDONLY) }
  }

  /// Reads a file of another program. The user's accounts will depend on it, so only this user and root may be able to change it.
  /// - Throws: EPERM, with advice, if another user owns the file, or can write to it or replace it; EFBIG for a larger file.
  package static func readControlled(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      let descriptor = try open(path, O_RDONLY)
      let facts = try FileStatus.of(descriptor, path: path)
      guard facts.isOwn else {
        throw SystemError(
          call: "open", code: EPERM, subject: path, finding: "the file belongs to \(UserName.of(facts.userID))")
      }
      guard !facts.canBeChangedByOthers else {
        throw SystemError(
          call: "open", code: EPERM, subject: path,
          finding:
            "other users can change the file (mode \(String(facts.permissions, radix: 8))). Run: chmod 600 '\(path)'")
      }
      // The name can be a link into another folder.
      for name in [path, File.realPath(path)] { try Folder.checkTrust(folderOf: name) }
      return try descriptor.readToEnd(limit: limit)
    } catch { throw error.about(path) }
  }

  private static func noFile(_ path: String) -> SystemError {
    SystemError(
      call: "open", code: ENOTSUP, subject: path,
      finding: "is not a regular file and was not created by homeline. Move it away")
  }

  private static func stranger(_ path: String, _ facts: FileStatus) -> SystemError {
    SystemError(
      call: "open", code: EPERM, subject: path,
      finding: "belongs to the user \(facts.userID), so its content cannot be trusted. Move it away")
  }
}
