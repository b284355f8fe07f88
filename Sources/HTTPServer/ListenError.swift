internal import Glibc
package import Platform

/// Why there is no listening.
package enum ListenError: Error, Equatable {
  /// Somebody else listens at that address and port.
  case portInUse(LoopbackAddress, port: UInt16)
  /// A socket that was handed over is not bound to loopback (or to a Unix path): it is not served.
  case notLoopback(descriptor: Int32)
  /// What was handed over is not a listening stream socket.
  case notListening(descriptor: Int32)
  /// The sockets handed over under one name are not all bound to one port.
  case differentPorts(UInt16, UInt16)
  /// A Unix socket's path has more bytes than the system allows.
  case pathTooLong(String)
  /// What lies where a Unix socket should be is none, so it is not replaced.
  case notASocket(String)
  case system(SystemError)
}

extension ListenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .portInUse(let address, let port):
      "another program listens at \(address.text):\(port); end it or choose another port"
    case .notLoopback(let descriptor):
      "the socket handed over as descriptor \(descriptor) is not bound to loopback; correct the socket unit"
    case .notListening(let descriptor):
      "descriptor \(descriptor) is not a listening stream socket; correct the socket unit"
    case .differentPorts(let first, let second):
      "the sockets handed over are bound to different ports (\(first) and \(second)); correct the socket unit"
    case .pathTooLong(let path):
      "\(path): a socket's path may have \(UnixAddress.longestPath) bytes, this one has \(path.utf8.count); "
        + "choose a shorter one"
    case .notASocket(let path): "\(path): something that is no socket lies there; move it away"
    case .system(let error): error.description
    }
  }
}
