/// An object in the configuration. Its values are read by key, each with its own type and range.
///
/// If a value is invalid, the problem is reported at its position and the result is nil, so that the other values are still checked.
struct KeyedValues {
  /// The keys that lead to the object, joined by dots; empty at the top level.
  let path: String
  /// The position of the object or of its key, where missing keys are reported.
  let offset: Int
  private let members: [String: ConfigurationTree.Member]

  /// Checks that a value is an object with known and unique keys. `refusals` are known keys that are refused, each with the reason.
  init?(
    _ node: ConfigurationTree.Node, path: String, offset: Int, keys: [String], refusals: [String: String] = [:],
    _ problems: inout Problems
  ) {
    guard case .object(let list) = node.content else {
      problems.add("expected an object, found \(node.content.kind)", at: node.offset, path: path)
      return nil
    }
    self.path = path
    self.offset = offset
    let unique = Self.unique(list, path: path, &problems)
    for member in unique where !keys.contains(member.name) {
      let what = refusals[member.name] ?? "unknown key" + DisplayText.suggestion(for: member.name, among: keys)
      problems.add(what, at: member.offset, path: Self.join(path, member.name))
    }
    members = Dictionary(uniqueKeysWithValues: unique.map { ($0.name, $0) })
  }

  /// Returns the members without duplicates, which are reported.
  static func unique(
    _ list: [ConfigurationTree.Member], path: String, _ problems: inout Problems
  ) -> [ConfigurationTree.Member] {
    var first: [String: Int] = [:]
    return list.filter { member in
      guard let offset = first[member.name] else {
        first[member.name] = member.offset
        return true
      }
      problems.add(
        "duplicate key; the first is at \(problems.position(of: offset, seenFrom: member.offset))", at: member.offset,
        path: join(path, member.name))
      return false
    }
  }

  static func join(_ path: String, _ key: String) -> String {
    let key = DisplayText.plain(key)
    return path.isEmpty ? key : "\(path).\(key)"
  }

  func path(of key: String) -> String { Self.join(path, key) }

  subscript(key: String) -> ConfigurationTree.Member? { members[key] }

  var isEmpty: Bool { members.isEmpty }

  func has(_ key: String) -> Bool { members[key] != nil }

  func isNull(_ key: String) -> Bool { if case .null? = members[key]?.value.content { true } else { false } }

  func string(_ key: String, _ problems: inout Problems) -> String? {
    guard let member = members[key] else { return nil }
    guard case .string(let text) = member.value.content else { return wrongType(member, "a string", &problems) }
    return text
  }

  func boolean(_ key: String, _ problems: inout Problems) -> Bool? {
    guard let member = members[key] else { return nil }
    guard case .boolean(let value) = member.value.content else { return wrongType(member, "true or false", &problems) }
    return value
  }

  func integer(_ key: String, in range: ClosedRange<Int64>, _ problems: inout Problems) -> Int64? {
    guard let member = members[key] else { return nil }
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard case .number(let text) = member.value.content else { return wrongType(member, expected, &problems) }
    guard let value = Int64(text), range.contains(value) else {
      problems.add(
        "expected \(expected), found \(DisplayText.plain(text))", at: member.value.offset, path: path(of: key))
      return nil
    }
    return value
  }

  /// Returns a number as written.
  func number(_ key: String, orExpecting expected: String, _ problems: inout Problems) -> String? {
    guard let member = members[key] else { return nil }
    guard case .number(let text) = member.value.content else { return wrongType(member, expected, &problems) }
    return text
  }

  /// Returns a string that must be one of the allowed ones.
  func choice(_ key: String, of allowed: [String], _ problems: inout Problems) -> String? {
    guard let text = string(key, &problems) else { return nil }
    if allowed.contains(text) { return text }
    note("expected \(Self.alternatives(allowed)), found \(DisplayText.quoted(text))", at: key, &problems)
    return nil
  }

  /// Reports a problem with the value of a key.
  func note(_ what: String, at key: String, _ problems: inout Problems) {
    problems.add(what, at: members[key]?.value.offset ?? offset, path: path(of: key))
  }

  /// Reports a problem with a key, regardless of its value.
  func note(_ what: String, atKey key: String, _ problems: inout Problems) {
    problems.add(what, at: members[key]?.offset ?? offset, path: path(of: key))
  }

  private func wrongType<Value>(
    _ member: ConfigurationTree.Member, _ expected: String, _ problems: inout Problems
  ) -> Value? {
    problems.add(
      "expected \(expected), found \(member.value.content.kind)", at: member.value.offset, path: path(of: member.name))
    return nil
  }

  private static func alternatives(_ texts: [String]) -> String {
    texts.count < 2 ? texts.joined() : texts.dropLast().joined(separator: ", ") + " or " + texts[texts.count - 1]
  }
}
