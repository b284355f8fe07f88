import TestSupport
import Testing

@testable import JSON

@Suite struct JSONNamesTests {
  private enum Member: String, CaseIterable {
    case id
    case idText = "id_str"
    case user
    case longName = "in_reply_to_status_id_str"
    case empty = ""
    case quoted = "a\"b"
  }

  private static let names = JSONNames<Member>()

  /// The members that a reader gets, and the offset and error where it ends.
  private struct Reading: Equatable {
    var members: [String] = []
    var end = 0
    var error: String?

    mutating func read(_ bytes: [UInt8], _ body: (inout JSONCursor, inout [String]) throws -> Void) {
      var cursor = JSONCursor(bytes, maximalDepth: 5)
      do {
        try body(&cursor, &members)
        try cursor.end()
      } catch { self.error = "\(error)" }
      end = cursor.offset
    }
  }

  private static func take(_ cursor: inout JSONCursor, _ name: String, _ members: inout [String]) throws {
    members.append("\(name) \(try cursor.skip())")
  }

  /// Reads every member by its name and skips all but the wanted ones.
  private static func slowly(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    reading.read(bytes) { cursor, members in
      try cursor.members { cursor, name in
        if Member(rawValue: name.text) != nil { try take(&cursor, name.text, &members) } else { try cursor.skip() }
      }
    }
    return reading
  }

  private static func fast(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    reading.read(bytes) { cursor, members in
      try cursor.members(of: names.table) { cursor, number in
        try take(&cursor, names.members[number].rawValue, &members)
      }
    }
    return reading
  }

  private static let document = #"""
    { "skip":[1,{"id":2}],"id":15,"id_str" : "15","user":{"id":1,"name":"x"}, "lang":null,"":0,"a\"b":1,
      "in_reply_to_status_id_str":null,"in_reply_to_status_id_st":1,"\u0069d":3,"\u0069\u0069":4,"ID":5,"id":[[]],"deep":[[[1]]],
      "text":"some text, \ud83d\ude00 \u30b4 and more of it", "usex":1,"geo":{ }, "user" : "last"}
    """#

  @Test("only members with a wanted name are read, even if the name contains escapes or occurs again")
  func wanted() {
    let reading = Self.fast(Array(Self.document.utf8))
    #expect(reading.error == nil)
    #expect(
      reading.members.compactMap { $0.split(separator: " ", omittingEmptySubsequences: false).first.map(String.init) }
        == ["id", "id_str", "user", "", "a\"b", "in_reply_to_status_id_str", "id", "id", "user"])
    #expect(reading == Self.slowly(Array(Self.document.utf8)))
  }

  @Test("an object that is truncated or altered anywhere is read as if each name were compared")
  func altered() {
    let whole = Array(Self.document.utf8)
    let bits = Array(#""\{}[],:0123456789-+.eEtfnu/xdD"#.utf8) + [0x00, 0x1f, 0x20, 0x0a, 0x7f, 0x80, 0xe3, 0xff]
    var random = SeededGenerator(seed: 18)
    for round in 0..<(whole.count + 3000) {
      var bytes = whole
      if round < whole.count {
        bytes.removeSubrange(round...)
      } else {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes.remove(at: place)
          case 1: bytes.insert(bits.randomElement(using: &random)!, at: place)
          default: bytes[place] = bits.randomElement(using: &random)!
          }
        }
        // Far from the end of the text, members are skipped in C.
        if round % 2 == 0 { bytes += [UInt8](repeating: 0x20, count: 64) }
      }
      let (fast, slowly) = (Self.fast(bytes), Self.slowly(bytes))
      if fast != slowly { Issue.record("\(fast), not \(slowly), in \(String(decoding: bytes, as: UTF8.self))") }
    }
  }

  @Test("a set may contain as many names as any reader wants")
  func manyNames() {
    let names = (0..<64).map { "name_\($0 * 7919)" }
    let table = JSONNameTable(names)
    for (number, name) in names.enumerated() {
      #expect(Array(name.utf8).withUnsafeBytes { table.number(of: $0) } == number)
    }
    #expect(Array("name_1".utf8).withUnsafeBytes { table.number(of: $0) } == nil)
  }
}
