import Glibc

/// A TCP socket that is bound to an address of this machine, like another program's socket. It can listen, and it is
/// closed when this object is released.
package final class BoundSocket: Sendable {
  package enum Address: Sendable {
    case loopback
    case loopback6
    /// All IPv4 addresses.
    case everywhere
  }

  package struct Failure: Error, CustomStringConvertible {
    let call: String
    let code: Int32
    package var description: String { "\(call): errno \(code)" }
  }

  package let port: UInt16
  private let number: Int32

  /// - Parameters:
  ///   - port: the port; 0 lets the kernel choose one.
  ///   - shared: whether other sockets with this option can also use the port. Only one of them can listen
  ///     (SO_REUSEADDR, socket(7)).
  package init(_ address: Address = .loopback, port: UInt16 = 0, shared: Bool = false) throws(Failure) {
    let family = address == .loopback6 ? AF_INET6 : AF_INET
    number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Failure(call: "socket", code: errno) }
    if address == .loopback6 { Self.switchOn(Int32(IPPROTO_IPV6), IPV6_V6ONLY, of: number) }
    if shared { Self.switchOn(SOL_SOCKET, SO_REUSEADDR, of: number) }
    // In sockaddr_in and sockaddr_in6, the third and fourth byte contain the port.
    var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 16 : 28)
    var length = socklen_t(bytes.count)
    withUnsafeBytes(of: sa_family_t(family)) { bytes.replaceSubrange(0..<2, with: $0) }
    withUnsafeBytes(of: port.bigEndian) { bytes.replaceSubrange(2..<4, with: $0) }
    switch address {
    case .loopback: bytes.replaceSubrange(4..<8, with: [127, 0, 0, 1])
    case .loopback6: bytes[23] = 1
    case .everywhere: break
    }
    let (number, size) = (number, length)
    let done = bytes.withUnsafeMutableBytes { bytes in
      let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(number, pointer, size) == 0 && getsockname(number, pointer, &length) == 0
    }
    self.port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    // From this point on, deinit closes the socket, even after an error.
    guard done else { throw Failure(call: "bind", code: errno) }
  }

  deinit { close(number) }

  /// Lets other sockets use the port from now on.
  package func share() { Self.switchOn(SOL_SOCKET, SO_REUSEADDR, of: number) }

  package func listen() throws(Failure) {
    guard Glibc.listen(number, 64) == 0 else { throw Failure(call: "listen", code: errno) }
  }

  /// Starts to listen, and passes the descriptor on to the caller, who must close it.
  package func handOver() throws(Failure) -> Int32 {
    try listen()
    return fcntl(number, F_DUPFD_CLOEXEC, 0)
  }

  private static func switchOn(_ level: Int32, _ option: Int32, of number: Int32) {
    var yes: Int32 = 1
    setsockopt(number, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }
}
