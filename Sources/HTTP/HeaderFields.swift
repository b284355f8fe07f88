/// The header fields of a message, in the order received or to be sent (RFC 9110 §5.3).
package struct HeaderFields: Equatable, Sendable {
  /// One field line.
  package struct Field: Equatable, Sendable {
    package let name: FieldName
    package let value: FieldValue

    package init(_ name: FieldName, _ value: FieldValue) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  /// Appends a field line, even if the name is already present.
  package mutating func append(_ name: FieldName, _ value: FieldValue) {
    fields.append(Field(name, value))
  }

  /// Replaces all field lines of this name with a single one.
  package mutating func set(_ name: FieldName, _ value: FieldValue) {
    remove(name)
    append(name, value)
  }

  package mutating func remove(_ name: FieldName) {
    fields.removeAll { $0.name == name }
  }

  /// Returns the value of the first field line with this name.
  package func first(_ name: FieldName) -> String? {
    fields.first { $0.name == name }?.value.text
  }

  /// Returns the values of all field lines with this name, in order.
  package func all(_ name: FieldName) -> [String] {
    fields.lazy.filter { $0.name == name }.map(\.value.text)
  }

  /// Returns the non-empty members of a comma-separated list field, collected from all its lines (RFC 9110 §5.6.1). Quoted strings are not
  /// supported.
  package func members(_ name: FieldName) -> [Substring] {
    fields.lazy.filter { $0.name == name }.flatMap { field in
      field.value.text.utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
        let trimmed = member.trimmingBlanks
        return trimmed.isEmpty ? nil : Substring(trimmed)
      }
    }
  }

  /// Returns whether a list field contains `member`, ignoring letter case.
  package func lists(_ member: String, in name: FieldName) -> Bool {
    members(name).contains { $0.equalsIgnoringCase(member) }
  }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (FieldName, FieldValue)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }
}

extension Substring.UTF8View {
  /// The text without leading and trailing spaces and tabs. The result is computed from bytes, because a space can form a `Character` with
  /// the bytes after it.
  fileprivate var trimmingBlanks: Substring.UTF8View {
    var rest = self
    while rest.first?.isBlank == true { rest.removeFirst() }
    while rest.last?.isBlank == true { rest.removeLast() }
    return rest
  }
}

extension HeaderFields.Field {
  /// Parses a field line without its CRLF (RFC 9112 §5). Invalid UTF-8 becomes U+FFFD.
  init(line: ArraySlice<UInt8>) throws(RequestError) {
    if let first = line.first, first.isBlank {
      throw RequestError(.badRequest, "a field line begins with whitespace")  // obs-fold (§5.2), and §2.2
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw RequestError(.badRequest, "a field line has no colon")
    }
    // This also rejects whitespace before the colon (§5.1).
    guard let name = FieldName(String(decoding: line[..<colon], as: UTF8.self)) else {
      throw RequestError(.badRequest, "a field name is not a token")
    }
    var content = line[(colon + 1)...]
    while content.first?.isBlank == true { content.removeFirst() }
    while content.last?.isBlank == true { content.removeLast() }
    guard let value = FieldValue(String(decoding: content, as: UTF8.self)) else {
      throw RequestError(.badRequest, "a field value contains a control character")
    }
    self.init(name, value)
  }
}

/// The name of a header field: a token that is compared ignoring letter case (RFC 9110 §5.1).
///
/// A field name contains no byte that could end the name or its line.
package struct FieldName: Equatable, Sendable {
  /// The name as written.
  let spelling: String

  /// Returns nil if `spelling` is not a token (RFC 9110 §5.6.2).
  package init?(_ spelling: some StringProtocol) {
    guard !spelling.isEmpty, spelling.utf8.allSatisfy(\.isTokenCharacter) else { return nil }
    self.spelling = String(spelling)
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
  package static let contentLength: FieldName = "Content-Length"
  package static let contentType: FieldName = "Content-Type"
  package static let date: FieldName = "Date"
  package static let expect: FieldName = "Expect"
  package static let host: FieldName = "Host"
  package static let transferEncoding: FieldName = "Transfer-Encoding"
}

/// The value of a header field, without surrounding whitespace (RFC 9110 §5.5).
///
/// A field value contains no control characters except tab. In particular, it contains no CR, LF or NUL, so it cannot end its
/// line when it is serialized.
package struct FieldValue: Hashable, Sendable {
  package let text: String

  /// Returns nil if `text` contains a control character, or whitespace at either end.
  package init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.allSatisfy(\.isFieldContent) else { return nil }
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

extension [UInt8] {
  /// Appends a field line with its CRLF (RFC 9112 §5).
  mutating func append(_ field: HeaderFields.Field) {
    append(contentsOf: field.name.spelling.utf8)
    append(UInt8(ascii: ":"))
    append(.space)
    append(contentsOf: field.value.text.utf8)
    append(.carriageReturn)
    append(.lineFeed)
  }
}
