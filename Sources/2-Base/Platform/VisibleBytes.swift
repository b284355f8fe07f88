/// Names and values from the system, whose bytes need not be UTF-8.
package enum VisibleBytes {
  /// Returns the bytes as text. Each byte that is not part of a character is written as `\xF6`, so that the name can be found again.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var rest = Array(bytes)[...]
    var text = ""
    while let first = rest.first {
      // A character has at most four bytes (RFC 3629 §3).
      let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
      if let character, rest.count >= character.utf8.count {
        text += character
        rest = rest.dropFirst(character.utf8.count)
      } else {
        text += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16, uppercase: true)
        rest = rest.dropFirst()
      }
    }
    return text
  }
}
