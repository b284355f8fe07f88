internal import CPlainRun

/// The members that a reader wants from an object: their names, each with a value chosen by the reader. Other members are skipped without a
/// call each: two thirds of the members in a v1.1 page are not wanted.
package struct JSONNames<Member: CaseIterable & RawRepresentable & Sendable>: Sendable
where Member.RawValue == String, Member.AllCases: Sendable {
  package let table: JSONNameTable
  /// The members in the order of their numbers in the table.
  package let members: [Member]

  package init(_ type: Member.Type = Member.self) {
    members = Array(type.allCases)
    table = JSONNameTable(members.map(\.rawValue))
  }
}

/// A set of names searched by hash, in C.
@safe package final class JSONNameTable: Sendable {
  // Only the initialiser writes to the memory.
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<json_names>

  /// - Parameter names: at most 64 different names without escapes, with 1024 bytes together.
  init(_ names: [String]) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: json_names())
    for var name in names {
      let isAdded = name.withUTF8 { unsafe json_names_add(memory, $0.baseAddress, $0.count) }
      precondition(isAdded != 0, "too many names")
    }
    precondition(unsafe json_names_place(memory) != 0, "two names are equal or too similar")
  }

  deinit { unsafe memory.deallocate() }

  /// Returns the number of a name; `nil` if it is not in the set.
  func number(of name: UnsafeRawBufferPointer) -> Int? {
    let found = unsafe json_names_find(memory, name.baseAddress?.assumingMemoryBound(to: UInt8.self), name.count)
    return found > 0 ? found - 1 : nil
  }

  /// The result of `next(in:isFirst:levels:)`.
  enum Next {
    case member(Int)
    case end
    /// The scanner must read the next member itself.
    case unknown
  }

  /// Skips members until one has a name in the set, and consumes its name and colon.
  @inline(__always) func next(in scanner: inout JSONScanner, isFirst: inout Bool, levels: Int) -> Next {
    let start = scanner.offset
    let member = unsafe json_next_member(scanner.start, scanner.count, start, isFirst ? 1 : 0, levels, memory)
    scanner.offset = member.offset
    if member.offset > start { isFirst = false }
    switch Int(member.found) {
    case json_no_member: return .end
    case json_gave_up: return .unknown
    case let number: return .member(number - 1)
    }
  }
}

extension JSONCursor {
  /// Consumes an object. The body is called with the number of each member whose name is in the table, and must consume the member's value.
  /// Other members are skipped.
  package mutating func members(of table: JSONNameTable, _ body: (inout JSONCursor, Int) throws -> Void) throws {
    guard try peek() == .object else { throw error(.type(expected: "an object")) }
    try open()
    let levels = maximalDepth - depth
    var isFirst = true
    while let number = try scan({ scanner throws(JSONScanError) in
      try scanner.nextMember(of: table, isFirst: &isFirst, levels: levels)
    }) {
      try body(&self, number)
    }
    depth -= 1
  }
}

extension JSONScanner {
  /// Consumes members until one has a name in the table, and that name. At the closing bracket, consumes the bracket and returns `nil`.
  @inline(__always) fileprivate mutating func nextMember(
    of table: JSONNameTable, isFirst: inout Bool, levels: Int
  ) throws(JSONScanError) -> Int? {
    switch table.next(in: &self, isFirst: &isFirst, levels: levels) {
    case .member(let number): number
    case .end: nil
    case .unknown: try nextMemberSlowly(of: table, isFirst: &isFirst, levels: levels)
    }
  }

  private mutating func nextMemberSlowly(
    of table: JSONNameTable, isFirst: inout Bool, levels: Int
  ) throws(JSONScanError) -> Int? {
    while let name = try nextName(isFirst: isFirst) {
      isFirst = false
      if let number = number(of: name, in: table) { return number }
      _ = try next()
      try skipValue(levels: levels)
      switch table.next(in: &self, isFirst: &isFirst, levels: levels) {
      case .member(let number): return number
      case .end: return nil
      case .unknown: continue
      }
    }
    return nil
  }

  private func number(of name: Name, in table: JSONNameTable) -> Int? {
    guard name.hasEscapes else { return unsafe table.number(of: view(name.range)) }
    var decoded = decoded(name.range)
    return decoded.withUTF8 { name in unsafe table.number(of: UnsafeRawBufferPointer(name)) }
  }
}
