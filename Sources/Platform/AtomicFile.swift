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
