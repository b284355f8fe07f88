import JSON
import Platform

/// A JSON value in output that a test inspects. Numbers keep their original text.
enum JSONValue: Equatable, Sendable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(String)
  case boolean(Bool)
  case null

  /// Parses a complete JSON text.
  init(_ bytes: [UInt8]) throws {
    var cursor = JSONCursor(bytes)
    self = try Self.value(&cursor)
    try cursor.end()
  }

  /// Parses a file.
  init(file path: String) throws { try self.init(File.read(path, limit: 64 << 20)) }

  /// The member of an object; `null` if the member is missing.
  subscript(name: String) -> JSONValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// The items of an array; empty for any other value.
  var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

  /// The members of an object; empty for any other value.
  var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

  /// The text, if the value is a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, if the value is a number that fits into Int.
  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  private static func value(_ cursor: inout JSONCursor) throws -> JSONValue {
    switch try cursor.peek() {
    case .object:
      var members: [String: JSONValue] = [:]
      try cursor.members { cursor, name in members[name.text] = try value(&cursor) }
      return .object(members)
    case .array: return .array(try cursor.list { try value(&$0) })
    case .string: return .string(try cursor.string())
    case .number: return .number(try cursor.numberText())
    case .boolean: return .boolean(try cursor.boolean())
    case .null:
      try cursor.skip()
      return .null
    }
  }
}
