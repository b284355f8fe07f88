internal import Glibc

/// Whether a folder holds only what its user, or root, has put there: nobody else can plant, exchange or remove anything in it.
///
/// Looked at are the folder and the one above it, where its own name stands. Further up nothing can be told: in a user namespace, as
/// a sandboxed service has one, the folders of root belong to nobody (user_namespaces(7)).
package enum FolderTrust {
  /// - Throws: EPERM with a finding that names the folder and says what to do.
  package static func check(_ path: String) throws(SystemError) {
    // The name first: a symbolic link that somebody else has planted leads wherever they like, to folders of the user's too.
    let name = try FileFacts.ofLink(path)
    let folder = name.isFolder ? name : try FileFacts.of(path)
    for facts in [name, folder] where !facts.isOwn {
      throw finding(
        path,
        "belongs to the user \(facts.userID), who could read and exchange what is kept in it. Remove it, and try again"
      )
    }
    guard !canBeChangedByOthers(folder) else {
      throw finding(
        path,
        "others can put files into it (mode \(octal(folder))). See that nothing in it is theirs, then run: chmod 700 '\(path)'"
      )
    }
    guard let above = Folder.parent(of: path) else { return }
    let facts = try FileFacts.of(above)
    // In a sticky folder, such as /tmp, others can add names and take none away (inode(7)).
    guard !canBeChangedByOthers(facts) || facts.permissions & 0o1000 != 0 else {
      throw finding(
        above, "others can exchange what is in it (mode \(octal(facts))), '\(path)' too. Run: chmod go-w '\(above)'")
    }
  }

  private static func canBeChangedByOthers(_ folder: FileFacts) -> Bool {
    if folder.permissions & 0o002 != 0 { return true }
    // Where each user has a group of their own, which then has the user's number, files are often made writable for it.
    let isOwnGroup = folder.groupID == getegid() && getegid() == geteuid()
    return folder.permissions & 0o020 != 0 && !isOwnGroup
  }

  private static func octal(_ facts: FileFacts) -> String { String(facts.permissions, radix: 8) }

  private static func finding(_ path: String, _ words: String) -> SystemError {
    SystemError(call: "stat", code: EPERM, subject: path, finding: words)
  }
}
