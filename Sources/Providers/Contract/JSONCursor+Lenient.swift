internal import JSON

/// Lenient reading of other programs' JSON: a member of the wrong type counts as missing. Only invalid JSON is an error.
extension JSONCursor {
  /// Returns the type of the value at the beginning of a text.
  static func kind(of bytes: [UInt8]) throws(JSONError) -> Kind {
    var cursor = JSONCursor(bytes)
    return try cursor.peek()
  }

  /// Consumes any value; returns it if it is a string.
  mutating func lenientString() throws(JSONError) -> String? { try stringOrSkip() }

  /// Consumes any value; returns an id, which is a non-empty string or the digits of a number as written.
  mutating func lenientID() throws(JSONError) -> String? {
    guard try peek() == .number else {
      let text = try lenientString()
      return text == "" ? nil : text
    }
    return try numberText()
  }

  /// Consumes any value; returns a post id of at most 99 bytes. A longer id has no key among decimal ids (`PostKey`). It would remain
  /// the newest id forever, and every refresh would start from it.
  mutating func lenientPostID() throws -> String? {
    try lenientID().flatMap { $0.utf8.count <= 99 ? $0 : nil }
  }

  /// Consumes any value; returns a whole number in a range. The number may be in a string.
  mutating func lenientInteger<Integer: FixedWidthInteger>(
    in range: ClosedRange<Integer>
  ) throws(JSONError) -> Integer? {
    if try peek() == .number { return try number().integer(in: range) }
    return try lenientString().flatMap { JSONNumber(text: $0).integer(in: range) }
  }

  /// Consumes any value; returns a number of 0 or more, of things that are only shown.
  mutating func lenientCount() throws(JSONError) -> Int? {
    guard try peek() == .number else {
      try skip()
      return nil
    }
    return try number().integer(in: 0...Int(JSONNumber.largest))
  }

  /// Consumes any value; returns whether it is `true`.
  mutating func lenientFlag() throws(JSONError) -> Bool {
    guard try peek() == .boolean else {
      try skip()
      return false
    }
    return try boolean()
  }

  /// Consumes any value; reads its members if it is an object.
  mutating func lenientMembers(_ body: (inout JSONCursor, JSONName) throws -> Void) throws {
    if try peek() == .object { try members(body) } else { try skip() }
  }

  /// Consumes any value; reads the wanted members if it is an object.
  mutating func lenientMembers<Member>(
    _ names: JSONNames<Member>, _ body: (inout JSONCursor, Member) throws -> Void
  ) throws {
    guard try peek() == .object else {
      try skip()
      return
    }
    try members(of: names.table) { cursor, number in try body(&cursor, names.members[number]) }
  }

  /// Consumes any value; reads its elements if it is an array.
  mutating func lenientElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try elements(body) } else { try skip() }
  }
}

/// A string that is decoded only if it is needed.
struct UndecodedString {
  private let json: ArraySlice<UInt8>

  /// Consumes any value; `nil` if it is not a string.
  init?(_ cursor: inout JSONCursor) throws {
    let kind = try cursor.peek()
    let range = try cursor.skip()
    guard kind == .string else { return nil }
    json = cursor.bytes[range]
  }

  /// Without the quotes, no bytes are left.
  var isEmpty: Bool { json.count == 2 }

  /// The content; `nil` if it contains escapes.
  var plain: ArraySlice<UInt8>? {
    let content = json.dropFirst().dropLast()
    return content.contains(UInt8(ascii: "\\")) ? nil : content
  }

  var decoded: String {
    var cursor = JSONCursor(Array(json))
    return (try? cursor.string()) ?? ""
  }
}

/// A member that is read only if another one with the same information is missing.
struct SpareMember {
  /// The offset of the last value.
  private var start: Int?
  /// The last usable value before that.
  private var earlier: String?

  /// Consumes any value, which `read` would read.
  mutating func skip(_ cursor: inout JSONCursor, _ read: (inout JSONCursor) throws -> String?) throws {
    earlier = try value(cursor, read)
    start = try cursor.skip().lowerBound
  }

  /// Reads the last usable value.
  func value(_ cursor: JSONCursor, _ read: (inout JSONCursor) throws -> String?) throws -> String? {
    guard let start else { return earlier }
    return try cursor.again(from: start, read) ?? earlier
  }
}
