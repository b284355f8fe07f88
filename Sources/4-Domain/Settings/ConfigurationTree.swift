internal import JSON

/// The configuration as a tree with the position of each key and value.
///
/// All problems in a configuration are reported together, so it is read completely before it is checked. It is small enough for this.
indirect enum ConfigurationTree {
  case object([Member])
  case array([Node])
  case string(String)
  /// A number as written.
  case number(String)
  case boolean(Bool)
  case null

  /// A value, and the byte offsets where it begins and ends.
  struct Node {
    let offset: Int
    let end: Int
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
  /// - Parameter start: the offset of the text's first byte, added to all offsets.
  static func node(_ cursor: inout JSONCursor, from start: Int = 0) throws -> Node {
    let kind = try cursor.peek()
    let offset = start + cursor.offset
    let content: ConfigurationTree
    switch kind {
    case .object: content = .object(try members(&cursor, from: start))
    case .array: content = .array(try cursor.list { cursor in try node(&cursor, from: start) })
    case .string: content = .string(try cursor.string())
    case .number: content = .number(try cursor.numberText())
    case .boolean: content = .boolean(try cursor.boolean())
    case .null:
      _ = try cursor.null()
      content = .null
    }
    return Node(offset: offset, end: start + cursor.offset, content: content)
  }

  private static func members(_ cursor: inout JSONCursor, from start: Int) throws -> [Member] {
    var members: [Member] = []
    // Between the end of a value and the next key, there is only white space and a comma, so the key begins at the next quotation mark.
    var end = cursor.offset
    try cursor.members { cursor, name in
      let offset = cursor.bytes[end...].firstIndex(of: UInt8(ascii: "\"")) ?? end
      members.append(Member(name: name.text, offset: start + offset, value: try node(&cursor, from: start)))
      end = cursor.offset
    }
    return members
  }
}

extension ConfigurationTree.Node {
  /// The value of a file that does not exist.
  static var emptyObject: ConfigurationTree.Node { ConfigurationTree.Node(offset: 0, end: 0, content: .object([])) }
}
