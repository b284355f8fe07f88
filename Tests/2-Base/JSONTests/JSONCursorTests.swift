import Testing

@testable import JSON

@Suite struct JSONCursorTests {
  private func cursor(_ text: String) -> JSONCursor { JSONCursor(Array(text.utf8)) }

  @Test("the requested members of an object are read by name, and all other members are skipped")
  func members() throws {
    var cursor = cursor(#" { "skip": [1, {"a": "}"}, null], "id_str": "42", "n": -7, "yes": true, "none": null } "#)
    var seen: [String] = []
    try cursor.members { cursor, name in
      switch name {
      case "id_str": seen.append(try cursor.string())
      case "n": seen.append(String(try cursor.integer(in: -100...100)))
      case "yes": seen.append(String(try cursor.boolean()))
      case "none": seen.append(String(describing: try cursor.stringOrNull()))
      default: try cursor.skip()
      }
    }
    try cursor.end()
    #expect(seen == ["42", "-7", "true", "nil"])
  }

  @Test(
    "escapes in strings are decoded, and a lone surrogate becomes U+FFFD",
    arguments: [
      (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u3042""#, "éあ"), (#""\ud83d\ude00!""#, "😀!"),
      (#""\ud83d""#, "\u{fffd}"), (#""\ud83dx""#, "\u{fffd}x"), (#""\ude00""#, "\u{fffd}"),
      (#""\ud83d\u0041""#, "\u{fffd}A"), (#""a\u0000b""#, "a\0b"), (#""""#, ""), (#""plain あ""#, "plain あ"),
    ])
  func strings(text: String, expected: String) throws {
    var reading = cursor(text)
    #expect(try reading.string() == expected)
    var skipping = cursor(text)
    #expect(try skipping.skip() == 0..<text.utf8.count)
  }

  @Test("invalid UTF-8 in a JSON string is repaired")
  func invalidUTF8() throws {
    var cursor = JSONCursor([0x22, 0x61, 0xff, 0x62, 0x22])
    #expect(try cursor.string() == "a\u{fffd}b")
  }

  @Test("a JSON number keeps all its digits")
  func numbers() throws {
    let digits = "1850000000025165849"
    var small = cursor(digits)
    #expect(try small.numberText() == digits)
    let huge = String(repeating: "9", count: 400)
    var text = cursor(huge)
    #expect(try text.numberText() == huge)
    var number = cursor(huge)
    #expect(throws: JSONError.self) { try number.integer(in: Int64.min...Int64.max) }
    var fraction = cursor("-0.5e+10")
    #expect(try fraction.numberText() == "-0.5e+10")
  }

  @Test("a JSON number outside the reader's range is an error that names the range, or nothing")
  func ranges() throws {
    for (text, isInRange) in [
      ("0", true), ("65535", true), ("-1", false), ("65536", false), ("9223372036854775808", false),
    ] {
      var strict = cursor(text)
      var lenient = cursor(text)
      #expect(try lenient.number().integer(in: 0...UInt16.max) == (isInRange ? UInt16(text) : nil))
      guard !isInRange else {
        #expect(try strict.integer(in: 0...UInt16.max) == UInt16(text))
        continue
      }
      let error = #expect(throws: JSONError.self) { try strict.integer(in: 0...UInt16.max) }
      #expect(error?.description == "line 1, column 1: expected a whole number from 0 to 65535")
    }
  }

  @Test("a number in a string consists of digits, with an optional minus sign")
  func numbersInStrings() {
    let all = Int64.min...Int64.max
    for (text, value) in [("12", 12), ("-7", -7), ("007", 7)] as [(String, Int64)] {
      #expect(JSONNumber(text: text).integer(in: all) == value)
    }
    for text in ["", "-", "+1", "1.0", "1e3", " 1", "１", "9223372036854775808"] {
      #expect(JSONNumber(text: text).integer(in: all) == nil, "\(text)")
    }
  }

  @Test(
    "invalid JSON is refused with its position",
    arguments: [
      ("", "line 1, column 1"), ("[1,]", "line 1, column 4"), ("[1 2]", "line 1, column 4"),
      ("{\"a\"\n  1}", "line 2, column 3"), ("{\"あ\": x}", "line 1, column 7"), ("01", "line 1, column 1"),
      ("-", "line 1, column 2"), ("1.", "line 1, column 3"), ("\"a\nb\"", "line 1, column 3"),
      ("\"\\x\"", "line 1, column 3"), ("nul", "line 1, column 4"), ("tru3", "line 1, column 4"),
      ("[1", "line 1, column 3"), ("{} x", "line 1, column 4"), ("{a:1}", "line 1, column 2"),
    ])
  func refused(text: String, place: String) throws {
    var cursor = cursor(text)
    let error = #expect(throws: JSONError.self) {
      try cursor.skip()
      try cursor.end()
    }
    #expect(error?.position.description == place)
  }

  @Test("JSON is accepted up to exactly the maximum nesting depth")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    var allowed = JSONCursor(nested(8), maximalDepth: 8)
    try allowed.skip()
    var refused = JSONCursor(nested(9), maximalDepth: 8)
    let error = #expect(throws: JSONError.self) { try refused.skip() }
    #expect(error?.kind == .tooDeep(limit: 8))
    var absurd = JSONCursor(nested(10_000))
    #expect(throws: JSONError.self) { try absurd.skip() }
  }

  @Test("a byte order mark before JSON is skipped")
  func byteOrderMark() throws {
    var cursor = JSONCursor([0xef, 0xbb, 0xbf] + Array("true".utf8))
    #expect(try cursor.boolean())
  }

  @Test("truncated JSON is an error wherever it is cut, and never yields a value")
  func truncated() throws {
    let whole = Array(#"{"a": ["\u00e9\ud83d\ude00", -1.5e3, true, null], "b": {"c": false}}"#.utf8)
    for end in 0..<whole.count {
      var cursor = JSONCursor(Array(whole[..<end]))
      #expect(throws: JSONError.self) { try cursor.skip() }
    }
    var cursor = JSONCursor(whole)
    #expect(try cursor.skip() == 0..<whole.count)
  }
}
