internal import Glibc

/// Checks that only this user and root can create, replace or remove files in a folder.
///
/// Only the folder and its parent are checked. Checking the folders above would be meaningless: in a user namespace, such as a sandboxed
/// service's, root's folders belong to the user `nobody` (user_namespaces(7)).
extension Folder {
  /// Checks a folder.
  /// - Throws: EPERM with a message that contains the folder's path and advice.
  package static func checkTrust(_ path: String) throws(SystemError) {
    // The path itself is checked first: if it is another user's symbolic link, it may lead to any folder, even one of this user's.
    let name = try FileStatus.ofLink(path)
    let folder = name.isFolder ? name : try FileStatus.of(path)
    for facts in [name, folder] where !facts.isOwn {
      throw finding(
        path,
        "belongs to the user \(facts.userID), who could read and replace its content. Remove it, and try again"
      )
    }
    guard !folder.canBeChangedByOthers else {
      throw finding(
        path,
        "other users can create files in it (mode \(octal(folder))). Check that it contains none of theirs, then run: chmod 700 '\(path)'"
      )
    }
    guard let above = parent(of: path) else { return }
    try checkReplacing(of: path, in: above)
  }

  /// Checks that only this user and root can replace a file, or the folder that contains it. Others may be able to add files there.
  /// - Throws: EPERM with a message that contains a folder's path and advice.
  static func checkTrust(folderOf path: String) throws(SystemError) {
    guard let folder = parent(of: path) else { return }
    for (subject, facts) in [(path, try FileStatus.ofLink(path)), (folder, try FileStatus.of(folder))]
    where !facts.isOwn {
      throw finding(subject, "belongs to \(UserName.of(facts.userID))")
    }
    try checkReplacing(of: path, in: folder)
    guard let above = parent(of: folder) else { return }
    try checkReplacing(of: folder, in: above)
  }

  private static func checkReplacing(of path: String, in folder: String) throws(SystemError) {
    let facts = try FileStatus.of(folder)
    // In a sticky folder such as /tmp, other users can add names but not remove existing ones (inode(7)).
    guard !facts.canBeChangedByOthers || facts.permissions & 0o1000 != 0 else {
      throw finding(
        folder,
        "other users can replace files in it (mode \(octal(facts))), including '\(path)'. Run: chmod go-w '\(folder)'")
    }
  }

  private static func octal(_ facts: FileStatus) -> String { String(facts.permissions, radix: 8) }

  private static func finding(_ path: String, _ text: String) -> SystemError {
    SystemError(call: "stat", code: EPERM, subject: path, finding: text)
  }
}
