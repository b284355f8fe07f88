internal import Glibc
internal import Platform

/// A folder with its contents.
enum FolderTree {
  /// Gives the folder, if it exists, another name, and empties its files.
  ///
  /// They are not removed: for minutes after many files were removed, ext4 takes ten times as long to create a file, which would count as time of
  /// the next accounts.
  static func setAside(_ path: String) throws(SystemError) {
    guard File.exists(path) else { return }
    var number = 1
    while FreeName.isTaken("\(path).\(number)") { number += 1 }
    try File.rename(path, to: "\(path).\(number)")
    try empty("\(path).\(number)")
  }

  private static func empty(_ path: String) throws(SystemError) {
    guard try FileStatus.ofLink(path).isFolder else {
      guard unsafe truncate(path, 0) == 0 else { throw SystemError(call: "truncate", code: errno, subject: path) }
      return
    }
    for name in try Folder.names(in: path) { try empty("\(path)/\(name)") }
  }
}
