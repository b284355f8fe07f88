/// The host and port of a URL that this program sends requests to (RFC 3986 §3.2). It is stricter than the grammar; `Authority` in the HTTP
/// target parses received requests.
struct URLAuthority: Sendable, Hashable {
  /// The host in lower case, with brackets around an IPv6 address.
  let host: String
  /// The port as written; nil if it is missing or empty.
  let port: Int?

  init(_ bytes: ArraySlice<UInt8>) throws(RequestURLError) {
    if bytes.contains(UInt8(ascii: "@")) { throw .userInformation }
    let hostEnd = try Self.hostEnd(in: bytes)
    if hostEnd == bytes.startIndex { throw .missingHost }
    host = String(decoding: bytes[..<hostEnd].map { ASCII.lowercased($0) }, as: UTF8.self)
    port = try Self.port(bytes[hostEnd...])
  }

  /// Checks the host and returns its end.
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

  /// Parses the port after the colon. An empty port means the scheme's default (RFC 3986 §3.2.3).
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
