/// Converts between any text and one component of an address's path.
///
/// A decoded component never contains `/`, so that no program between the browser and this one can split it. Text with a `/`, such as a
/// list's title, is therefore written as in a JSON pointer: `~1` for `/`, and `~0` for `~` (RFC 6901 §3).
enum PathText {
  /// The maximum length of a component in bytes, before and after decoding. The longest name of a timeline has 512 bytes.
  static let limit = 1536

  static func component(_ text: String) -> String {
    var component: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "~"): component += "~0".utf8
      case UInt8(ascii: "/"): component += "~1".utf8
      default: component.append(byte)
      }
    }
    return String(decoding: component, as: UTF8.self)
  }

  /// Returns the text of a component that was percent-decoded once; nil if it is empty or too long, is not UTF-8, is `.` or `..`, or
  /// contains a `/`, a control character or an incomplete escape.
  static func text(ofComponent bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty, bytes.count <= limit, bytes != [0x2e], bytes != [0x2e, 0x2e] else { return nil }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") }) else { return nil }
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): text.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): text.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(validating: text, as: UTF8.self)
  }
}
