/// The host and port of a URL or of a Host header (RFC 3986 §3.2, RFC 9110 §7.2).
struct Authority: Sendable, Hashable {
  /// Lower-case; an IPv6 address in its brackets.
  let host: String
  /// As written, nil when there was none or nothing behind the colon.
  let port: Int?

  init(_ bytes: ArraySlice<UInt8>) throws(RequestURLError) {
    if bytes.contains(UInt8(ascii: "@")) { throw .userInformation }
    let hostEnd = try Self.hostEnd(in: bytes)
    if hostEnd == bytes.startIndex { throw .missingHost }
    host = String(decoding: bytes[..<hostEnd].map { ASCII.lowercased($0) }, as: UTF8.self)
    port = try Self.port(bytes[hostEnd...])
  }

  /// Where the host ends, after a check of each of its bytes.
  private static func hostEnd(in bytes: ArraySlice<UInt8>) throws(RequestURLError) -> Int {
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
      let address = bytes[(bytes.startIndex + 1)..<close]
      let colons = address.count { $0 == UInt8(ascii: ":") }
      guard (2...7).contains(colons), address.allSatisfy(isInIPv6Address) else { throw .badHost }
      return close + 1
    }
    let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard bytes[..<end].allSatisfy(isInHostName) else { throw .badHost }
    return end
  }

  /// The number behind the colon. An empty one means the scheme's default (RFC 3986 §3.2.3).
  private static func port(_ bytes: ArraySlice<UInt8>) throws(RequestURLError) -> Int? {
    guard let colon = bytes.first else { return nil }
    guard colon == UInt8(ascii: ":") else { throw .badHost }
    let digits = bytes.dropFirst()
    if digits.isEmpty { return nil }
    guard digits.count <= 5, digits.allSatisfy(ASCII.isDigit) else { throw .badPort }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard (1...65535).contains(value) else { throw .badPort }
    return value
  }

  private static func isInHostName(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }

  private static func isInIPv6Address(_ byte: UInt8) -> Bool {
    ASCII.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }
}
