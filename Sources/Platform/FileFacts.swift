internal import CLinux
internal import Glibc

/// What `stat(2)` says of a file.
package struct FileFacts: Sendable, Hashable {
  package let isRegular: Bool
  package let isFolder: Bool
  /// The permission bits, such as 0o600.
  package let permissions: UInt32
  /// Whose it is.
  package let userID: UInt32
  package let groupID: UInt32
  /// In bytes.
  package let size: Int
  /// When its content was changed last, in nanoseconds since 1970 (`st_mtim`).
  package let modified: Int64
  /// Which file it is, whatever its name.
  package let identity: Identity

  /// A file, as long as it is open or has a name (`st_dev`, `st_ino`).
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

  /// Whether nobody but the owner may read or write it.
  package var isPrivate: Bool { permissions & 0o077 == 0 }

  /// Whether it is this process's user's, or root's, who is trusted.
  package var isOwn: Bool { userID == geteuid() || userID == 0 }

  package static func of(_ path: String) throws(SystemError) -> FileFacts {
    var raw = stat()
    try check("stat", path) { unsafe stat(path, &raw) }
    return FileFacts(raw)
  }

  /// The same of a symbolic link itself (`lstat(2)`).
  package static func ofLink(_ path: String) throws(SystemError) -> FileFacts {
    var raw = stat()
    try check("lstat", path) { unsafe lstat(path, &raw) }
    return FileFacts(raw)
  }

  static func of(_ descriptor: borrowing Descriptor, path: String) throws(SystemError) -> FileFacts {
    var raw = stat()
    let number = descriptor.number
    try check("fstat", path) { unsafe fstat(number, &raw) }
    return FileFacts(raw)
  }
}
