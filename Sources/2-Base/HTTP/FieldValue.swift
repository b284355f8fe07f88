/// The value of a header field, without surrounding whitespace (RFC 9110 §5.5).
///
/// A field value contains no control characters except tab. In particular, it contains no CR, LF or NUL, so it cannot end its
/// line when it is serialized.
package struct FieldValue: Hashable, Sendable {
  package let text: String

  /// Returns nil if `text` contains a control character, or whitespace at either end.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard text.allBytes({ $0.isFieldContent }) else { return nil }
    if let first = bytes.first, first.isBlank { return nil }
    if let last = bytes.last, last.isBlank { return nil }
    self.text = text
  }

  /// Creates a value from a number, in decimal digits.
  package init(_ number: Int) { text = String(number) }
}

extension FieldValue: ExpressibleByStringLiteral {
  /// Creates a value from a literal, which must not contain control characters.
  package init(stringLiteral literal: StaticString) {
    guard let value = FieldValue(literal.description) else {
      preconditionFailure("a field value must not contain control characters or surrounding whitespace")
    }
    self = value
  }
}

extension FieldValue: CustomStringConvertible {
  package var description: String { text }
}
