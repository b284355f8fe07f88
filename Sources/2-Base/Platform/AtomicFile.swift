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
  ///
  /// A symbolic link is replaced too. Content that cannot be recreated never replaces a dangling link: see ``FreeName``.
  /// - Returns: the new file's status, valid until another process changes the file.
  @discardableResult
  package static func write(
    pieces: [[UInt8]], to path: String, _ durability: Durability
  ) throws(SystemError) -> FileStatus {
    try write(pieces, to: path, durability, replaces: true)
  }

  /// Writes a new file, synced, with mode 0600. Its name must be free: see ``FreeName``.
  /// - Parameter syncsName: whether the name is on disk too. If not, a power failure may remove the whole file until its folder is synced.
  /// - Throws: EEXIST if the name is taken, even if it was still free when the call began.
  package static func create(_ bytes: [UInt8], at path: String, syncsName: Bool = true) throws(SystemError) {
    try FreeName.require(path)
    try write([bytes], to: path, .synced, replaces: false, syncsName: syncsName)
  }

  @discardableResult
  private static func write(
    _ pieces: [[UInt8]], to path: String, _ durability: Durability, replaces: Bool, syncsName: Bool = true
  ) throws(SystemError) -> FileStatus {
    guard let folder = Folder.parent(of: path) else { throw SystemError(call: "open", code: EINVAL, subject: path) }
    if durability == .synced { try FreeName.refuseDanglingLink(path) }
    // One name per process is enough: a file has a single writer, the state owner.
    let new = "\(path)\(mark)\(getpid())"
    let facts: FileStatus
    do throws(SystemError) {
      let descriptor = try begin(new)
      for piece in pieces { try descriptor.write(piece) }
      if durability == .synced { try descriptor.sync() }
      facts = try FileStatus.of(descriptor, path: path)
      try descriptor.close()
      if replaces { try File.rename(new, to: path) } else { try FreeName.move(new, to: path) }
    } catch {
      try? File.remove(new)
      throw error.about(path)
    }
    if durability == .synced, syncsName { try Folder.sync(folder) }
    return facts
  }

  /// Creates the temporary file. An existing file, which an earlier process with the same id left behind, is replaced. Nothing is removed
  /// if there is no such file, because a failing disk may refuse removals.
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

  /// Returns the file that a temporary file was to replace; `nil` for a file that is not temporary.
  package static func target(of path: String) -> String? {
    guard let end = path.lastIndex(of: "-"), path[...end].hasSuffix(mark), !path.hasPrefix(mark) else { return nil }
    return String(path[..<path.index(end, offsetBy: 1 - mark.count)])
  }

  /// Removes temporary files that processes killed during `write` have left in a folder, for all files in it.
  ///
  /// Files of other running processes are kept. Call this before this process writes to the folder, because its process id may be that of
  /// the killed process.
  package static func removeAbandoned(in folder: String) throws(SystemError) { try removeAbandoned(in: folder, "") }

  /// Removes temporary files that processes killed during `write` have left for one file, except those of other running processes.
  package static func removeAbandoned(of path: String) throws(SystemError) {
    guard let folder = Folder.parent(of: path) else { return }
    try removeAbandoned(in: folder, String(path.dropFirst(folder.count + 1)))
  }

  /// - Parameter prefix: the beginning of the names.
  private static func removeAbandoned(in folder: String, _ prefix: String) throws(SystemError) {
    let names: [String]
    do throws(SystemError) { names = try Folder.names(in: folder) } catch {
      if error.isNoEntry { return }
      throw error
    }
    for name in names where name.hasPrefix(prefix) {
      guard let process = writer(of: name), process == getpid() || !ProcessEnvironment.isRunning(process) else {
        continue
      }
      let path = "\(folder)/\(name)"
      guard let facts = try? FileStatus.ofLink(path), facts.isRegular, facts.userID == geteuid() else { continue }
      try File.remove(path)
    }
  }

  /// Returns the process in the name of a temporary file; nil for other names.
  private static func writer(of name: String) -> Int32? {
    guard let end = name.lastIndex(of: "-"), name[...end].hasSuffix(mark), !name.hasPrefix(mark) else { return nil }
    let digits = name[name.index(after: end)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let process = Int32(digits), process > 0 else {
      return nil
    }
    return process
  }

  /// Removes temporary files left by processes killed during `write`. Only the file's writer may call this.
  package static func removeLeftovers(of path: String) throws(SystemError) {
    guard let folder = Folder.parent(of: path), File.exists(folder) else { return }
    for name in try Folder.names(in: folder) {
      let other = "\(folder)/\(name)"
      if other.hasPrefix(path + mark) { try File.remove(other) }
    }
  }
}
