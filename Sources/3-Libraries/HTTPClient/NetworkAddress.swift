internal import Glibc

/// An IPv4 or IPv6 address and its scope.
struct NetworkAddress: Hashable {
  /// The part of the network that an address belongs to.
  enum Scope: Hashable {
    /// This machine.
    case loopback
    /// A private network, or an address that is not assigned to a public host.
    case privateNetwork
    /// The public Internet.
    case global
  }

  /// Four or sixteen bytes in network order.
  private let bytes: [UInt8]

  private init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Parses the host of a URL as a resolver does. An IPv4 address may have any form that `inet_aton(3)` accepts, such as `127.1`,
  /// `2130706433` or `0x7f.1`. An IPv6 address may be in brackets. A trailing dot is ignored.
  /// - Returns: the address; nil if the host is a name.
  init?(host: some StringProtocol) {
    var text = String(host)
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    var long = in6_addr()
    if unsafe inet_pton(AF_INET6, text, &long) == 1 {
      self = unsafe NetworkAddress(withUnsafeBytes(of: long) { unsafe Array($0) })
      return
    }
    if text.hasSuffix(".") { text.removeLast() }
    var short = in_addr()
    guard unsafe inet_aton(text, &short) != 0 else { return nil }
    self = unsafe NetworkAddress(withUnsafeBytes(of: short) { unsafe Array($0) })
  }

  /// - Parameter address: a socket address as for `connect(2)`.
  /// - Returns: the address; nil if the family is neither IPv4 nor IPv6.
  init?(_ address: UnsafeRawBufferPointer) {
    guard address.count >= MemoryLayout<sa_family_t>.size else { return nil }
    switch Int32(unsafe address.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET where address.count >= MemoryLayout<sockaddr_in>.size:
      self = unsafe NetworkAddress(address[4..<8])
    case AF_INET6 where address.count >= MemoryLayout<sockaddr_in6>.size:
      self = unsafe NetworkAddress(address[8..<24])
    default: return nil
    }
  }

  /// Returns whether the address equals `network`, or is in it if `network` ends with a slash and a prefix length.
  func isIn(_ network: String) -> Bool {
    let parts = network.split(separator: "/", maxSplits: 1)
    guard let base = parts.first.flatMap({ NetworkAddress(host: $0) }) else { return false }
    return shares(parts.count > 1 ? Int(parts[1]) ?? Int.max : Int.max, bitsWith: base)
  }

  /// The scope according to the IANA special-purpose address registries (iana.org/assignments/iana-ipv4-special-registry, …-ipv6-…).
  var scope: Scope { bytes.count == 4 ? Self.scope(v4: bytes[...]) : Self.scope(v6: bytes) }

  /// Returns whether the first `count` bits of both addresses are equal. A larger count compares all bits.
  func shares(_ count: Int, bitsWith other: NetworkAddress) -> Bool {
    guard bytes.count == other.bytes.count, count >= 0 else { return false }
    return (0..<min(count, bytes.count * 8)).allSatisfy { bit in
      let mask: UInt8 = 0x80 >> UInt8(bit % 8)
      return bytes[bit / 8] & mask == other.bytes[bit / 8] & mask
    }
  }

  private static func scope(v4 bytes: ArraySlice<UInt8>) -> Scope {
    let bytes = Array(bytes)
    switch (bytes[0], bytes[1], bytes[2]) {
    // A connection to 0.0.0.0 reaches this machine.
    case (0, _, _), (127, _, _): return .loopback
    case (10, _, _), (172, 16...31, _), (192, 168, _): return .privateNetwork
    // Carrier-grade NAT (RFC 6598), also used by overlay networks; link-local addresses, including cloud metadata services.
    case (100, 64...127, _), (169, 254, _): return .privateNetwork
    // Protocol assignments, documentation, 6to4 relays, multicast and reserved addresses.
    case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113), (192, 88, 99), (224..., _, _): return .privateNetwork
    // 198.18.0.0/15, for benchmarks, counts as global, because transparent proxies resolve names to it.
    default: return .global
    }
  }

  private static func scope(v6 bytes: [UInt8]) -> Scope {
    if bytes[..<15].allSatisfy({ $0 == 0 }), bytes[15] < 2 { return .loopback }
    // Embedded IPv4: mapped (::ffff:0:0/96), translated (::ffff:0:0:0/96), compatible (::/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16).
    let heads: [[UInt8]] = [
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    if heads.contains(Array(bytes[..<12])) { return scope(v4: bytes[12...]) }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return scope(v4: bytes[2..<6]) }
    // Addresses outside 2000::/3 are local, multicast or unassigned. Teredo and documentation addresses are inside it.
    guard bytes[0] & 0xe0 == 0x20 else { return .privateNetwork }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0x20, 0x01, 0, 0), (0x20, 0x01, 0x0d, 0xb8), (0x3f, 0xff, 0...0x0f, _): return .privateNetwork
    default: return .global
    }
  }
}

extension NetworkAddress: CustomStringConvertible {
  var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "an address" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
