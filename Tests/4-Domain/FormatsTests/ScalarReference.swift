import HTTP

@testable import Formats

/// Straightforward versions of the functions that scan text by its bytes. They walk the Unicode scalars of a text. ``BytePathTests`` compares
/// the results of both.
enum ScalarReference {
  /// Returns the text cleaned by `SafeText` without its shortcut for safe texts: the DEL at the beginning is always removed.
  static func lines(of text: String) -> [String] {
    let safe = SafeText.lines(of: "\u{7f}" + text).joined(separator: "\n")
    return safe.isEmpty ? [] : safe.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      case "'": escaped += "&#39;".unicodeScalars
      case _ where !isAllowed(scalar): continue
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Returns whether XML allows the scalar (XML 1.0 §2.2).
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d: true
    case ..<0x20, 0xfffe, 0xffff: false
    default: true
    }
  }

  static func shortLine(_ text: String, characters: Int) -> String {
    let scalars = lines(of: text).joined(separator: " ").unicodeScalars.filter(isAllowed)
    let line = String(scalars).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isLonger = line.dropFirst(characters).first != nil
    let short = line.prefix(isLonger ? characters - 1 : characters).map { character in
      String(String.UnicodeScalarView(character.unicodeScalars.prefix(16)))
    }
    return short.joined() + (isLonger ? "…" : "")
  }

  static func html(of text: String) -> String { lines(of: text).map(line).joined(separator: "<br>") }

  private static func line(_ line: String) -> String {
    let scalars = Array(line.unicodeScalars)
    var html = ""
    var plainStart = 0
    var index = 0
    while index < scalars.count {
      guard let end = ScalarAddress.end(ofAddressFrom: index, in: scalars) else {
        index += 1
        continue
      }
      let address = text(scalars[index..<end])
      if let link = ScalarAddress(address)?.link {
        html += escaped(text(scalars[plainStart..<index])) + LinkedText.anchor(to: link, address).text
        plainStart = end
      }
      index = end
    }
    return html + escaped(text(scalars[plainStart...]))
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

/// The straightforward version of `WebLink` and `AddressFinder`.
struct ScalarAddress {
  let text: String
  /// The same address as `WebLink`, which is only compared.
  var link: WebLink { WebLink(text)! }

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
  }

  private static let schemes = ["https://", "http://"]

  /// Returns whether the scalars begin with an ASCII string, case-insensitively (RFC 3986 §3.1).
  private static func begins(_ scalars: some Collection<Unicode.Scalar>, with text: String) -> Bool {
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

  /// Returns whether the scalar is a control character or has no width. Such scalars could disguise the destination of
  /// an address.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }

  /// Returns whether an authority is `host`, `host:port` or `[IPv6]:port` (RFC 3986 §3.2, without user information). The host may contain
  /// letters of all scripts.
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

  /// Returns the path, query and fragment, with the characters that RFC 3986 §3.3 to §3.5 forbid percent-encoded.
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

  /// Returns the end of the address that begins at an index; `nil` if none begins there.
  static func end(ofAddressFrom start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    // The first letter rules out most positions quickly.
    guard scalars[start] == "h" || scalars[start] == "H",
      let scheme = schemes.first(where: { begins(scalars[start...], with: $0) }),
      start == 0 || !isASCIIWord(scalars[start - 1])
    else { return nil }
    let minimum = start + scheme.unicodeScalars.count
    let whole = scalars[minimum...].prefix(while: continues)
    let address = withoutPunctuation(whole)
    return address.isEmpty ? nil : address.endIndex
  }

  private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
  }

  /// Returns whether the scalar belongs to the address.
  ///
  /// Letters of other alphabets belong to the address, because people paste `/wiki/München`. Chinese, Japanese and Korean letters do not,
  /// because a sentence in these scripts continues without a space. An address with such letters is found in full only if they are
  /// percent-encoded.
  private static func continues(_ scalar: Unicode.Scalar) -> Bool {
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

  /// Returns the address without trailing punctuation and unbalanced closing brackets, which belong to the sentence.
  private static func withoutPunctuation(_ address: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    // Brackets are counted once, so that an address of only brackets takes linear time.
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
