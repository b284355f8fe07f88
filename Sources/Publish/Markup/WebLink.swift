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

/// Finds web addresses in the middle of a text.
enum AddressFinder {
  /// Where an address ends that begins at a place; `nil` where none does.
  static func end(ofAddressFrom start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    // Most letters of a text begin none: the first one tells.
    guard scalars[start] == "h" || scalars[start] == "H",
      let scheme = WebLink.schemes.first(where: { WebLink.begins(scalars[start...], with: $0) }),
      start == 0 || !isASCIIWord(scalars[start - 1])
    else { return nil }
    let minimum = start + scheme.unicodeScalars.count
    let whole = scalars[minimum...].prefix(while: AddressEnd.continues)
    let address = AddressEnd.withoutSentence(whole)
    return address.isEmpty ? nil : address.endIndex
  }

  private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
  }
}

/// Where a web address ends inside a sentence, which no standard says.
enum AddressEnd {
  /// Whether the address goes on with this scalar.
  ///
  /// Letters of other alphabets belong to it, as people paste `/wiki/München`. Those of Chinese, Japanese and Korean do not: there
  /// the sentence goes on without a space, so that an address with such letters in it needs percent-encoding to be found whole.
  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", "\"", "\\", "`", "{", "}", "|", "^": return false
    default: break
    }
    if scalar.isASCII { return scalar.value > 0x20 && scalar.value != 0x7f }
    switch scalar.value {
    case 0x1100...0x11ff, 0x2e80...0xd7ff, 0xf900...0xfaff, 0xfe30...0xfe4f, 0xff00...0xffef, 0x20000...0x3ffff:
      return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  /// The address without what is rather the sentence's: punctuation at its end, and closing brackets that nothing in it opened.
  static func withoutSentence(_ address: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    // Counted once: an address of nothing but brackets costs no more than another.
    var surplus: [Unicode.Scalar: Int] = [
      ")": address.count { $0 == ")" } - address.count { $0 == "(" },
      "]": address.count { $0 == "]" } - address.count { $0 == "[" },
    ]
    var rest = address
    while let last = rest.last {
      switch last {
      case ".", ",", ";", ":", "!", "?", "'", "*": break
      case ")", "]":
        guard surplus[last, default: 0] > 0 else { return rest }
        surplus[last, default: 0] -= 1
      default: return rest
      }
      rest.removeLast()
    }
    return rest
  }
}
