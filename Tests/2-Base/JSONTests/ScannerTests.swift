import TestSupport
import Testing

@testable import JSON

/// Mistakes that the scanner could make because it reads eight bytes at once. Its results are compared with those of `PatientReader`.
@Suite struct ScannerTests {
  private static let page = #"""
    [{"created_at":"Wed May 14 03:21:43 +0000 2014","id":1500000004273996683,"id_str":"1500000004273996683",
      "full_text":"RT @user: \u30b4\u30da\ud83c\uddef & \"x\"\\ あいう 😀","truncated":false, "indices":[0,-8.25e+2, 0],
      "media":[{"media_url":"http:\/\/pbs.example\/media\/47-bLgm57MEDK_K.jpg","sizes":{"w":150,"h":0.5}}],"geo":null,
      "empty":[],"none":{},"":"","deep":[[[{"a":[{}]}]]],"lone":"\ud83d|\ude00|\ud83d\ud83d\ude00","ok":true}]
    """#

  private func expectAlike(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    var patient = PatientReader(bytes, maximalDepth: 5)
    var cursor = JSONCursor(bytes, maximalDepth: 5)
    let isValue = (try? patient.skip()) != nil
    let isTaken = (try? cursor.skip()) != nil
    #expect(
      isValue == isTaken && patient.offset == cursor.offset,
      "\(patient.offset) and \(cursor.offset) in \(String(decoding: bytes, as: UTF8.self))",
      sourceLocation: sourceLocation)
  }

  @Test("JSON truncated after any byte is refused at its end")
  func cut() {
    let whole = Array(Self.page.utf8)
    for end in 0..<whole.count {
      let part = Array(whole[..<end])
      var cursor = JSONCursor(part)
      let error = #expect(throws: JSONError.self) { try cursor.skip() }
      #expect(error?.kind == .truncated || cursor.offset < end)
      expectAlike(part)
    }
  }

  @Test("the scanner and the reference parser accept the same altered JSON, and refuse the rest at the same byte")
  func mutated() {
    let whole = Array(Self.page.utf8)
    let bits = Array(#""\{}[],:0123456789-+.eEtfnu/xdD"#.utf8) + [0x00, 0x1f, 0x20, 0x0a, 0x7f, 0x80, 0xe3, 0xff]
    var random = SeededGenerator(seed: 26)
    for _ in 0..<4000 {
      var bytes = whole
      if Bool.random(using: &random) { bytes = Array(bytes[Int.random(in: 0..<bytes.count, using: &random)...]) }
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bits.randomElement(using: &random)!, at: place)
        case 2: bytes[place] = bits.randomElement(using: &random)!
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      expectAlike(bytes)
    }
  }

  @Test("the scanner finds quotes, escapes and control characters at every offset in a machine word", arguments: 0..<34)
  func everyPlace(length: Int) throws {
    let plain = String(repeating: "z", count: length)
    let ends = [
      "\"", "\\n\"", "\\/\"", "\\u30b4\"", "\\ud83d\\ude00\"", "\u{1f}\"", "é\"", "\u{7f}\"", "!\"", "", "\\", "\\u30b",
    ]
    for front in ["", " ", "   ", "       "] {
      for end in ends {
        for rest in ["", ",", "          ", "\"\\\""] {
          let bytes = Array((front + "\"" + plain + end + rest).utf8)
          expectAlike(bytes)
          var patient = PatientReader(bytes)
          var cursor = JSONCursor(bytes)
          #expect((try? cursor.string()) == (try? patient.string()))
        }
      }
    }
  }

  @Test("the scanner and the reference parser agree on every byte in a string", arguments: 0..<9)
  func everyByte(place: Int) {
    for byte in UInt8.min...UInt8.max {
      var bytes = Array("\"abcdefghijklmnop\"".utf8)
      bytes[1 + place] = byte
      var patient = PatientReader(bytes)
      var cursor = JSONCursor(bytes)
      #expect((try? cursor.string()) == (try? patient.string()))
      expectAlike(bytes)
    }
  }

  @Test("only hexadecimal digits are accepted in an escape, in upper and lower case", arguments: 0..<4)
  func hexadecimal(place: Int) {
    for byte in UInt8.min...UInt8.max {
      for digits in ["0000", "9aF3", "ffff", "dfff", "d800"] {
        var bytes = Array("\"\\u\(digits)\\ude00 and more\"".utf8)
        bytes[3 + place] = byte
        var patient = PatientReader(bytes)
        var cursor = JSONCursor(bytes)
        #expect((try? cursor.string()) == (try? patient.string()), "\(bytes)")
        expectAlike(bytes)
      }
    }
  }

  @Test("the scanner and the reference parser decode random strings alike")
  func strings() {
    let pieces = [
      "a", "bcdefgh", "\\/", "\\\"", "\\\\", "\\n", "\\u0000", "\\u00e9", "\\u30b4", "\\ud83c\\uddef", "\\ud83c",
      "\\uddef", "あ",
      "😀", "http:\\/\\/t.co\\/x", "&", "                   ",
    ]
    var random = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      let count = Int.random(in: 0...60, using: &random)
      var bytes = Array(("\"" + (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined() + "\"").utf8)
      if Int.random(in: 0..<4, using: &random) == 0, bytes.count > 2 {
        bytes.insert([0xe3, 0x80, 0xff, 0xc3].randomElement(using: &random)!, at: 1)
      }
      var patient = PatientReader(bytes)
      var cursor = JSONCursor(bytes)
      #expect((try? cursor.string()) == (try? patient.string()), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("integers of up to 64 bits are read")
  func integers() throws {
    for value in [0, 1, -1, 42, Int64.max, .min, .max - 1, .min + 1] {
      var cursor = JSONCursor(Array("\(value)".utf8))
      #expect(try cursor.integer(in: Int64.min...Int64.max) == value)
    }
    for text in ["9223372036854775808", "-9223372036854775809", "92233720368547758070", "1.0", "1e2", "-0.5"] {
      var cursor = JSONCursor(Array(text.utf8))
      #expect(try cursor.number().integer(in: Int64.min...Int64.max) == nil)
      #expect(cursor.offset == text.utf8.count)
      var strict = JSONCursor(Array(text.utf8))
      let error = #expect(throws: JSONError.self) { try strict.integer(in: Int64.min...Int64.max) }
      #expect(error?.kind == .outOfRange("\(Int64.min) to \(Int64.max)") && error?.position.column == 1)
    }
  }

  @Test("member names are compared completely, and escaped names by their decoded text")
  func names() throws {
    let text =
      #"{"id_str":1,"id_sts":2,"id":3,"":4,"in_reply_to_screen_name":5,"in_reply_to_screen_namf":6,"\u0069\u0064":7,"é":8}"#
    var cursor = JSONCursor(Array(text.utf8))
    var found: [String] = []
    try cursor.members { cursor, name in
      let value = try cursor.integer(in: 0...Int64.max)
      switch name {
      case "id_str": found.append("s\(value)")
      case "id": found.append("i\(value)")
      case "": found.append("e\(value)")
      case "in_reply_to_screen_name": found.append("n\(value)")
      default: found.append("\(name.text)\(value)")
      }
    }
    try cursor.end()
    #expect(found == ["s1", "id_sts2", "i3", "e4", "n5", "in_reply_to_screen_namf6", "i7", "é8"])
  }

  @Test("a skipped JSON value can be read later")
  func again() throws {
    var cursor = JSONCursor(Array(#"{"a": [1, "two"], "b": true}"#.utf8))
    var start = 0
    try cursor.members { cursor, _ in start = max(start, try cursor.skip().lowerBound == 6 ? 6 : start) }
    let offset = cursor.offset
    let count = try cursor.again(from: start) { cursor in
      var count = 0
      try cursor.elements { cursor in
        try cursor.skip()
        count += 1
      }
      return count
    }
    #expect(count == 2 && cursor.offset == offset)
  }
}
