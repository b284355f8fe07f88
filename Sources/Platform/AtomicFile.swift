internal import Glibc

/// Replaces a file so that a reader sees the whole old or the whole new one, always.
package enum AtomicFile {
  /// How far the new content must have come before the call returns.
  package enum Durability: Sendable {
    /// File and folder are on the disk: a power cut leaves the new content. For what cannot be made again.
    case synced
    /// Whole for every reader, but a power cut may bring the old content back. For what is published from a database.
    case replaced
  }

  /// Writes a new file of mode 0600 beside the old one, then renames it over it (`rename(2)`).
  ///
  /// The order matters: content to the disk, then the name, then the folder. After any failure the old file stands
  /// as it was and the new one is removed; a failed `fsync` is not repeated, since the kernel may have dropped the pages.
  package static func write(_ bytes: [UInt8], to path: String, _ durability: Durability) throws(SystemError) {
    try write(pieces: [bytes], to: path, durability)
  }

  /// The same for content in pieces, which are not put together first.
  /// - Returns: what the new file is known by, as long as nobody else touches it.
  @discardableResult
  package static func write(
    pieces: [[UInt8]], to path: String, _ durability: Durability
  ) throws(SystemError) -> FileFacts {
    guard let folder = Folder.parent(of: path) else { throw SystemError(call: "open", code: EINVAL, subject: path) }
    // One name per process is enough: a file has one writer, the owner of the state.
    let new = "\(path)\(mark)\(getpid())"
    let facts: FileFacts
    do throws(SystemError) {
      let descriptor = try begin(new)
      for piece in pieces { try descriptor.write(piece) }
      if durability == .synced { try descriptor.sync() }
      facts = try FileFacts.of(descriptor, path: path)
      try descriptor.close()
      try check("rename") { unsafe rename(new, path) }
    } catch {
      try? File.remove(new)
      throw error.about(path)
    }
    if durability == .synced { try Folder.sync(folder) }
    return facts
  }

  /// A new file. One that is there already is what a process of the same number has left; without one nothing is removed, which a
  /// disk in trouble could refuse.
  private static func begin(_ new: String) throws(SystemError) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    do throws(SystemError) { return try Descriptor.open(new, flags, mode: 0o600) } catch {
      guard error.isExisting else { throw error }
      try File.remove(new)
      return try Descriptor.open(new, flags, mode: 0o600)
    }
  }

  /// Stands between the file's name and the process that writes it anew.
  private static let mark = ".new-"

  /// Removes what processes that were killed amid `write` have left beside the file. Only its writer may ask for it.
  package static func removeLeftovers(of path: String) throws(SystemError) {
    guard let folder = Folder.parent(of: path), File.exists(folder) else { return }
    for name in try Folder.names(in: folder) {
      let other = "\(folder)/\(name)"
      if other.hasPrefix(path + mark) { try File.remove(other) }
    }
  }
}

/// Files that this program has made for itself. What stands at their names need not be one of them: a FIFO would keep whoever
/// opens it waiting for ever, and another user's file says what that user likes.
package enum OwnFile {
  /// Opens a file, and nothing else, without waiting (`open(2)` with O_NONBLOCK, which means nothing to files).
  /// - Throws: EISDIR for a folder; a finding for a FIFO, a socket or a device.
  package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
    let descriptor = try Descriptor.open(path, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
    let facts = try FileFacts.of(descriptor, path: path)
    if facts.isFolder { throw SystemError(call: "open", code: EISDIR, subject: path) }
    guard facts.isRegular else { throw noFile(path) }
    return descriptor
  }

  /// The same for a file that decides what is done: it must be the user's own, or root's.
  static func openTrusted(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
    let descriptor = try open(path, flags, mode: mode)
    let facts = try FileFacts.of(descriptor, path: path)
    guard facts.isOwn else { throw stranger(path, facts) }
    return descriptor
  }

  /// Looks at a file that somebody else will open by its name.
  package static func check(_ path: String) throws(SystemError) {
    for facts in [try FileFacts.ofLink(path), try FileFacts.of(path)] where !facts.isOwn { throw stranger(path, facts) }
    // A folder is told by whoever opens it.
    let facts = try FileFacts.of(path)
    guard facts.isRegular || facts.isFolder else { throw noFile(path) }
  }

  /// Reads a file of at most `limit` bytes.
  /// - Throws: EFBIG for a larger one.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) { return try open(path, O_RDONLY).readToEnd(limit: limit) } catch { throw error.about(path) }
  }

  /// Reads a file that holds a secret of the program's own.
  /// - Throws: `.readableByOthers` when its permissions give the group or others anything.
  package static func readPrivate(_ path: String, limit: Int) throws(PrivateFileError) -> [UInt8] {
    try File.readPrivate(path, limit: limit) { path throws(SystemError) in try openTrusted(path, O_RDONLY) }
  }

  private static func noFile(_ path: String) -> SystemError {
    SystemError(
      call: "open", code: ENOTSUP, subject: path, finding: "is no file, and homeline did not make it. Move it away")
  }

  private static func stranger(_ path: String, _ facts: FileFacts) -> SystemError {
    SystemError(
      call: "open", code: EPERM, subject: path,
      finding: "belongs to the user \(facts.userID), and what it says is not to be trusted. Move it away")
  }
}
