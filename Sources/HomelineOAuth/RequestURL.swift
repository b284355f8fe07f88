/// An absolute `http` or `https` URL, taken apart by bytes and otherwise left as it stands on the wire.
///
/// Nothing is decoded, encoded or collapsed: the signature covers the path exactly as it is sent, `//`, `..` and lower-case
/// escapes included (RFC 5849 §3.4.1.2). A fragment is dropped, since it is never sent.
public struct RequestURL: Sendable, Hashable {
  /// The longest URL taken, in bytes. Servers stop much earlier; 8,000 is what RFC 9110 §4.1 asks everyone to support.
  public static let byteLimit = 65_536

  /// `http` or `https`, lower-case.
  public let scheme: String
  /// The path as on the wire, `/` when it was empty.
  public let path: String
  /// What follows the `?` as on the wire; nil without a `?`, empty with nothing behind it.
  public let query: String?
  private let written: Authority

  /// Reads an absolute URL.
  ///
  /// - Throws: a ``RequestURLError`` that says what is wrong with it.
  public init(_ text: String) throws(RequestURLError) {
    let bytes = Array(text.utf8)
    try Self.checkBytes(bytes)
    let (scheme, authorityStart) = try Self.scheme(of: bytes)
    let authorityEnd = bytes[authorityStart...].firstIndex(where: Self.endsAuthority) ?? bytes.endIndex
    written = try Authority(bytes[authorityStart..<authorityEnd])
    (path, query) = Self.pathAndQuery(bytes[authorityEnd...])
    self.scheme = scheme
  }

  /// Puts together the URL that a server was asked for: the scheme of its socket, the Host header, and the request target
  /// in origin form (RFC 9112 §3.2.1). The Host header is the authority, not the socket's address (RFC 5849 §3.4.1.2).
  ///
  /// - Throws: a ``RequestURLError`` that says what is wrong with one of them.
  public init(scheme: String, hostHeader: String, target: String) throws(RequestURLError) {
    let host = Array(hostHeader.utf8)
    let rest = Array(target.utf8)
    try Self.checkBytes(host)
    try Self.checkBytes(rest)
    guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme }
    guard rest.first == UInt8(ascii: "/") else { throw .badTarget }
    written = try Authority(host[...])
    (path, query) = Self.pathAndQuery(rest[...])
    self.scheme = scheme
  }

  /// The host, lower-case, an IPv6 address in brackets.
  public var host: String { written.host }

  /// The port as written; nil when none was, or nothing behind the colon.
  public var port: Int? { written.port }

  /// Whether the scheme is `https`.
  public var isHTTPS: Bool { scheme == "https" }

  /// `host[:port]` as the Host header must say it: the port only when it is not the scheme's own.
  public var authority: String {
    ownPort.map { "\(host):\($0)" } ?? host
  }

  /// The port, unless it is the scheme's own.
  var ownPort: Int? {
    guard let port, port != (isHTTPS ? 443 : 80) else { return nil }
    return port
  }

  /// `scheme://host[:port]`, lower-case, without a default port.
  public var origin: String { "\(scheme)://\(authority)" }

  /// The base string URI of RFC 5849 §3.4.1.2: scheme and host lower-case, no default port, no query, no fragment.
  public var baseStringURI: String { origin + path }

  /// The URL to send: as it was given, without a fragment.
  public var text: String {
    let port = port.map { ":\($0)" } ?? ""
    let query = query.map { "?" + $0 } ?? ""
    return "\(scheme)://\(host)\(port)\(path)\(query)"
  }

  /// Whether the host can only be this machine: 127.0.0.0/8 in dotted form, `[::1]`, or `localhost`.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(ASCII.isDigit) && UInt8($0) != nil }
  }

  /// The same request at another authority, as a Host header names it.
  public func at(hostHeader: String) throws(RequestURLError) -> RequestURL {
    try RequestURL(scheme: scheme, hostHeader: hostHeader, target: path + (query.map { "?" + $0 } ?? ""))
  }
}

extension RequestURL: CustomStringConvertible {
  /// The same as ``text``.
  public var description: String { text }
}

extension RequestURL {
  /// Only visible ASCII may stand in a URL (RFC 3986 §2); everything else would be sent differently than it was signed.
  private static func checkBytes(_ bytes: [UInt8]) throws(RequestURLError) {
    guard bytes.count <= byteLimit else { throw .tooLong(bytes: bytes.count, limit: byteLimit) }
    if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      throw .forbiddenByte(bytes[offset], offset: offset)
    }
  }

  /// The scheme, and where the authority begins.
  private static func scheme(of bytes: [UInt8]) throws(RequestURLError) -> (String, Int) {
    for (scheme, beginning) in [("https", "https://"), ("http", "http://")] {
      let count = beginning.utf8.count
      let isIts = bytes.count >= count && zip(bytes, beginning.utf8).allSatisfy { ASCII.lowercased($0) == $1 }
      if isIts { return (scheme, count) }
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
  /// The same URL with parameters behind those that its query has.
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` when they make it so.
  func adding(_ parameters: [OAuth.Parameter]) throws(RequestURLError) -> RequestURL {
    let joint =
      switch query {
      case nil: "?"
      case let query? where query.isEmpty || query.hasSuffix("&"): ""
      default: "&"
      }
    return try RequestURL(text + joint + OAuth.FormEncoding.encode(parameters))
  }
}

/// Why a text is not a URL that can be signed and sent.
public enum RequestURLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Longer than what is taken.
  case tooLong(bytes: Int, limit: Int)
  /// A space, a control byte or a byte outside ASCII: it has to be percent-encoded first.
  case forbiddenByte(UInt8, offset: Int)
  /// Neither `http://` nor `https://` in front.
  case unsupportedScheme
  /// `user:password@` in front of the host; the base string has no place for it (RFC 5849 §3.4.1.2).
  case userInformation
  /// No host between `//` and the path.
  case missingHost
  /// The host has a byte that neither names nor addresses have.
  case badHost
  /// What follows the host's colon is not a number from 1 to 65535.
  case badPort
  /// A request target that does not begin with `/`.
  case badTarget
  /// A parameter that would come twice in an authorisation request (RFC 6749 §3.1).
  case repeatedParameter(String)

  /// What is wrong, as a sentence. The URL itself is left out, since its query may hold a token.
  public var description: String {
    switch self {
    case .tooLong(let bytes, let limit):
      "The URL is \(bytes) bytes long; \(limit) are allowed."
    case .forbiddenByte(let byte, let offset):
      "The URL has the byte 0x\(String(byte, radix: 16, uppercase: true)) at offset \(offset), "
        + "which must be percent-encoded."
    case .unsupportedScheme: "The URL does not begin with http:// or https://."
    case .userInformation: "The URL has a user name or password in front of its host."
    case .missingHost: "The URL has no host."
    case .badHost: "The URL's host is neither a name nor an address."
    case .badPort: "The URL's port is not a number from 1 to 65535."
    case .badTarget: "The request target does not begin with a slash."
    case .repeatedParameter(let name): "The authorisation request would have \(name) twice."
    }
  }
}

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
