import Glibc

/// Unix sockets as created by another program.
package enum UnixSocket {
  /// Returns a listening socket bound to the path; the caller closes it.
  package static func listening(at path: String) throws -> Int32 {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      bind(
        number, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard bound == 0, listen(number, 5) == 0 else { throw TestClient.Failure(description: "bind: errno \(errno)") }
    return number
  }
}
