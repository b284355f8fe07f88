internal import Glibc

/// One end of a TCP connection: an address and a port, as returned by getsockname(2) and getpeername(2).
struct TCPAddress: Equatable, Sendable {
  enum Family: Sendable { case v4, v6 }

  let family: Family
  /// The 4 or 16 bytes of the address in network byte order.
  let bytes: [UInt8]
  let port: UInt16

  /// Returns the socket's own address; nil if it has no IP address.
  static func own(of number: Int32) -> TCPAddress? {
    unsafe TCPAddress { unsafe getsockname(number, $0, $1) }
  }

  /// Returns the peer's address; nil if the connection no longer exists.
  static func peer(of number: Int32) -> TCPAddress? {
    unsafe TCPAddress { unsafe getpeername(number, $0, $1) }
  }

  /// Returns the address that a socket without a peer reports as its peer.
  static func unspecified(_ family: Family) -> TCPAddress {
    TCPAddress(family: family, bytes: [UInt8](repeating: 0, count: family == .v4 ? 4 : 16), port: 0)
  }

  private init(family: Family, bytes: [UInt8], port: UInt16) {
    self.family = family
    self.bytes = bytes
    self.port = port
  }

  /// Reads sockaddr_in (ip(7)) and sockaddr_in6 (ipv6(7)). The port is in the third and fourth byte of both.
  private init?(_ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    var raw = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
    var length = socklen_t(raw.count)
    let answer = unsafe raw.withUnsafeMutableBytes { buffer in
      unsafe ask(buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard answer == 0 else { return nil }
    port = UInt16(raw[2]) << 8 | UInt16(raw[3])
    // A family's number is less than 256, so in either byte order, one of the two bytes is the family and the other is 0.
    switch Int32(raw[0] | raw[1]) {
    case AF_INET: (family, bytes) = (.v4, Array(raw[4..<8]))
    case AF_INET6 where raw[8..<20].elementsEqual(Self.mappedPrefix):
      // ::ffff:0:0/96, an IPv4 connection on a socket that supports both (RFC 4291 §2.5.5.2).
      (family, bytes) = (.v4, Array(raw[20..<24]))
    case AF_INET6: (family, bytes) = (.v6, Array(raw[8..<24]))
    default: return nil
    }
  }

  /// The address, padded to 16 bytes.
  var padded: [UInt8] { bytes + [UInt8](repeating: 0, count: 16 - bytes.count) }

  /// The prefix of an IPv4 address in IPv6 form (RFC 4291 §2.5.5.2).
  static let mappedPrefix: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
}
