import Testing

@testable import JSON

/// The characters that homeline's JSON output escapes although JSON allows them unescaped.
@Suite struct VisibleJSONTests {
  private static let invisible = Array(0x7f...0x9f) + Array(0x2028...0x202e) + Array(0x2066...0x2069)

  private func isInvisible(_ scalar: Unicode.Scalar) -> Bool { Self.invisible.contains(Int(scalar.value)) }

  private func written(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }

  @Test("only control characters and bidirectional controls in JSON are escaped")
  func each() throws {
    let text = String(String.UnicodeScalarView((0x20...0x2fff).compactMap(Unicode.Scalar.init))) + "日本語😀\u{ffff}"
    let json = String(decoding: written(text), as: UTF8.self)
    #expect(!json.unicodeScalars.contains(where: isInvisible))
    for number in Self.invisible {
      let digits = String(number, radix: 16)
      #expect(json.contains("\\u" + String(repeating: "0", count: 4 - digits.count) + digits))
    }
    #expect(json.components(of: "\\u") == Self.invisible.count + 1)
    var cursor = JSONCursor(Array(json.utf8))
    #expect(try cursor.string().unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test("characters that must be escaped are found at every offset, in text of any length")
  func places() throws {
    for character in ["\u{7f}", "\u{85}", "\u{202e}", "\u{2069}"] {
      for length in 0...40 {
        for place in 0...length {
          let plain = String(repeating: "x", count: place), rest = String(repeating: "\u{e2}", count: length - place)
          let text = plain + character + rest
          let json = written(text)
          #expect(!String(decoding: json, as: UTF8.self).unicodeScalars.contains(where: isInvisible))
          var cursor = JSONCursor(json)
          #expect(try cursor.string() == text)
        }
      }
    }
  }

  @Test("escaping JSON from other programs preserves its meaning and changes nothing else")
  func others() throws {
    let raw = Array("{\"a\u{202e}\":\"\u{85}b\\\"\u{7f}\",\"n\":[1.5e3,null,\"“é”\u{c2}\u{a0}\"]}".utf8)
    let escaped = VisibleJSON.escaped(raw)
    #expect(
      String(decoding: escaped, as: UTF8.self)
        == #"{"a\u202e":"\u0085b\"\u007f","n":[1.5e3,null,"“é”"# + "\u{c2}\u{a0}\"]}")
    #expect(VisibleJSON.escaped(escaped) == escaped)
    var document = Array("[".utf8) + raw
    VisibleJSON.escape(&document, from: 1)
    #expect(document == Array("[".utf8) + escaped)
    // A truncated character is not counted as a character.
    for length in 0...raw.count { _ = VisibleJSON.escaped(Array(raw.prefix(length))) }
  }
}

extension String {
  fileprivate func components(of word: String) -> Int { split(separator: word, omittingEmptySubsequences: false).count }
}
