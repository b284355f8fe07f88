/// The target of a request, in one of the four forms defined in RFC 9112 §3.2. Percent-encoding is never decoded.
package struct RequestTarget: Equatable, Sendable {
  /// The form of the target.
  package enum Form: Equatable, Sendable {
    /// `/where?q=now` (§3.2.1).
    case origin
    /// `http://www.example.org/pub/WWW/` (§3.2.2). The authority replaces the `Host` field.
    case absolute(scheme: String, authority: Authority)
    /// `www.example.com:80`, only for CONNECT (§3.2.3).
    case authority(Authority)
    /// `*`, only for OPTIONS (§3.2.4).
    case asterisk
  }

  package let form: Form
  /// The target exactly as sent.
  package let raw: String
  /// The path, not decoded. The path is `/` for an absolute form without a path, and empty for the authority and asterisk forms.
  package let path: String
  /// The part after the first `?`, not decoded; nil without a `?`.
  package let query: String?

  /// Returns nil if `raw` has none of the forms, or a form that `method` does not allow.
  ///
  /// Paths and queries may contain any visible ASCII character except `#`: browsers send some characters unescaped that RFC 3986 requires
  /// to be escaped (`|`, `^`, `{`, `}`).
  package init?(_ raw: some StringProtocol, of method: RequestMethod = .get) {
    let raw = String(raw)
    guard !raw.isEmpty, raw.allBytes({ $0.isVisible && $0 != UInt8(ascii: "#") }) else { return nil }
    self.raw = raw
    if method == .connect {
      guard let authority = Authority(raw), authority.port != nil, !authority.host.isEmpty else { return nil }
      form = .authority(authority)
      (path, query) = ("", nil)
    } else if raw.utf8.first == UInt8(ascii: "/") {
      form = .origin
      (path, query) = Self.split(raw[...])
    } else if raw == "*" {
      guard method == .options else { return nil }
      form = .asterisk
      (path, query) = ("", nil)
    } else {
      guard let (scheme, authority, rest) = Self.absolute(raw[...]) else { return nil }
      form = .absolute(scheme: scheme, authority: authority)
      let parts = Self.split(rest)
      (path, query) = (parts.path.isEmpty ? "/" : parts.path, parts.query)
    }
  }

  /// Parses an `absolute-URI` with an authority (RFC 3986 §4.3). Returns the scheme in lower case.
  private static func absolute<Text: StringProtocol>(
    _ text: Text
  ) -> (scheme: String, authority: Authority, rest: Text.SubSequence)? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text[..<colon]
    guard scheme.utf8.first?.isLetter == true,
      scheme.utf8.allSatisfy({
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      })
    else { return nil }
    let afterColon = text[text.utf8.index(after: colon)...]
    guard afterColon.utf8.starts(with: "//".utf8) else { return nil }
    let hierarchy = afterColon.dropFirst(2)
    let end =
      hierarchy.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? hierarchy.endIndex
    guard let authority = Authority(hierarchy[..<end]), !authority.host.isEmpty else { return nil }
    return (scheme.lowercased(), authority, text[end...])
  }

  private static func split(_ text: some StringProtocol) -> (path: String, query: String?) {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(text), nil) }
    return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
  }
}

extension RequestTarget: CustomStringConvertible {
  /// The description contains only the path, because a query may contain a verifier or a code, which must not appear in a log.
  package var description: String {
    switch form {
    case .origin, .absolute: path
    case .authority, .asterisk: raw
    }
  }
}
