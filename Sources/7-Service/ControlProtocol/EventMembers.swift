internal import JSON
package import Platform
package import Time

/// The members of a received event.
package struct EventMembers: Sendable {
  private var texts: [String: String] = [:]
  private var numbers: [String: Int] = [:]
  private var flags: [String: Bool] = [:]
  private var lists: [String: [String]] = [:]
  private var objects: [String: EventMembers] = [:]

  /// The error if a required member is missing or has the wrong type.
  package struct MissingMemberError: Error, CustomStringConvertible {
    let name: String
    package var description: String { "its member \"\(name)\" is missing" }
  }

  /// Reads a line.
  /// - Parameter line: a JSON object, with or without a line feed.
  init(line: [UInt8]) throws {
    var cursor = JSONCursor(line, maximalDepth: 16)
    self = try EventMembers(&cursor)
    try cursor.end()
  }

  private init(_ json: inout JSONCursor) throws {
    var members = EventMembers()
    try json.members { json, name in
      switch try json.peek() {
      case .string: members.texts[name.text] = try json.string()
      case .number: members.numbers[name.text] = try json.number().integer(in: 0...Int(JSONNumber.largest))
      case .object: members.objects[name.text] = try EventMembers(&json)
      case .array: members.lists[name.text] = try json.list { json in try json.stringOrSkip() }.compactMap(\.self)
      case .boolean: members.flags[name.text] = try json.boolean()
      case .null: try json.skip()
      }
    }
    self = members
  }

  private init() {}

  package func text(_ name: String) throws(MissingMemberError) -> String { try required(texts[name], name) }
  package func number(_ name: String) throws(MissingMemberError) -> Int { try required(numbers[name], name) }
  package func list(_ name: String) throws(MissingMemberError) -> [String] { try required(lists[name], name) }
  package func object(_ name: String) throws(MissingMemberError) -> EventMembers { try required(objects[name], name) }

  /// Returns the exit code; 70 for a code that this version does not know.
  package func exit() throws(MissingMemberError) -> ExitCode {
    Int32(exactly: try number("exit")).flatMap { ExitCode(rawValue: $0) } ?? .software
  }

  /// Returns whether a member is `true`; `false` if it is missing, because a service from an earlier version does not send it.
  package func flag(_ name: String) -> Bool { flags[name] ?? false }

  package func textOrNull(_ name: String) -> String? { texts[name] }
  package func numberOrNull(_ name: String) -> Int? { numbers[name] }
  package func timeOrNull(_ name: String) -> Timestamp? { texts[name].flatMap { Timestamp(rfc3339: $0) } }

  private func required<Value>(_ value: Value?, _ name: String) throws(MissingMemberError) -> Value {
    guard let value else { throw MissingMemberError(name: name) }
    return value
  }
}
