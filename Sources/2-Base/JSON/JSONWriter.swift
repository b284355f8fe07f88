/// Writes JSON (RFC 8259) as UTF-8 bytes, either compact, or indented by two spaces for human readers. Characters in strings that programs
/// would interpret instead of displaying are escaped: see `VisibleJSON`.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private let isIndented: Bool
  private var depth = 0
  private var isFirst = true
  private var followsName = false

  /// - Parameter capacity: the number of bytes to reserve, if the approximate size is known.
  package init(indented: Bool = false, capacity: Int = 0) {
    isIndented = indented
    bytes.reserveCapacity(capacity)
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    bracket(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    bracket(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Writes the name of the next value, inside an object.
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

  /// Writes an integer.
  /// - Parameter value: an integer of at most 64 bits.
  package mutating func integer(_ value: some BinaryInteger) { decimal(UInt64(value.magnitude), isNegative: value < 0) }
  mutating func boolean(_ value: Bool) { word(value ? "true" : "false") }
  package mutating func null() { word("null") }

  /// Writes a value that is already JSON.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  private mutating func word(_ word: StaticString) {
    separate()
    word.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func decimal(_ magnitude: UInt64, isNegative: Bool) {
    separate()
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func bracket(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    depth += 1
    isFirst = true
    body(&self)
    depth -= 1
    if !isFirst { newLine() }
    bytes.append(close)
    isFirst = false
  }

  /// Writes the separator between the previous value and the next value.
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

  /// Writes a string in quotes. Bytes that need no escape are copied in runs; most strings are a single run.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      var scanner = unsafe JSONScanner(UnsafeRawBufferPointer(text), at: 0)
      scanner.skipWritten()
      var start = 0
      while scanner.offset < scanner.count {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<scanner.offset]))
        if scanner.byte < 0x7f {
          escape(scanner.byte)
          scanner.offset += 1
        } else {
          VisibleJSON.appendEscape(of: scanner.takeInvisible(), to: &bytes)
        }
        start = scanner.offset
        scanner.skipWritten()
      }
      unsafe bytes.append(contentsOf: start == 0 ? text : UnsafeBufferPointer(rebasing: text[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): bytes += "\\n".utf8
    case UInt8(ascii: "\t"): bytes += "\\t".utf8
    case ..<0x20: VisibleJSON.appendEscape(of: UInt16(byte), to: &bytes)
    default: bytes += [UInt8(ascii: "\\"), byte]
    }
  }
}

/// Each call writes one member. An absent value becomes `null`, so that readers find every name.
extension JSONWriter {
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  package mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
    self.name(name)
    if let value { integer(value) } else { null() }
  }

  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    boolean(value)
  }

  package mutating func member<Value>(_ name: String, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void) {
    self.name(name)
    if let value { write(&self, value) } else { null() }
  }

  package mutating func member<Element>(
    _ name: String, list: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    array { writer in for element in list { write(&writer, element) } }
  }
}

extension JSONWriter {
  /// Returns an object with further members appended, on one line.
  /// - Parameter object: a JSON object, compact or not, without surrounding whitespace.
  package static func extended(_ object: [UInt8], _ members: (inout JSONWriter) -> Void) -> [UInt8] {
    precondition(object.first == UInt8(ascii: "{") && object.last == UInt8(ascii: "}"), "only an object has members")
    var more = JSONWriter()
    more.object(members)
    if more.bytes.count == 2 { return object }
    let isEmpty = object.dropFirst().dropLast().allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    var extended = object
    extended.removeLast()
    if !isEmpty { extended.append(UInt8(ascii: ",")) }
    extended.append(contentsOf: more.bytes.dropFirst())
    return extended
  }
}
