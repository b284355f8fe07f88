/// A host and an optional port, as in a received request's `Host` field and target (RFC 3986 §3.2, RFC 9110 §7.2). Everything that the
/// grammar allows is accepted and kept as written: a server must not refuse it as malformed.
package struct Authority: Equatable, Sendable {
  /// The host, exactly as written: a registered name, an IPv4 address, or an IP literal in brackets. The host may be empty.
  package let host: String
  /// The port; nil if it is missing or empty (`example.org:`).
  package let port: UInt16?
}

extension Authority {
  /// Parses `uri-host [ ":" port ]`. Returns nil for anything else, including user information (RFC 9110 §4.2.4).
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

  /// Returns whether a byte may appear between the brackets of an IP literal (IPv6 or `IPvFuture`). The address itself is not validated.
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
