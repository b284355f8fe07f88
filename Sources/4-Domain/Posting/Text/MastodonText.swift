/// The text that Mastodon counts: each address has the same length, and mentions have no host.
enum MastodonText {
  /// Returns the number of characters in a post.
  /// - Parameters:
  ///   - warning: precedes the text, and is counted as it is.
  ///   - addressLength: the number of characters that each address counts as.
  static func length(of text: String, after warning: String, addressLength: UInt16) -> Int {
    let shortened = shortened(text)
    // The letter in place of an address counts as one character, or joins a combining character after it, like the last of many letters
    // would.
    return (warning + shortened.text).count + shortened.addresses * (Int(addressLength) - 1)
  }

  /// Returns the text with one letter in place of each http(s) address, and `@user` in place of each `@user@host`, and the number of
  /// addresses.
  ///
  /// An address extends to the next whitespace. The server also ends an address before an unbalanced closing parenthesis.
  private static func shortened(_ text: String) -> (text: String, addresses: Int) {
    let scalars = Array(text.unicodeScalars)
    let links = LinkScanner(scalars)
    var shortened = String.UnicodeScalarView()
    var addresses = 0
    var index = 0
    while index < scalars.count {
      if let end = addressEnd(links, at: index) {
        shortened.append("x")
        addresses += 1
        index = end
      } else if let mention = mention(in: scalars, at: index) {
        shortened += scalars[index..<mention.nameEnd]
        index = mention.end
      } else {
        shortened.append(scalars[index])
        index += 1
      }
    }
    return (String(shortened), addresses)
  }

  private static func addressEnd(_ links: LinkScanner, at start: Int) -> Int? {
    guard start == 0 || LinkScanner.mayPrecede(links.scalars[start - 1]),
      let schemeEnd = links.schemeEnd(at: start), let domainEnd = links.domain(at: schemeEnd)?.upperBound
    else { return nil }
    let scalars = links.scalars
    let portEnd = links.portEnd(at: domainEnd)
    guard portEnd < scalars.count, scalars[portEnd] == "/" || scalars[portEnd] == "?" else { return portEnd }
    var end = portEnd
    while end < scalars.count, !scalars[end].properties.isWhitespace, scalars[end] != "<", scalars[end] != ">" {
      end += 1
    }
    while end > portEnd, cannotEndAddress(scalars[end - 1]) { end -= 1 }
    return end
  }

  private static func cannotEndAddress(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "?", "!", "*", "\"", "'", "「", "」", ";", ":", ",", ".", "$", "%", "[", "]", "~", "&", "|", "@": true
    default: false
    }
  }

  private static func mention(in scalars: [Unicode.Scalar], at start: Int) -> (nameEnd: Int, end: Int)? {
    guard scalars[start] == "@" else { return nil }
    if start > 0, isWord(scalars[start - 1]) || scalars[start - 1] == "=" || scalars[start - 1] == "/" { return nil }
    guard let nameEnd = end(in: scalars, from: start + 1, part: isName) else { return nil }
    let at = nameEnd
    guard at < scalars.count, scalars[at] == "@", let hostEnd = end(in: scalars, from: at + 1, part: isWord),
      hostEnd > at + 2
    else { return (nameEnd, nameEnd) }
    return (nameEnd, hostEnd)
  }

  /// Returns the end of a run of characters. Dots and hyphens may occur inside the run, but not at its ends. Returns nil if the
  /// run is empty.
  private static func end(in scalars: [Unicode.Scalar], from start: Int, part: (Unicode.Scalar) -> Bool) -> Int? {
    var last: Int?
    var index = start
    while index < scalars.count {
      if part(scalars[index]) { last = index + 1 } else if scalars[index] != ".", scalars[index] != "-" { break }
      index += 1
    }
    return last
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .connectorPunctuation:
      true
    default: false
    }
  }
}
