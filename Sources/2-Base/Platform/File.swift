internal import Glibc

/// Reads, moves and removes whole files.
package enum File {
  /// Reads a file of at most `limit` bytes.
  /// - Throws: EFBIG for a larger file, EISDIR for a folder.
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

  /// Returns whether a file or folder can be reached by this path (`access(2)`). Links are followed, so this does not show whether a name
  /// is free: see ``FreeName``.
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
