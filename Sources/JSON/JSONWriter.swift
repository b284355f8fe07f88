/// Writes JSON (RFC 8259) as UTF-8 bytes: either compact, or indented by two spaces for people.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var depth = 0
  private var isFirst = true
  private var followsName = false

  package init(indented: Bool = false) { isIndented = indented }

  package mutating func object(_ members: (inout JSONWriter) -> Void) { bracket("{", "}", members) }
  package mutating func array(_ elements: (inout JSONWriter) -> Void) { bracket("[", "]", elements) }

  /// The name of the next value, inside an object.
  package mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    if isIndented { bytes.append(UInt8(ascii: " ")) }
    followsName = true
  }

  package mutating func string(_ text: String) {
    separate()
    quote(text)
  }

  package mutating func integer(_ value: some BinaryInteger) { raw(String(value).utf8) }
  package mutating func boolean(_ value: Bool) { raw((value ? "true" : "false").utf8) }
  package mutating func null() { raw("null".utf8) }

  /// A value that is JSON already.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  private mutating func bracket(_ open: Character, _ close: Character, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open.asciiValue!)
    depth += 1
    isFirst = true
    body(&self)
    depth -= 1
    if !isFirst { newLine() }
    bytes.append(close.asciiValue!)
    isFirst = false
  }

  /// What must stand between the value before and the next one.
  private mutating func separate() {
    if followsName {
      followsName = false
      return
    }
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { newLine() }
    isFirst = false
  }

  private mutating func newLine() {
    guard isIndented else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes += [0x20, 0x20] }
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case UInt8(ascii: "\t"): bytes += Array("\\t".utf8)
      case ..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
