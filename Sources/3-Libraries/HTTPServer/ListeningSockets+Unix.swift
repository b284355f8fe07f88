internal import Glibc
internal import Platform

extension ListeningSockets {
  /// Listens on a Unix socket with mode 0600. Creates its folder with mode 0700 if it is missing.
  ///
  /// The caller must hold the lock that guarantees that no other process serves the socket. The file is removed when the server stops.
  /// After SIGKILL or a power failure, the file remains and refuses connections (ECONNREFUSED), and the next server replaces it.
  /// - Parameter isToReplace: whether to replace an existing socket.
  /// - Throws: `.pathTooLong`; `.notASocket` if another kind of file exists at the path; `.system` with EADDRINUSE if a file exists and
  ///   `isToReplace` is false.
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
      // bind(2) creates the file with the mode of the socket, reduced by the umask, so the file is private from the start.
      try check("fchmod", path) { fchmod(number, 0o600) }
      try bind(number, to: path)
      let file = try SocketFile(at: path)
      do throws(SystemError) {
        // The umask may also have removed the owner's permissions. Nobody can connect before listen(2).
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
