internal import CLinux
internal import Glibc

/// The result of `stat(2)`.
///
/// Two states are equal if they describe the same content. The number of names and the change time do not count: renaming a file over
/// another one updates its change time.
package struct FileStatus: Sendable, Hashable {
  package let isRegular: Bool
  package let isFolder: Bool
  /// Whether it is a symbolic link, which only `lstat(2)` reports.
  package let isLink: Bool
  /// The permission bits, such as 0o600.
  package let permissions: UInt32
  /// The user who owns the file.
  package let userID: UInt32
  let groupID: UInt32
  /// The size in bytes.
  package let size: Int
  /// The time when its content was last changed, in nanoseconds since 1970 (`st_mtim`).
  package let modified: Int64
  /// The time when its content or status was last changed, in nanoseconds since 1970 (`st_ctim`). Programs cannot set it.
  let changed: Int64
  /// The number of the file's names (`st_nlink`).
  package let nameCount: UInt64
  /// Identifies the file independently of its name.
  package let identity: Identity

  /// Identifies a file as long as it is open or has a name (`st_dev`, `st_ino`).
  package struct Identity: Sendable, Hashable {
    fileprivate let device: dev_t
    fileprivate let inode: ino_t

    /// The numbers as text, for a longer name.
    package var text: String { "\(device)-\(inode)" }
  }

  private init(_ raw: stat) {
    isRegular = clinux_is_regular(raw.st_mode) != 0
    isFolder = clinux_is_directory(raw.st_mode) != 0
    isLink = clinux_is_link(raw.st_mode) != 0
    permissions = raw.st_mode & 0o7777
    userID = raw.st_uid
    groupID = raw.st_gid
    size = Int(raw.st_size)
    modified = Int64(raw.st_mtim.tv_sec) * 1_000_000_000 + Int64(raw.st_mtim.tv_nsec)
    changed = Int64(raw.st_ctim.tv_sec) * 1_000_000_000 + Int64(raw.st_ctim.tv_nsec)
    nameCount = UInt64(raw.st_nlink)
    identity = Identity(device: raw.st_dev, inode: raw.st_ino)
  }

  package static func == (left: FileStatus, right: FileStatus) -> Bool {
    (left.isRegular, left.isFolder, left.isLink) == (right.isRegular, right.isFolder, right.isLink)
      && (left.permissions, left.userID, left.groupID) == (right.permissions, right.userID, right.groupID)
      && (left.size, left.modified, left.identity) == (right.size, right.modified, right.identity)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// Returns whether the file is the same and has the same content, judging by device, inode, size and modification time.
  package func isUnchanged(since earlier: FileStatus) -> Bool {
    identity == earlier.identity && size == earlier.size && modified == earlier.modified
  }

  /// Returns whether the file is unchanged, even by a program that sets the modification time back.
  ///
  /// A file that loses a name to another file also gets a new change time.
  package func isUntouched(since earlier: FileStatus) -> Bool {
    isUnchanged(since: earlier) && (changed == earlier.changed || nameCount < earlier.nameCount)
  }

  /// A string that identifies this state of the file. It changes when the file is replaced, or when its size or modification
  /// time changes.
  package var fingerprint: String { "\(identity.device):\(identity.inode):\(size):\(modified)" }

  /// A string like `fingerprint` that also changes if the modification time is set back, or the file is renamed.
  package var strictFingerprint: String { "\(fingerprint):\(changed)" }

  /// Whether only the user who owns the file may read or write it.
  package var isPrivate: Bool { permissions & 0o077 == 0 }

  /// Whether the file belongs to this process's user, or to root, which is trusted.
  package var isOwn: Bool { userID == geteuid() || userID == 0 }

  /// Whether the mode lets users other than the owner and root write to the file, or add and replace names in the folder.
  var canBeChangedByOthers: Bool {
    if permissions & 0o002 != 0 { return true }
    // Where each user has a private group with the same number, files are often writable by that group.
    let isOwnGroup = groupID == getegid() && getegid() == geteuid()
    return permissions & 0o020 != 0 && !isOwnGroup
  }

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
