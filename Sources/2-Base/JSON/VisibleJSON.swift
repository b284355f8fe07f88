/// JSON without invisible characters, which terminals, editors and web pages interpret instead of displaying: control characters (U+007F to
/// U+009F), line and paragraph separators, and the bidirectional embeddings, overrides and isolates (U+2028 to U+202E, U+2066 to U+2069).
///
/// These characters are written as `\uXXXX`, which means the same to every reader. `JSONWriter` writes strings in this form; this type is
/// for JSON that other programs or earlier versions wrote.
package enum VisibleJSON {
  /// Returns a document with all invisible characters escaped.
  /// - Parameter json: valid JSON, where invisible characters can occur only in strings.
  package static func escaped(_ json: [UInt8]) -> [UInt8] {
    var escaped: [UInt8]?
    unsafe json.withUnsafeBytes { bytes in
      var scanner = unsafe JSONScanner(bytes, at: 0)
      scanner.skipVisible()
      // Most documents need no escaping and are not copied.
      if scanner.offset == scanner.count { return }
      var copy: [UInt8] = []
      copy.reserveCapacity(json.count + json.count / 4)
      unsafe append(bytes, to: &copy)
      escaped = copy
    }
    return escaped ?? json
  }

  /// Escapes the invisible characters in the appended part of a document.
  /// - Parameter start: the offset of the appended part.
  package static func escape(_ json: inout [UInt8], from start: Int) {
    let isVisible = unsafe json.withUnsafeBytes { bytes in
      var scanner = unsafe JSONScanner(bytes, at: start)
      scanner.skipVisible()
      return scanner.offset == scanner.count
    }
    if isVisible { return }
    let added = escaped(Array(json[start...]))
    json.removeSubrange(start...)
    json += added
  }

  /// Appends bytes with the invisible characters replaced by escape sequences (RFC 8259 §7).
  @unsafe static func append(_ bytes: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    var scanner = unsafe JSONScanner(bytes, at: 0)
    while true {
      let start = scanner.offset
      scanner.skipVisible()
      unsafe json.append(contentsOf: scanner.view(start..<scanner.offset))
      if scanner.offset == scanner.count { return }
      appendEscape(of: scanner.takeInvisible(), to: &json)
    }
  }

  /// Appends `\u` and four hexadecimal digits.
  static func appendEscape(of unit: UInt16, to json: inout [UInt8]) {
    json += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15
      json.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
