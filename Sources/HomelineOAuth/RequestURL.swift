/// An absolute `http` or `https` URL, split into its parts.
///
/// The path and the query are not decoded, encoded or normalised, because the signature covers the path exactly as sent, including `//`,
/// `..` and lower-case escapes (RFC 5849 §3.4.1.2). A fragment is removed, because it is never sent.
public struct RequestURL: Sendable, Hashable {
  /// The maximum length of a URL in bytes. Servers usually accept less; RFC 9110 §4.1 recommends supporting 8,000.
  public static let byteLimit = 65_536

  /// The scheme in lower case: `http` or `https`.
  public let scheme: String
  /// The path as sent; `/` if the URL has none.
  public let path: String
  /// The part after the `?` as sent; nil without a `?`, empty if nothing follows it.
  public let query: String?
  private let parsedAuthority: Authority

  /// Parses an absolute URL.
  ///
  /// - Throws: ``RequestURLError``.
  public init(_ text: String) throws(RequestURLError) {
    let bytes = Array(text.utf8)
    try Self.checkBytes(bytes)
    let (scheme, authorityStart) = try Self.scheme(of: bytes)
    let authorityEnd = bytes[authorityStart...].firstIndex(where: Self.endsAuthority) ?? bytes.endIndex
    parsedAuthority = try Authority(bytes[authorityStart..<authorityEnd])
    (path, query) = Self.pathAndQuery(bytes[authorityEnd...])
    self.scheme = scheme
  }

  /// Creates the URL of a received request, from the scheme of the socket, the Host header and the request target in origin form (RFC 9112
  /// §3.2.1). The Host header determines the authority, not the socket's address (RFC 5849 §3.4.1.2).
  ///
  /// - Throws: ``RequestURLError``.
  public init(scheme: String, hostHeader: String, target: String) throws(RequestURLError) {
    let host = Array(hostHeader.utf8)
    let rest = Array(target.utf8)
    try Self.checkBytes(host)
    try Self.checkBytes(rest)
    guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme }
    guard rest.first == UInt8(ascii: "/") else { throw .badTarget }
    parsedAuthority = try Authority(host[...])
    (path, query) = Self.pathAndQuery(rest[...])
    self.scheme = scheme
  }

  /// The host in lower case, with brackets around an IPv6 address.
  public var host: String { parsedAuthority.host }

  /// The port as written; nil if it is missing or empty.
  public var port: Int? { parsedAuthority.port }

  /// Whether the scheme is `https`.
  public var isHTTPS: Bool { scheme == "https" }

  /// The value of the Host header: `host[:port]`, without the scheme's default port.
  public var authority: String {
    nonDefaultPort.map { "\(host):\($0)" } ?? host
  }

  /// The port; nil if it is the scheme's default.
  var nonDefaultPort: Int? {
    guard let port, port != (isHTTPS ? 443 : 80) else { return nil }
    return port
  }

  /// The origin `scheme://host[:port]` in lower case, without a default port.
  public var origin: String { "\(scheme)://\(authority)" }

  /// The base string URI defined in RFC 5849 §3.4.1.2: scheme and host in lower case, no default port, no query, no fragment.
  public var baseStringURI: String { origin + path }

  /// The URL to send: the original URL without its fragment, and with the scheme and host in lower case.
  public var text: String {
    let port = port.map { ":\($0)" } ?? ""
    let query = query.map { "?" + $0 } ?? ""
    return "\(scheme)://\(host)\(port)\(path)\(query)"
  }

  /// Whether the host is this machine: 127.0.0.0/8 in dotted form, `[::1]` or `localhost`.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(ASCII.isDigit) && UInt8($0) != nil }
  }

  /// Returns the same URL with the authority from another Host header.
  public func at(hostHeader: String) throws(RequestURLError) -> RequestURL {
    try RequestURL(scheme: scheme, hostHeader: hostHeader, target: path + (query.map { "?" + $0 } ?? ""))
  }
}

extension RequestURL: CustomStringConvertible {
  /// The value of ``text``.
  public var description: String { text }
}

extension RequestURL {
  /// Checks that a URL contains only visible ASCII (RFC 3986 §2). Other bytes might not be sent in the form in which they were signed.
  private static func checkBytes(_ bytes: [UInt8]) throws(RequestURLError) {
    guard bytes.count <= byteLimit else { throw .tooLong(bytes: bytes.count, limit: byteLimit) }
    if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      throw .forbiddenByte(bytes[offset], offset: offset)
    }
  }

  /// Parses the scheme and returns it with the offset of the authority.
  private static func scheme(of bytes: [UInt8]) throws(RequestURLError) -> (String, Int) {
    for (scheme, prefix) in [("https", "https://"), ("http", "http://")] {
      let count = prefix.utf8.count
      let matches = bytes.count >= count && zip(bytes, prefix.utf8).allSatisfy { ASCII.lowercased($0) == $1 }
      if matches { return (scheme, count) }
    }
    throw .unsupportedScheme
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> (String, String?) {
    let sent = bytes.prefix { $0 != UInt8(ascii: "#") }
    let path = sent.prefix { $0 != UInt8(ascii: "?") }
    let query = path.endIndex < sent.endIndex ? sent[(path.endIndex + 1)...] : nil
    return (
      path.isEmpty ? "/" : String(decoding: path, as: UTF8.self), query.map { String(decoding: $0, as: UTF8.self) }
    )
  }
}

extension RequestURL {
  /// Returns the URL with parameters appended to its query.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` if the URL becomes too long.
  func adding(_ parameters: [OAuth.Parameter]) throws(RequestURLError) -> RequestURL {
    let separator =
      switch query {
      case nil: "?"
      case let query? where query.isEmpty || query.hasSuffix("&"): ""
      default: "&"
      }
    return try RequestURL(text + separator + OAuth.FormEncoding.encode(parameters))
  }
}

/// An error found while parsing a URL.
public enum RequestURLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The URL is longer than the limit.
  case tooLong(bytes: Int, limit: Int)
  /// The URL contains a space, a control character or a byte outside ASCII. Such a byte must be percent-encoded.
  case forbiddenByte(UInt8, offset: Int)
  /// The URL does not begin with `http://` or `https://`.
  case unsupportedScheme
  /// The URL contains `user:password@`, which the base string cannot express (RFC 5849 §3.4.1.2).
  case userInformation
  /// The host is empty.
  case missingHost
  /// The host contains a byte that is not allowed in host names and addresses.
  case badHost
  /// The port is not a number from 1 to 65535.
  case badPort
  /// The request target does not begin with `/`.
  case badTarget
  /// An authorisation request would contain a parameter more than once (RFC 6749 §3.1).
  case duplicateParameter(String)

  /// Describes the error in a sentence. The sentence does not contain the URL, because its query may contain a token.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit):
      "The URL is \(bytes) bytes long; the limit is \(limit)."
    case .forbiddenByte(let byte, let offset):
      "The URL contains the byte 0x\(String(byte, radix: 16, uppercase: true)) at offset \(offset), "
        + "which must be percent-encoded."
    case .unsupportedScheme: "The URL does not begin with http:// or https://."
    case .userInformation: "The URL contains a user name or password before its host."
    case .missingHost: "The URL has no host."
    case .badHost: "The URL's host contains a character that is not allowed."
    case .badPort: "The URL's port is not a number from 1 to 65535."
    case .badTarget: "The request target does not begin with a slash."
    case .duplicateParameter(let name): "The authorisation request would contain \(name) more than once."
    }
  }
}

/// The host and port of a URL or of a Host header (RFC 3986 §3.2, RFC 9110 §7.2).
struct Authority: Sendable, Hashable {
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
