internal import JSON

extension Configuration {
  /// Returns the text of a configuration with a different value of `protect`. Everything else stays as it is, including white space.
  /// - Returns: `nil` unless the result is a configuration that differs only in this value.
  package static func text(_ bytes: [UInt8], setting protection: TokenProtection) -> [UInt8]? {
    var cursor = JSONCursor(bytes, maximalDepth: 16)
    guard var expected = try? Configuration(reading: bytes), let root = try? ConfigurationTree.node(&cursor),
      case .object(let members) = root.content
    else { return nil }
    let value = Array("\"\(protection.rawValue)\"".utf8)
    var text = bytes
    if let member = members.first(where: { $0.name == "protect" }) {
      guard let end = endOfString(in: bytes, from: member.value.offset) else { return nil }
      text.replaceSubrange(member.value.offset..<end, with: value)
    } else {
      // In front of the first member, with the same white space.
      guard let first = members.first else { return nil }
      let space = Array(bytes[(root.offset + 1)..<first.offset])
      let member: [UInt8] = space + Array("\"protect\": ".utf8) + value + [UInt8(ascii: ",")]
      text.insert(contentsOf: member, at: root.offset + 1)
    }
    expected.protection = protection
    return (try? Configuration(reading: text)) == expected ? text : nil
  }

  /// - Returns: the offset after the closing quotation mark.
  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "\""): return index + 1
      default: index += 1
      }
    }
    return nil
  }
}
