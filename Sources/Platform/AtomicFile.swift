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
    guard let folder = Folder.parent(of: path) else { throw SystemError(call: "open", code: EINVAL, subject: path) }
    // One name per process is enough: a file has one writer, the owner of the state.
    let new = "\(path)\(mark)\(getpid())"
    try File.remove(new)
    do throws(SystemError) {
      let descriptor = try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      try descriptor.write(bytes)
      if durability == .synced { try descriptor.sync() }
      try descriptor.close()
      try check("rename") { unsafe rename(new, path) }
    } catch {
      try? File.remove(new)
      throw error.about(path)
    }
    if durability == .synced { try Folder.sync(folder) }
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
