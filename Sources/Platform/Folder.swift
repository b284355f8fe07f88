internal import Glibc

/// Creates private folders, and lists, syncs and removes folders.
package enum Folder {
  /// Creates a folder with a unique name and mode 0700 (`mkdtemp(3)`).
  /// - Parameter prefix: the path up to the random part of the name.
  package static func createUnique(_ prefix: String) throws(SystemError) -> String {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) }
    guard unsafe made != nil else { throw SystemError(call: "mkdtemp", code: errno, subject: "\(prefix)XXXXXX") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes an empty folder (`rmdir(2)`).
  package static func remove(_ path: String) throws(SystemError) {
    try check("rmdir", path) { unsafe rmdir(path) }
  }

  /// Syncs the names in a folder to disk, so that a `rename(2)` survives a power failure.
  package static func sync(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try Descriptor.open(path, O_RDONLY | O_DIRECTORY).sync()
    } catch { throw error.about(path) }
  }

  /// Returns the names in a folder, sorted, without `.` and `..` (`readdir(3)`).
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw SystemError(call: "opendir", code: errno, subject: path) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the parent's path, or `nil` at the root and for a bare name.
  package static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}

extension Folder {
  /// Creates a folder and its missing parents, each with mode 0700 (`mkdir(2)`).
  /// - Throws: for an existing folder, also the errors of ``FolderTrust``.
  package static func create(_ path: String) throws(SystemError) {
    try make(path)
    try FolderTrust.check(path)
  }

  private static func make(_ path: String) throws(SystemError) {
    // Most folders already exist, and mkdir(2) would lock the parent folder only to report that.
    if let facts = try? FileStatus.of(path), facts.isFolder { return }
    do throws(SystemError) {
      try check("mkdir", path) { unsafe mkdir(path, 0o700) }
    } catch {
      if error.isNoEntry, let above = parent(of: path) {
        try create(above)
        do throws(SystemError) { try check("mkdir", path) { unsafe mkdir(path, 0o700) } } catch {
          // Another process has created the folder in the meantime.
          if !error.isExisting { throw error }
        }
      } else if error.isExisting {
        guard try FileStatus.of(path).isFolder else { throw SystemError(call: "mkdir", code: ENOTDIR, subject: path) }
      } else {
        throw error
      }
    }
  }
}

/// Checks that only this user and root can create, replace or remove files in a folder.
///
/// Only the folder and its parent are checked. Checking the folders above would be meaningless: in a user namespace, such as a sandboxed
/// service's, root's folders belong to the user `nobody` (user_namespaces(7)).
package enum FolderTrust {
  /// Checks a folder.
  /// - Throws: EPERM with a message that contains the folder's path and advice.
  package static func check(_ path: String) throws(SystemError) {
    // The path itself is checked first: if it is another user's symbolic link, it may lead to any folder, even one of this user's.
    let name = try FileStatus.ofLink(path)
    let folder = name.isFolder ? name : try FileStatus.of(path)
    for facts in [name, folder] where !facts.isOwn {
      throw finding(
        path,
        "belongs to the user \(facts.userID), who could read and replace its content. Remove it, and try again"
      )
    }
    guard !canBeChangedByOthers(folder) else {
      throw finding(
        path,
        "other users can create files in it (mode \(octal(folder))). Check that it contains none of theirs, then run: chmod 700 '\(path)'"
      )
    }
    guard let above = Folder.parent(of: path) else { return }
    let facts = try FileStatus.of(above)
    // In a sticky folder such as /tmp, other users can add names but not remove existing ones (inode(7)).
    guard !canBeChangedByOthers(facts) || facts.permissions & 0o1000 != 0 else {
      throw finding(
        above,
        "other users can replace files in it (mode \(octal(facts))), including '\(path)'. Run: chmod go-w '\(above)'")
    }
  }

  private static func canBeChangedByOthers(_ folder: FileStatus) -> Bool {
    if folder.permissions & 0o002 != 0 { return true }
    // On systems where each user has a private group with the same number, files are often writable by that group.
    let isOwnGroup = folder.groupID == getegid() && getegid() == geteuid()
    return folder.permissions & 0o020 != 0 && !isOwnGroup
  }

  private static func octal(_ facts: FileStatus) -> String { String(facts.permissions, radix: 8) }

  private static func finding(_ path: String, _ text: String) -> SystemError {
    SystemError(call: "stat", code: EPERM, subject: path, finding: text)
  }
}
