internal import Glibc

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
