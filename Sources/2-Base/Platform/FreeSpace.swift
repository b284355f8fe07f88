internal import Glibc

/// The free space on a file system (`statvfs(3)`).
package struct FreeSpace: Sendable, Hashable {
  /// The bytes that this user can write.
  package let bytes: Int64
  /// The number of files that this user can create; nil if the file system has no limit.
  package let files: Int64?

  /// Returns the free space on the file system that contains a path.
  package static func of(_ path: String) throws(SystemError) -> FreeSpace {
    var facts = statvfs()
    try check("statvfs", path) { unsafe statvfs(path, &facts) }
    let unit = facts.f_frsize == 0 ? facts.f_bsize : facts.f_frsize
    return FreeSpace(
      bytes: Int64(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(unit)).partialValue),
      files: facts.f_files == 0 ? nil : Int64(clamping: UInt64(facts.f_favail)))
  }
}
