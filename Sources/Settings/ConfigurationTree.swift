internal import JSON

/// The configuration as a tree with the position of each key and value.
///
/// A configuration is small and all its problems are reported at once, so it is read completely before it is checked.
indirect enum ConfigurationTree {
  case object([Member])
  case array([Node])
  case string(String)
  /// As written.
  case number(String)
  case boolean(Bool)
  case null

  /// A value and the byte offset where it begins.
  struct Node {
    let offset: Int
    let content: ConfigurationTree
  }

  /// A key, the offset of its quotation mark, and its value.
  struct Member {
    let name: String
    let offset: Int
    let value: Node
  }

  /// The type of the value, for messages.
  var kind: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }

  /// Reads one value with everything in it.
  static func node(_ cursor: inout JSONCursor) throws -> Node {
    let kind = try cursor.peek()
    let offset = cursor.offset
    let content: ConfigurationTree
    switch kind {
    case .object: content = .object(try members(&cursor))
    case .array: content = .array(try cursor.list(node))
    case .string: content = .string(try cursor.string())
    case .number: content = .number(try cursor.numberText())
    case .boolean: content = .boolean(try cursor.boolean())
    case .null:
      _ = try cursor.null()
      content = .null
    }
    return Node(offset: offset, content: content)
  }

  private static func members(_ cursor: inout JSONCursor) throws -> [Member] {
    var members: [Member] = []
    // Between the end of one value and the next key, there are only white space and a comma: the key is at the next quotation mark.
    var end = cursor.offset
    try cursor.members { cursor, name in
      let offset = cursor.bytes[end...].firstIndex(of: UInt8(ascii: "\"")) ?? end
      members.append(Member(name: name.text, offset: offset, value: try node(&cursor)))
      end = cursor.offset
    }
    return members
  }
}
