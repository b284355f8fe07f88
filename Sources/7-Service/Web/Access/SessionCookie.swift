internal import HTTP

/// The cookie that contains a session's secret (RFC 6265bis).
enum SessionCookie {
  /// The number of seconds that browsers keep the cookie: 30 days.
  static let seconds = 30 * 86_400

  /// Returns the values of a request's cookies with the origin's name. Other ports of this host may have set some of them, for paths that
  /// browsers send first. All are tried, so that they cannot hide the session's; the size of the header section limits their number.
  static func secrets(in headers: HeaderFields, at origin: ServedOrigin) -> [String] {
    var found: [String] = []
    for field in headers.all("Cookie") {
      for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
        let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { continue }
        let name = Substring(parts[0]).drop { $0 == " " }
        if name == origin.cookieName { found.append(String(Substring(parts[1]))) }
      }
    }
    return found
  }

  /// Returns the value of a `Set-Cookie` field.
  /// - Parameter secret: hexadecimal digits.
  static func setting(_ secret: String, at origin: ServedOrigin) -> FieldValue { field(secret, seconds, origin) }

  /// Returns the value of a `Set-Cookie` field that removes the cookie.
  static func removing(at origin: ServedOrigin) -> FieldValue { field("", 0, origin) }

  private static func field(_ secret: String, _ seconds: Int, _ origin: ServedOrigin) -> FieldValue {
    let secure = origin.isLoopback ? "" : "; Secure"
    let text = "\(origin.cookieName)=\(secret); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(secure)"
    guard let value = FieldValue(text) else { preconditionFailure("hexadecimal digits contain no control character") }
    return value
  }
}
