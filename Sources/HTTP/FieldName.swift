/// The name of a header field: a token, compared without regard to case (RFC 9110 §5.1).
///
/// A value of this type never holds a byte that could end the name or the line.
package struct FieldName: Equatable, Sendable {
  /// The name as it was written.
  package let spelling: String

  /// Fails if `spelling` is not a token (RFC 9110 §5.6.2).
  package init?(_ spelling: some StringProtocol) {
    guard !spelling.isEmpty, spelling.utf8.allSatisfy(\.isTokenCharacter) else { return nil }
    self.spelling = String(spelling)
  }

  package static func == (one: FieldName, other: FieldName) -> Bool {
    one.spelling.equalsIgnoringCase(other.spelling)
  }
}

extension FieldName: ExpressibleByStringLiteral {
  /// A name written in the source; one that is not a token is a mistake of the programmer.
  package init(stringLiteral literal: StaticString) {
    guard let name = FieldName(literal.description) else {
      preconditionFailure("a field name must be a token (RFC 9110 §5.6.2)")
    }
    self = name
  }
}

extension FieldName: CustomStringConvertible {
  package var description: String { spelling }
}

/// The names that this module itself reads or writes.
extension FieldName {
  package static let connection: FieldName = "Connection"
  package static let contentLength: FieldName = "Content-Length"
  package static let contentType: FieldName = "Content-Type"
  package static let date: FieldName = "Date"
  package static let expect: FieldName = "Expect"
  package static let host: FieldName = "Host"
  package static let transferEncoding: FieldName = "Transfer-Encoding"
}
