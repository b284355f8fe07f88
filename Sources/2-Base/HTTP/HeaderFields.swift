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

  /// Appends a field line from text.
  /// - Throws: an error if the name is not a token, or the value has characters that could end its line. The field is never left out.
  package mutating func append(name: String, value: String) throws(UnsendableRequestError) {
    guard let name = FieldName(name) else { throw UnsendableRequestError("a header's name is not a token") }
    guard let value = FieldValue(value) else {
      throw UnsendableRequestError("the header \(name) has a value that HTTP does not allow")
    }
    append(name, value)
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
  package func members(_ name: FieldName) -> [String] {
    fields.lazy.filter { $0.name == name }.flatMap { field in
      field.value.text.utf8.split(separator: UInt8(ascii: ",")).compactMap { member in
        let trimmed = member.trimmingBlanks
        return trimmed.isEmpty ? nil : String(Substring(trimmed))
      }
    }
  }

  /// Returns whether a list field contains `member`, case-insensitively.
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
    // This also refuses whitespace before the colon (§5.1).
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
