internal import Glibc
internal import Platform

/// One of the two loopback addresses that servers listen on.
package enum LoopbackAddress: Sendable {
  /// 127.0.0.1
  case v4
  /// ::1
  case v6

  /// The address as written in URLs.
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

  /// Calls `body` with the address and port as the C structure for bind(2).
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
