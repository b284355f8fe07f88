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
