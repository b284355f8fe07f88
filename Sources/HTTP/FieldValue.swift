/// The value of a header field, without whitespace around it (RFC 9110 §5.5).
///
/// A value of this type never holds CR, LF, NUL or another control byte but the tab, so nothing that is
/// serialized can end the line early.
package struct FieldValue: Hashable, Sendable {
  package let text: String

  /// Fails if `text` holds a control byte, or whitespace at either end.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.allSatisfy(\.isFieldContent) else { return nil }
    if let first = bytes.first, first.isBlank { return nil }
    if let last = bytes.last, last.isBlank { return nil }
    self.text = text
  }

  /// A number in decimal digits.
  package init(_ number: Int) { text = String(number) }
}

extension FieldValue: ExpressibleByStringLiteral {
  /// A value written in the source; one with a control byte in it is a mistake of the programmer.
  package init(stringLiteral literal: StaticString) {
    guard let value = FieldValue(literal.description) else {
      preconditionFailure("a field value must be without control bytes and without whitespace around it")
    }
    self = value
  }
}

extension FieldValue: CustomStringConvertible {
  package var description: String { text }
}
