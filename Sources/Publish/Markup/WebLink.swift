/// An address that a published page or feed may lead to: `http` or `https`, a host, and nobody's name or password before it.
///
/// Whatever else posts bring (`javascript:`, `data:`, `file:`, paths) is none, and is shown as text.
struct WebLink: Sendable, Hashable {
  /// An IRI (RFC 3987 §2.2): what may not stand in one is percent-encoded. Still to be escaped for the markup it is put into.
  let text: String
  let isEncrypted: Bool

  /// - Returns: `nil` for everything else, also for an address with `user@` before its host: it is there to be misread.
  init?(_ address: String) {
    var rest = Substring(address).unicodeScalars
    guard let scheme = Self.schemes.first(where: { Self.begins(rest, with: $0) }) else { return nil }
    rest = rest.dropFirst(scheme.unicodeScalars.count)
    let authority = rest.prefix { !["/", "?", "#"].contains($0) }
    guard Self.isHostAndPort(authority), rest.allSatisfy(Self.mayFollowHost) else { return nil }
    var written = String.UnicodeScalarView(scheme.unicodeScalars)
    written += authority
    written += Self.encoded(Array(rest[authority.endIndex...]))
    text = String(written)
    isEncrypted = scheme == "https://"
  }

  static let schemes = ["https://", "http://"]

  /// Whether the scalars begin with an ASCII text, letter case left aside (RFC 3986 §3.1).
  static func begins(_ scalars: some Collection<Unicode.Scalar>, with text: String) -> Bool {
    let beginning = scalars.prefix(text.unicodeScalars.count)
    return beginning.count == text.unicodeScalars.count
      && zip(beginning, text.unicodeScalars).allSatisfy { $0.properties.lowercaseMapping == String($1) && $0.isASCII }
  }

  private static func mayFollowHost(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", "\"", "\\": false
    default: !scalar.properties.isWhitespace && !scalar.properties.isNoncharacterCodePoint && !isInvisible(scalar)
    }
  }

  /// Controls, and what is laid out as nothing: an address should lead where it seems to.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }

  /// `host`, `host:port` or `[IPv6]:port` (RFC 3986 §3.2, without user information), letters of all scripts in the host.
  private static func isHostAndPort(_ authority: Substring.UnicodeScalarView) -> Bool {
    var host = authority
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      let port = authority[colon...].dropFirst()
      guard port.count <= 5, port.allSatisfy({ ("0"..."9").contains($0) }) else { return false }
      host = authority[..<colon]
    }
    guard let first = host.first else { return false }
    if first == "[" {
      return host.count > 2 && host.last == "]"
        && host.dropFirst().dropLast().allSatisfy { $0 == ":" || $0 == "." || $0.properties.isASCIIHexDigit }
    }
    return isOfWord(first) && host.allSatisfy { isOfWord($0) || $0 == "-" || $0 == "." || $0 == "_" }
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Path, query and fragment with what RFC 3986 §3.3 to §3.5 leave no place for as percent-encoded bytes.
  private static func encoded(_ scalars: [Unicode.Scalar]) -> String.UnicodeScalarView {
    var encoded = String.UnicodeScalarView()
    var isInFragment = false
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "^", "`", "{", "|", "}", "[", "]": encoded += percent(scalar)
      case "#" where isInFragment: encoded += percent(scalar)
      case "%"
      where !scalars.dropFirst(index + 1).prefix(2).allSatisfy(\.properties.isASCIIHexDigit)
        || index + 2 >= scalars.count:
        encoded += percent(scalar)
      default: encoded.append(scalar)
      }
      if scalar == "#" { isInFragment = true }
    }
    return encoded
  }

  private static func percent(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    String("%" + String(scalar.value, radix: 16, uppercase: true)).unicodeScalars
  }
}
