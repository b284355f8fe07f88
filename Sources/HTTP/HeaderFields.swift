/// The fields of a message in the order in which they came or will be sent (RFC 9110 §5.3).
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

  /// Adds a field line behind the others, also when there is one of that name already.
  package mutating func append(_ name: FieldName, _ value: FieldValue) {
    fields.append(Field(name, value))
  }

  /// Puts one field line in the place of all of that name.
  package mutating func set(_ name: FieldName, _ value: FieldValue) {
    remove(name)
    append(name, value)
  }

  package mutating func remove(_ name: FieldName) {
    fields.removeAll { $0.name == name }
  }

  /// The value of the first field line of that name.
  package func first(_ name: FieldName) -> String? {
    fields.first { $0.name == name }?.value.text
  }

  /// The values of all field lines of that name, in their order.
  package func all(_ name: FieldName) -> [String] {
    fields.lazy.filter { $0.name == name }.map(\.value.text)
  }

  /// The members of a field whose value is a comma-separated list without quoted strings, over all of its
  /// lines, without the empty ones (RFC 9110 §5.6.1).
  package func members(_ name: FieldName) -> [Substring] {
    fields.lazy.filter { $0.name == name }.flatMap { field in
      field.value.text.utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
        let trimmed = member.trimmingBlanks
        return trimmed.isEmpty ? nil : Substring(trimmed)
      }
    }
  }

  /// Whether a list field names `member`, in any case.
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
  /// The bytes without spaces and tabs at their ends. Bytes and not characters: a space may be joined to what follows it.
  fileprivate var trimmingBlanks: Substring.UTF8View {
    var rest = self
    while rest.first?.isBlank == true { rest.removeFirst() }
    while rest.last?.isBlank == true { rest.removeLast() }
    return rest
  }
}

extension HeaderFields.Field {
  /// Reads a field line without its CRLF (RFC 9112 §5). Bytes that are no UTF-8 come out as U+FFFD.
  init(line: ArraySlice<UInt8>) throws(RequestRefusal) {
    if let first = line.first, first.isBlank {
      throw RequestRefusal(.badRequest, "a field line begins with whitespace")  // obs-fold: §5.2, and §2.2
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw RequestRefusal(.badRequest, "a field line without a colon")
    }
    // Whitespace before the colon is no token character either: §5.1.
    guard let name = FieldName(String(decoding: line[..<colon], as: UTF8.self)) else {
      throw RequestRefusal(.badRequest, "a field name is not a token")
    }
    var content = line[(colon + 1)...]
    while content.first?.isBlank == true { content.removeFirst() }
    while content.last?.isBlank == true { content.removeLast() }
    guard let value = FieldValue(String(decoding: content, as: UTF8.self)) else {
      throw RequestRefusal(.badRequest, "a field value holds a control byte")
    }
    self.init(name, value)
  }
}

/// The name of a header field: a token, compared without regard to case (RFC 9110 §5.1).
///
/// A value of this type never holds a byte that could end the name or the line.
package struct FieldName: Equatable, Sendable {
  /// The name as it was written.
  let spelling: String

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

extension [UInt8] {
  /// Adds a field line with its end (RFC 9112 §5).
  mutating func append(_ field: HeaderFields.Field) {
    append(contentsOf: field.name.spelling.utf8)
    append(UInt8(ascii: ":"))
    append(.space)
    append(contentsOf: field.value.text.utf8)
    append(.carriageReturn)
    append(.lineFeed)
  }
}
