internal import Glibc
package import Platform

/// An error in opening or adopting listening sockets.
package enum ListenError: UserFacingError, Equatable {
  /// Another program is listening on this address and port.
  case portInUse(LoopbackAddress, port: UInt16)
  /// An inherited TCP socket is not bound to loopback.
  case notLoopback(descriptor: Int32)
  /// An inherited descriptor is not a listening stream socket.
  case notListening(descriptor: Int32)
  /// The inherited sockets with the same name are bound to different ports.
  case differentPorts(UInt16, UInt16)
  /// The path of a Unix socket is longer than the system allows.
  case pathTooLong(String)
  /// The file at the Unix socket's path is not a socket, and is therefore not replaced.
  case notASocket(String)
  /// The kernel cannot report which user opens a connection to this port, and the server's rule does not allow that.
  case ownersUnknown(port: UInt16)
  case system(SystemError)

  package var exitCode: ExitCode {
    switch self {
    case .notLoopback, .notListening, .differentPorts, .ownersUnknown: .configuration
    case .portInUse, .pathTooLong, .notASocket, .system: .cannotCreate
    }
  }

  package var message: String {
    switch self {
    case .portInUse(let address, let port):
      "another program is listening on \(address.text):\(port); stop it or choose another port"
    case .notLoopback(let descriptor):
      "the inherited socket (descriptor \(descriptor)) is not bound to loopback; correct the socket unit"
    case .notListening(let descriptor):
      "descriptor \(descriptor) is not a listening stream socket; correct the socket unit"
    case .differentPorts(let first, let second):
      "the inherited sockets are bound to different ports (\(first) and \(second)); correct the socket unit"
    case .pathTooLong(let path):
      "\(path): a socket path must not exceed \(UnixAddress.longestPath) bytes; this one has \(path.utf8.count); "
        + "choose a shorter one"
    case .notASocket(let path): "\(path): a file that is not a socket occupies this path; move it away"
    case .ownersUnknown(let port):
      "the port \(port) was not opened, because the kernel cannot tell which user opens a connection to it: neither sock_diag(7) nor "
        + "/proc/self/net works, or the user namespace hides other users; start homeline outside of the container or sandbox"
    case .system(let error): error.message
    }
  }
}
