internal import Glibc

/// Replaces a file so that a reader always sees either the whole old file or the whole new one.
package enum AtomicFile {
  /// The durability of the new content when the call returns.
  package enum Durability: Sendable {
    /// The file and folder are on disk, so the new content survives a power failure. For content that cannot be recreated.
    case synced
    /// Readers see the whole new content, but a power failure may bring back the old one. For content published from a database.
    case replaced
  }

  /// Writes a new file with mode 0600 next to the old one, then renames it over the old one (`rename(2)`).
  ///
  /// The order matters: the content is synced first, then the file is renamed, then the folder is synced. After a failure, the old file is
  /// unchanged and the new one is removed. A failed `fsync` is not retried, because the kernel may have discarded the pages.
  package static func write(_ bytes: [UInt8], to path: String, _ durability: Durability) throws(SystemError) {
    try write(pieces: [bytes], to: path, durability)
  }

  /// Replaces a file with content in pieces, without concatenating them.
  /// - Returns: the new file's status, valid until another process changes the file.
  @discardableResult
  package static func write(
    pieces: [[UInt8]], to path: String, _ durability: Durability
  ) throws(SystemError) -> FileStatus {
    guard let folder = Folder.parent(of: path) else { throw SystemError(call: "open", code: EINVAL, subject: path) }
    // One name per process is enough: a file has one writer, the process that owns the state.
    let new = "\(path)\(mark)\(getpid())"
    let facts: FileStatus
    do throws(SystemError) {
      let descriptor = try begin(new)
      for piece in pieces { try descriptor.write(piece) }
      if durability == .synced { try descriptor.sync() }
      facts = try FileStatus.of(descriptor, path: path)
      try descriptor.close()
      try check("rename") { unsafe rename(new, path) }
    } catch {
      try? File.remove(new)
      throw error.about(path)
    }
    if durability == .synced { try Folder.sync(folder) }
    return facts
  }

  /// Creates the temporary file. An existing file, which an earlier process with the same id left behind, is replaced. If there is none,
  /// nothing is removed, because a failing disk may reject removals.
  private static func begin(_ new: String) throws(SystemError) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    do throws(SystemError) { return try Descriptor.open(new, flags, mode: 0o600) } catch {
      guard error.isExisting else { throw error }
      try File.remove(new)
      return try Descriptor.open(new, flags, mode: 0o600)
    }
  }

  /// Separates the file's name from the id of the process that is replacing it.
  private static let mark = ".new-"

  /// Removes temporary files left by processes that were killed during `write`. Only the file's writer may call this.
  package static func removeLeftovers(of path: String) throws(SystemError) {
    guard let folder = Folder.parent(of: path), File.exists(folder) else { return }
    for name in try Folder.names(in: folder) {
      let other = "\(folder)/\(name)"
      if other.hasPrefix(path + mark) { try File.remove(other) }
    }
  }
}

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
