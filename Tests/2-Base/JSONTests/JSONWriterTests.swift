import Testing

@testable import JSON

@Suite struct JSONWriterTests {
  private func write(indented: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(indented: indented)
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func sample(_ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("a", "x\"y\\\n\u{1}é")
      writer.member("b", 7 as Int?)
      writer.member("c", nil as String?)
      writer.member("d", list: [true, false]) { $0.boolean($1) }
      writer.name("e")
      writer.object { _ in }
      writer.name("f")
      writer.raw("[1]".utf8)
    }
  }

  @Test("compact JSON output contains no whitespace")
  func compact() {
    #expect(
      write(sample) == #"{"a":"x\"y\\\n\u0001é","b":7,"c":null,"d":[true,false],"e":{},"f":[1]}"#)
  }

  @Test("indented JSON output has one member per line")
  func indented() {
    let expected = """
      {
        "a": "x\\"y\\\\\\n\\u0001é",
        "b": 7,
        "c": null,
        "d": [
          true,
          false
        ],
        "e": {},
        "f": [1]
      }
      """
    #expect(write(indented: true, sample) == expected)
  }

  @Test("every character in a JSON string is read back as it was written")
  func roundTrip() throws {
    let text = String(String.UnicodeScalarView((0...0x2fff).compactMap(Unicode.Scalar.init))) + "😀"
    var cursor = JSONCursor(Array(write { $0.string(text) }.utf8))
    #expect(try cursor.string().unicodeScalars.elementsEqual(text.unicodeScalars))
  }
}
