internal import Glibc
package import Platform

/// One of the two addresses that are listened on.
package enum LoopbackAddress: Sendable {
  /// 127.0.0.1
  case v4
  /// ::1
  case v6

  /// The address as it is written before a port in a URL.
  package var text: String {
    switch self {
    case .v4: "127.0.0.1"
    case .v6: "[::1]"
    }
  }

  var family: Int32 {
    switch self {
    case .v4: AF_INET
    case .v6: AF_INET6
    }
  }

  /// Passes the address with a port as the C structure that bind(2) takes.
  func withSocketAddress<Result, Failure: Error>(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      return try unsafe Self.rebound(&address, body)
    case .v6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return try unsafe Self.rebound(&address, body)
    }
  }

  private static func rebound<Address, Result, Failure: Error>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: &address) { (pointer) throws(Failure) in
      try unsafe body(
        UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size))
    }
  }
}

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
      "\(path): a socket's path may have \(ListeningSockets.longestPath) bytes, this one has \(path.utf8.count); "
        + "choose a shorter one"
    case .notASocket(let path): "\(path): something that is no socket lies there; move it away"
    case .system(let error): error.description
    }
  }
}
