internal import CLinux
internal import Glibc

/// What `stat(2)` says of a file.
package struct FileFacts: Sendable, Hashable {
  package let isRegular: Bool
  package let isFolder: Bool
  /// The permission bits, such as 0o600.
  package let permissions: UInt32
  /// In bytes.
  package let size: Int
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
    size = Int(raw.st_size)
    identity = Identity(device: raw.st_dev, inode: raw.st_ino)
  }

  /// Whether nobody but the owner may read or write it.
  package var isPrivate: Bool { permissions & 0o077 == 0 }

  package static func of(_ path: String) throws(SystemError) -> FileFacts {
    var raw = stat()
    try check("stat", path) { unsafe stat(path, &raw) }
    return FileFacts(raw)
  }

  static func of(_ descriptor: borrowing Descriptor, path: String) throws(SystemError) -> FileFacts {
    var raw = stat()
    let number = descriptor.number
    try check("fstat", path) { unsafe fstat(number, &raw) }
    return FileFacts(raw)
  }
}
