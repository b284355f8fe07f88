internal import CLinux
internal import Glibc

/// Reads, moves and removes whole files.
package enum File {
  /// Reads a file of at most `limit` bytes.
  /// - Throws: EFBIG for a larger one, EISDIR for a folder.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try Descriptor.open(path, O_RDONLY).readToEnd(limit: limit)
    } catch {
      throw error.about(path)
    }
  }

  /// Reads a file; returns `nil` if it has changed since the given status was read.
  package static func read(_ path: String, ifStill facts: FileStatus) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_RDONLY)
      guard try FileStatus.of(descriptor, path: path).isUnchanged(since: facts) else { return nil }
      return try descriptor.readBeginning(facts.size)
    } catch {
      if error.isNoEntry { return nil }
      throw error.about(path)
    }
  }

  /// Returns the absolute path without symbolic links, `.` and `..` (`realpath(3)`); the given path if it cannot be resolved.
  package static func realPath(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Reads a file that contains a secret.
  /// - Throws: `.readableByOthers` if its permissions give any access to the group or other users.
  package static func readPrivate(_ path: String, limit: Int) throws(PrivateFileError) -> [UInt8] {
    try readPrivate(path, limit: limit) { path throws(SystemError) in try Descriptor.open(path, O_RDONLY) }
  }

  /// Reads a file that contains a secret, opening it with the given function.
  static func readPrivate(
    _ path: String, limit: Int, opening open: (String) throws(SystemError) -> Descriptor
  ) throws(PrivateFileError) -> [UInt8] {
    let permissions: UInt32
    do throws(SystemError) {
      let descriptor = try open(path)
      // The status is that of the open file, so the file cannot be replaced between the check and the read.
      let facts = try FileStatus.of(descriptor, path: path)
      if facts.isPrivate { return try descriptor.readToEnd(limit: limit) }
      permissions = facts.permissions
    } catch {
      throw .system(error.about(path))
    }
    throw .readableByOthers(path, permissions)
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  package static func isExecutable(_ path: String) -> Bool {
    guard let facts = try? FileStatus.of(path), facts.isRegular else { return false }
    return unsafe access(path, X_OK) == 0
  }

  /// Removes a file; a missing file is not an error.
  package static func remove(_ path: String) throws(SystemError) {
    do throws(SystemError) { try check("unlink", path) { unsafe unlink(path) } } catch {
      if !error.isNoEntry { throw error }
    }
  }

  /// Sets a file's mode to 0600 (`chmod(2)`).
  package static func makePrivate(_ path: String) throws(SystemError) {
    try check("chmod", path) { unsafe chmod(path, 0o600) }
  }

  /// Moves a file within its file system, replacing any file at the new path (`rename(2)`).
  package static func rename(_ path: String, to new: String) throws(SystemError) {
    try check("rename", "\(path) to \(new)") { unsafe Glibc.rename(path, new) }
  }
}

/// The reason a private file was not read.
package enum PrivateFileError: UserFacingError {
  case readableByOthers(String, UInt32)
  case system(SystemError)

  package var message: String {
    switch self {
    case .readableByOthers(let path, let permissions):
      "\(path): others can read it (mode \(String(permissions, radix: 8)))"
    case .system(let error): error.message
    }
  }

  package var hint: String? {
    if case .readableByOthers(let path, _) = self { "Run: chmod 600 '\(path)'" } else { nil }
  }

  package var exitCode: ExitCode {
    switch self {
    case .readableByOthers: .configuration
    case .system(let error): error.exitCode
    }
  }
}

/// The result of `stat(2)`.
package struct FileStatus: Sendable, Hashable {
  package let isRegular: Bool
  package let isFolder: Bool
  /// The permission bits, such as 0o600.
  package let permissions: UInt32
  /// The user who owns the file.
  package let userID: UInt32
  package let groupID: UInt32
  /// The size in bytes.
  package let size: Int
  /// The time when its content was last changed, in nanoseconds since 1970 (`st_mtim`).
  package let modified: Int64
  /// Identifies the file independently of its name.
  package let identity: Identity

  /// Identifies a file while it is open or has a name (`st_dev`, `st_ino`).
  package struct Identity: Sendable, Hashable {
    fileprivate let device: dev_t
    fileprivate let inode: ino_t
  }

  private init(_ raw: stat) {
    isRegular = clinux_is_regular(raw.st_mode) != 0
    isFolder = clinux_is_directory(raw.st_mode) != 0
    permissions = raw.st_mode & 0o7777
    userID = raw.st_uid
    groupID = raw.st_gid
    size = Int(raw.st_size)
    modified = Int64(raw.st_mtim.tv_sec) * 1_000_000_000 + Int64(raw.st_mtim.tv_nsec)
    identity = Identity(device: raw.st_dev, inode: raw.st_ino)
  }

  /// Returns whether the file is the same and has the same content, judging by device, inode, size and modification time.
  package func isUnchanged(since earlier: FileStatus) -> Bool {
    identity == earlier.identity && size == earlier.size && modified == earlier.modified
  }

  /// A string that identifies this state of the file. It changes when the file is replaced, or when its size or modification
  /// time changes.
  package var fingerprint: String { "\(identity.device):\(identity.inode):\(size):\(modified)" }

  /// Whether only the user who owns the file may read or write it.
  package var isPrivate: Bool { permissions & 0o077 == 0 }

  /// Whether the file belongs to this process's user, or to root, which is trusted.
  package var isOwn: Bool { userID == geteuid() || userID == 0 }

  package static func of(_ path: String) throws(SystemError) -> FileStatus {
    var raw = stat()
    try check("stat", path) { unsafe stat(path, &raw) }
    return FileStatus(raw)
  }

  /// Returns the status of a path without following a symbolic link (`lstat(2)`).
  package static func ofLink(_ path: String) throws(SystemError) -> FileStatus {
    var raw = stat()
    try check("lstat", path) { unsafe lstat(path, &raw) }
    return FileStatus(raw)
  }

  package static func of(_ descriptor: borrowing Descriptor, path: String) throws(SystemError) -> FileStatus {
    var raw = stat()
    let number = descriptor.number
    try check("fstat", path) { unsafe fstat(number, &raw) }
    return FileStatus(raw)
  }
}
