/// A host and an optional port, as in `Host` and in a request target (RFC 3986 §3.2, RFC 9110 §7.2).
package struct Authority: Equatable, Sendable {
  /// A registered name, an IPv4 address, or an IP literal with its brackets; as it was written, may be empty.
  package let host: String
  /// Nil if there was none; an empty one (`example.org:`) counts as none.
  package let port: UInt16?

  package init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// Reads `uri-host [ ":" port ]`; fails for anything else, user information among it (RFC 9110 §4.2.4).
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let end: Int
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket > 1,
        bytes[1..<bracket].allSatisfy(Self.isLiteralCharacter)
      else { return nil }
      end = bracket + 1
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
      guard Self.isRegisteredName(bytes[..<end]) else { return nil }
    }
    host = String(decoding: bytes[..<end], as: UTF8.self)
    guard end < bytes.endIndex else {
      port = nil
      return
    }
    let digits = bytes[(end + 1)...]
    guard bytes[end] == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else { return nil }
    guard !digits.isEmpty else {
      port = nil
      return
    }
    guard let number = UInt16(String(decoding: digits, as: UTF8.self)) else { return nil }
    port = number
  }

  /// What stands between the brackets: an IPv6 address or `IPvFuture`, judged by its characters only; whoever
  /// compares hosts compares the whole text.
  private static func isLiteralCharacter(_ byte: UInt8) -> Bool {
    byte.isRegisteredNameCharacter || byte == UInt8(ascii: ":")
  }

  private static func isRegisteredName(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.popFirst()?.hexDigitValue != nil, rest.popFirst()?.hexDigitValue != nil else { return false }
      } else if !byte.isRegisteredNameCharacter {
        return false
      }
    }
    return true
  }
}

/// The names under which a listener on loopback is meant: anything else in `Host` is a page that resolves its
/// own name to this machine (DNS rebinding).
package enum LoopbackHost {
  /// Whether `host`, the value of a `Host` field, is 127.0.0.1, [::1] or localhost (in any case) with our port.
  /// Without a port it means port 80 (RFC 9110 §4.2.1).
  package static func accepts(_ host: String?, port: UInt16) -> Bool {
    host.flatMap { Authority($0) }.map { accepts($0, port: port) } ?? false
  }

  /// The same for what `Request.authority` says.
  package static func accepts(_ authority: Authority, port: UInt16) -> Bool {
    guard (authority.port ?? 80) == port else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains { $0.equalsIgnoringCase(authority.host) }
  }
}
