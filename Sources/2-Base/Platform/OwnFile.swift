internal import Glibc

/// This user's own files in folders that other users may write to.
///
/// Everything is checked on the open file, because the name can refer to another file a moment later.
package enum OwnFile {
  /// Opens an existing regular file that belongs to this user and has no other name. Links are not followed, and nothing blocks.
  /// - Throws: ENOENT if there is none; EPERM, with advice, for anything else.
  package static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Descriptor {
    // The name is checked too, for a better reason than that of open(2), and because opening a device can have effects.
    try check(try FileStatus.ofLink(path), path)
    let descriptor = try TrustedFile.open(path, flags | O_NOFOLLOW)
    try check(try FileStatus.of(descriptor, path: path), path)
    return descriptor
  }

  /// Reads a file of at most `limit` bytes.
  /// - Throws: the errors of ``open(_:_:)``; EFBIG for a larger file.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    do throws(SystemError) { return try open(path, O_RDONLY).readToEnd(limit: limit) } catch { throw error.about(path) }
  }

  private static func check(_ facts: FileStatus, _ path: String) throws(SystemError) {
    let advice = "Remove it, or choose another folder"
    guard facts.userID == geteuid() else {
      throw finding(path, "belongs to \(UserName.of(facts.userID)). \(advice)")
    }
    guard facts.isRegular else { throw finding(path, "is not a regular file. \(advice)") }
    guard facts.nameCount == 1 else { throw finding(path, "has another name too (a hard link). \(advice)") }
  }

  private static func finding(_ path: String, _ text: String) -> SystemError {
    SystemError(call: "open", code: EPERM, finding: "\(path) \(text)")
  }
}
