internal import Glibc
internal import Platform

/// The file of a Unix socket that this process bound, identified by its inode.
struct SocketFile: Sendable {
  let path: String
  private let device: dev_t
  private let inode: ino_t

  /// - Throws: `SystemError` if there is no file at the path.
  init(at path: String) throws(SystemError) {
    let facts = try Self.facts(of: path)
    self.path = path
    (device, inode) = (facts.st_dev, facts.st_ino)
  }

  /// Removes the file, unless another file has replaced it.
  func remove() {
    guard let facts = try? Self.facts(of: path), facts.st_dev == device, facts.st_ino == inode else { return }
    try? File.remove(path)
  }

  /// Removes a socket that an earlier process left at the path, if there is one.
  /// - Throws: `.notASocket` for any other kind of file, which is not removed.
  static func clear(_ path: String) throws(ListenError) {
    do throws(SystemError) {
      let facts: stat
      do throws(SystemError) { facts = try Self.facts(of: path) } catch {
        if error.isNoEntry { return }
        throw error
      }
      if facts.st_mode & S_IFMT == S_IFSOCK { return try File.remove(path) }
    } catch { throw .system(error) }
    throw .notASocket(path)
  }

  private static func facts(of path: String) throws(SystemError) -> stat {
    var facts = stat()
    try check("lstat", path) { unsafe lstat(path, &facts) }
    return facts
  }
}
