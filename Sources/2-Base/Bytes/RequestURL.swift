/// An absolute `http` or `https` URL, split into its parts.
///
/// The path and the query are not decoded, encoded or normalised, because the signature covers the path exactly as sent, including `//`,
/// `..` and lower-case escapes (RFC 5849 §3.4.1.2). A fragment is removed, because it is never sent.
public struct RequestURL: Sendable, Hashable {
  /// The maximum length of a URL in bytes. Most servers accept fewer; RFC 9110 §4.1 recommends supporting 8,000.
  public static let byteLimit = 65_536

  /// The scheme in lower case: `http` or `https`.
  public let scheme: String
  /// The path as sent; `/` if the URL has none.
  public let path: String
  /// The part after the `?` as sent; nil without a `?`, empty if nothing follows it.
  public let query: String?
  private let parsedAuthority: URLAuthority

  /// Parses an absolute URL.
  ///
  /// - Throws: ``RequestURLError``.
  public init(_ text: String) throws(RequestURLError) {
    let bytes = Array(text.utf8)
    try Self.checkCharacters(text)
    let (scheme, authorityStart) = try Self.scheme(of: bytes)
    let authorityEnd = bytes[authorityStart...].firstIndex(where: Self.endsAuthority) ?? bytes.endIndex
    parsedAuthority = try URLAuthority(bytes[authorityStart..<authorityEnd])
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
    try Self.checkCharacters(hostHeader)
    try Self.checkCharacters(target)
    guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme }
    guard rest.first == UInt8(ascii: "/") else { throw .badTarget }
    parsedAuthority = try URLAuthority(host[...])
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
  package var nonDefaultPort: Int? {
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
}

extension RequestURL: CustomStringConvertible {
  /// The value of ``text``.
  public var description: String { text }
}

extension RequestURL {
  /// Checks that a URL contains only visible ASCII (RFC 3986 §2). Other characters might not be sent in the form that was signed.
  private static func checkCharacters(_ text: String) throws(RequestURLError) {
    guard text.utf8.count <= byteLimit else { throw .tooLong(bytes: text.utf8.count, limit: byteLimit) }
    if text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return }
    for scalar in text.unicodeScalars where scalar.value <= 0x20 || scalar.value >= 0x7F {
      throw .forbiddenCharacter(scalar)
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
