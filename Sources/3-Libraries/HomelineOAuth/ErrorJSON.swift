internal import Bytes

/// A small JSON parser for error bodies (RFC 8259) with a limited depth. It accepts some numbers and whitespace that the standard does not
/// allow, but is otherwise strict.
enum ErrorJSON: Equatable {
  case object([Member])
  case array([ErrorJSON])
  case string(String)
  /// A number as written, because it may exceed every integer type.
  case number(String)
  case bool(Bool)
  case null

  struct Member: Equatable {
    let name: String
    let value: ErrorJSON
  }

  /// The maximum nesting depth. The parser is recursive, so the limit protects the stack. Error bodies are about three levels deep.
  static let depthLimit = 32

  /// Parses a complete body. Returns nil if it is not JSON.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let value = reader.value(depth: 0), reader.isAtEnd() else { return nil }
    self = value
  }

  /// The first member with the given name.
  subscript(name: String) -> ErrorJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for any other value.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value as an integer; nil if it is neither an integer nor a string that contains an integer.
  var integer: Int? {
    switch self {
    case .number(let text), .string(let text): Int(text)
    default: nil
    }
  }
}

private struct Reader {
  let bytes: [UInt8]
  var offset = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func isAtEnd() -> Bool {
    skipBlanks()
    return next == nil
  }

  mutating func value(depth: Int) -> ErrorJSON? {
    guard depth < ErrorJSON.depthLimit else { return nil }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> ErrorJSON? {
    offset += 1
    var members: [ErrorJSON.Member] = []
    skipBlanks()
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\""), let name = string() else { return nil }
      skipBlanks()
      guard take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append(ErrorJSON.Member(name: name, value: value))
      skipBlanks()
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> ErrorJSON? {
    offset += 1
    var values: [ErrorJSON] = []
    skipBlanks()
    if take("]") { return .array(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
      skipBlanks()
    } while take(",")
    return take("]") ? .array(values) : nil
  }

  private mutating func string() -> String? {
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text.append(contentsOf: String(Character(scalar)).utf8)
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let first = codeUnit() else { return nil }
      guard (0xD800..<0xDC00).contains(first), take("\\u"), let second = codeUnit() else {
        // An unpaired surrogate is not a character, and becomes U+FFFD.
        return Unicode.Scalar(first) ?? "\u{FFFD}"
      }
      guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = ASCII.hexValue(byte) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    offset += 4
    return unit
  }

  private mutating func number() -> ErrorJSON? {
    let start = offset
    while let byte = next, ASCII.isDigit(byte) || "+-.eE".utf8.contains(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    return Double(text) == nil ? nil : .number(text)
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[offset...].starts(with: text.utf8) else { return false }
    offset += text.utf8.count
    return true
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
  }
}
