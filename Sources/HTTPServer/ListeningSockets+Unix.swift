internal import Glibc
internal import Platform

extension ListeningSockets {
  /// Listens at a Unix socket of mode 0600, in a folder that is made (0700) where it is missing.
  ///
  /// A socket that lies there is replaced: the caller holds the lock that says that nobody serves it. The file goes when the
  /// server stops; after SIGKILL or a power cut it stays, refuses connections (ECONNREFUSED), and the next owner replaces it.
  /// - Parameter isToReplace: whether a socket that lies there is replaced. Without, whatever lies there stays.
  /// - Throws: `.pathTooLong`; `.notASocket` for another file at the path, which stays as it is; `.system` with EADDRINUSE where something
  ///   lies there that is not to be replaced.
  package static func unix(path: String, isToReplace: Bool = true) throws(ListenError) -> ListeningSockets {
    guard UnixAddress.fits(path) else { throw .pathTooLong(path) }
    do throws(SystemError) {
      if let folder = Folder.parent(of: path) { try Folder.create(folder) }
    } catch { throw .system(error) }
    if isToReplace { try SocketFile.clear(path) }
    do throws(SystemError) {
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let socket = Descriptor(owning: try check("socket", path) { Glibc.socket(AF_UNIX, type, 0) })
      let number = socket.number
      // The file gets the socket's own mode less the umask, so it is private from its first moment, whatever the umask.
      try check("fchmod", path) { fchmod(number, 0o600) }
      try bind(number, to: path)
      let file = try SocketFile(at: path)
      do throws(SystemError) {
        // For a umask that takes from the owner too. Nobody can connect before listen(2).
        try check("chmod", path) { unsafe chmod(path, 0o600) }
        try check("listen", path) { listen(number, SOMAXCONN) }
      } catch {
        file.remove()
        throw error
      }
      return ListeningSockets(owning: [socket.release()], port: nil, file: file)
    } catch { throw .system(error) }
  }

  private static func bind(_ number: Int32, to path: String) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    try check("bind", path) {
      unsafe withUnsafePointer(to: &address) {
        unsafe Glibc.bind(
          number, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
          socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
