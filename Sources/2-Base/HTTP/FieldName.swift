/// The name of a header field: a token, compared case-insensitively (RFC 9110 §5.1).
///
/// A field name contains no byte that could end the name or its line.
package struct FieldName: Equatable, Sendable {
  /// The name as written.
  let spelling: String

  /// Returns nil if `spelling` is not a token (RFC 9110 §5.6.2).
  package init?(_ spelling: some StringProtocol) {
    let spelling = String(spelling)
    guard !spelling.isEmpty, spelling.allBytes({ $0.isTokenCharacter }) else { return nil }
    self.spelling = spelling
  }

  package static func == (one: FieldName, other: FieldName) -> Bool {
    one.spelling.equalsIgnoringCase(other.spelling)
  }
}

extension FieldName: ExpressibleByStringLiteral {
  /// Creates a name from a literal, which must be a token.
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

/// The field names that this module reads or writes.
extension FieldName {
  package static let connection: FieldName = "Connection"
  package static let contentEncoding: FieldName = "Content-Encoding"
  package static let contentLength: FieldName = "Content-Length"
  package static let contentType: FieldName = "Content-Type"
  package static let date: FieldName = "Date"
  package static let entityTag: FieldName = "ETag"
  package static let expect: FieldName = "Expect"
  package static let host: FieldName = "Host"
  package static let ifNoneMatch: FieldName = "If-None-Match"
  package static let transferEncoding: FieldName = "Transfer-Encoding"
}
