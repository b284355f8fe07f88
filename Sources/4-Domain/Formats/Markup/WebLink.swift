/// An address that published pages and feeds may link to: `http` or `https` with a host and without user information.
///
/// Other addresses in posts (`javascript:`, `data:`, `file:`, paths) are shown as text.
struct WebLink: Sendable, Hashable {
  /// The address as an IRI (RFC 3987 §2.2), with forbidden characters percent-encoded. It still has to be escaped for markup.
  let text: String
  let isEncrypted: Bool

  /// Creates a link; `nil` for any other address. An address with `user@` before its host is refused, because it could mislead the reader.
  init?(_ address: String) {
    let bytes = address.utf8.span
    guard let scheme = Self.scheme(at: 0, in: bytes) else { return nil }
    let start = scheme.utf8.count
    var end = start
    while end < bytes.count, !Self.endsAuthority(bytes[end]) { end += 1 }
    guard Self.isHostAndPort(start..<end, in: bytes), Self.mayFollowScheme(start..<bytes.count, in: bytes) else {
      return nil
    }
    isEncrypted = scheme == "https://"
    text = Self.written(scheme, start..<end, bytes) ?? address
  }

  static let schemes = ["https://", "http://"]

  /// Returns the scheme that begins at an index, case-insensitively (RFC 3986 §3.1).
  static func scheme(at start: Int, in bytes: Span<UInt8>) -> String? {
    guard start < bytes.count, bytes[start] | 0x20 == UInt8(ascii: "h") else { return nil }
    return schemes.first { scheme in
      let scheme = scheme.utf8.span
      guard start + scheme.count <= bytes.count else { return false }
      for index in scheme.indices where lowercased(bytes[start + index]) != scheme[index] { return false }
      return true
    }
  }

  @inline(__always)
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// Returns whether a part of an address contains only characters allowed after the scheme.
  private static func mayFollowScheme(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\\"): return false
      case 0x21...0x7e: index += 1
      case ..<0x80: return false
      default:
        let (scalar, end) = UTF8Text.scalar(at: index, in: bytes)
        guard mayFollowScheme(scalar) else { return false }
        index = end
      }
    }
    return true
  }

  private static func mayFollowScheme(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isNoncharacterCodePoint && !isInvisible(scalar)
  }

  /// Returns whether the scalar is a control character or has no width. Such scalars could disguise where an address leads.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }

  /// Returns whether an authority is `host`, `host:port` or `[IPv6]:port` (RFC 3986 §3.2, without user information). The host may contain
  /// letters of all scripts.
  private static func isHostAndPort(_ authority: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    var host = authority
    if let colon = authority.last(where: { bytes[$0] == UInt8(ascii: ":") }),
      !(colon..<authority.upperBound).contains(where: { bytes[$0] == UInt8(ascii: "]") })
    {
      let port = colon + 1..<authority.upperBound
      guard port.count <= 5,
        port.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) })
      else { return false }
      host = authority.lowerBound..<colon
    }
    guard let first = host.first else { return false }
    if bytes[first] == UInt8(ascii: "[") {
      return host.count > 2 && bytes[host.upperBound - 1] == UInt8(ascii: "]")
        && host.dropFirst().dropLast().allSatisfy { index in
          bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: ".") || UTF8Text.isHexadecimal(bytes[index])
        }
    }
    return isHostName(host, in: bytes)
  }

  /// Returns whether a host is a name that begins with a letter or digit. It must not be empty.
  private static func isHostName(_ host: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    var index = host.lowerBound
    while index < host.upperBound {
      let byte = bytes[index]
      if byte < 0x80 {
        let isMark = byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        guard UTF8Text.isLetterOrDigit(byte) || isMark && index > host.lowerBound else { return false }
        index += 1
      } else {
        let (scalar, end) = UTF8Text.scalar(at: index, in: bytes)
        guard AddressEnd.isOfWord(scalar) else { return false }
        index = end
      }
    }
    return true
  }

  /// Returns the address with its scheme in lower case, percent-encoding the characters that RFC 3986 §3.3 to §3.5 forbid in a path, query
  /// and fragment.
  /// - Returns: `nil` if the address is already written in this form, as most are.
  private static func written(_ scheme: String, _ authority: Range<Int>, _ bytes: Span<UInt8>) -> String? {
    var written = Array(scheme.utf8)
    for index in authority { written.append(bytes[index]) }
    var isInFragment = false
    for index in authority.upperBound..<bytes.count {
      let byte = bytes[index]
      if isForbidden(byte, at: index, in: bytes, isInFragment: isInFragment) {
        ByteReplacement.appendEncoded(byte, prefix: UInt8(ascii: "%"), uppercase: true, to: &written)
      } else {
        written.append(byte)
      }
      if byte == UInt8(ascii: "#") { isInFragment = true }
    }
    let isSame = written.count == bytes.count && (0..<authority.lowerBound).allSatisfy { written[$0] == bytes[$0] }
    return isSame ? nil : String(decoding: written, as: UTF8.self)
  }

  @inline(__always)
  private static func isForbidden(
    _ byte: UInt8, at index: Int, in bytes: Span<UInt8>, isInFragment: Bool
  ) -> Bool {
    switch byte {
    case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    case UInt8(ascii: "#"): isInFragment
    case UInt8(ascii: "%"):
      index + 2 >= bytes.count || !UTF8Text.isHexadecimal(bytes[index + 1])
        || !UTF8Text.isHexadecimal(bytes[index + 2])
    default: false
    }
  }
}
