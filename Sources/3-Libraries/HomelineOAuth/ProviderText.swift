internal import OAuthValues

/// Cleans a provider's text for display in a terminal, a log or a page. Every message that quotes a response must use it.
package enum ProviderText {
  /// The maximum number of characters.
  static let limit = 300

  /// The maximum length of a secret in bytes.
  private static let longestSecret = 4_096

  /// The maximum number of bytes to examine. It allows 16 bytes for each character, which is more than enough.
  private static let byteLimit = 16 * limit + longestSecret

  /// Converts bytes to a single line of text. Decodes HTML character references, collapses whitespace, and removes control characters,
  /// which could control a terminal. Invalid UTF-8 becomes U+FFFD. Text that is too long is truncated and ends in `…`.
  ///
  /// - Parameter hiding: the secrets to remove, because a server's message may repeat secrets from the request. There is no default, so
  ///   that no caller can forget them; pass ``OAuth/Redaction/nothing`` if there are no secrets.
  package static func cleaned(_ bytes: some Collection<UInt8>, hiding: OAuth.Redaction) -> String {
    let isLonger = bytes.dropFirst(byteLimit).first != nil
    // Cut the bytes first, so that a large page is not decoded only to show 300 characters.
    let text = String(decoding: Array(bytes.prefix(byteLimit)), as: UTF8.self)
    // Look for secrets both before and after decoding, because a secret may be escaped or may look like an escape.
    let isEscaped = text.utf8.contains(UInt8(ascii: "&"))
    var line = line(of: isEscaped ? CharacterReferences.decoded(hiding.applied(to: text)) : text)
    // A truncated secret would not be found. If the cut may be visible, remove the truncated word.
    if isLonger, line.count <= limit + longestSecret {
      while let last = line.last, last.isASCII, last != " " { line.removeLast() }
    }
    // Look for secrets before shortening, because a truncated secret would not be found.
    let shown = hiding.applied(to: line)
    return isLonger || shown.dropFirst(limit).first != nil ? shown.prefix(limit) + "…" : shown
  }

  private static func line(of text: String) -> String {
    var line = ""
    var needsBlank = false
    for character in text {
      if character.isWhitespace {
        needsBlank = !line.isEmpty
        continue
      }
      let scalars = character.unicodeScalars.filter { !isControl($0) }
      if scalars.isEmpty { continue }
      if needsBlank { line.append(" ") }
      needsBlank = false
      line.unicodeScalars.append(contentsOf: scalars)
    }
    return line
  }

  /// Returns whether a scalar is a control character, or an invisible mark that changes the writing direction or hides text.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
