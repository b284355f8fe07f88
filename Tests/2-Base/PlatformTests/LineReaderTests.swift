import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct LineReaderTests {
  private let folder = TemporaryFolder()

  private func path(_ text: String) throws -> String {
    let path = "\(folder.path)/lines"
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
    return path
  }

  private func lines(of text: String, limit: Int = 1000, from offset: Int = 0) throws -> [String] {
    var reader = try LineReader(Descriptor.open(path(text), O_RDONLY), limit: limit, from: offset)
    var lines: [String] = []
    while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(reader.offset == text.utf8.count)
    return lines
  }

  @Test("lines are returned without line feeds, and the last line does not need one")
  func ends() throws {
    #expect(try lines(of: "") == [])
    #expect(try lines(of: "a\n\nb\r\nc") == ["a", "", "b\r", "c"])
    #expect(try lines(of: "a\n") == ["a"])
    #expect(try lines(of: "\n") == [""])
  }

  @Test("lines longer than a chunk of the file are returned in full")
  func long() throws {
    let long = String(repeating: "x", count: 200_000)
    #expect(try lines(of: "\(long)\nshort\n\(long)y", limit: 300_000) == [long, "short", long + "y"])
  }

  @Test("a line at the length limit is read, and a longer one is refused")
  func limit() throws {
    #expect(try lines(of: "12345\n12345", limit: 5) == ["12345", "12345"])
    #expect(throws: LineReader.ReadError.tooLong) { try lines(of: "12345\n123456", limit: 5) }
    #expect(throws: LineReader.ReadError.tooLong) { try lines(of: String(repeating: "x", count: 1 << 20), limit: 5) }
  }

  @Test("a line reader can continue at a given offset")
  func goesOn() throws {
    #expect(try lines(of: "one\ntwo\nthree", from: 4) == ["two", "three"])
    #expect(try lines(of: "one\ntwo\nthree", from: 13) == [])
  }

  @Test("peeking at a line does not consume bytes")
  func looksAhead() throws {
    var reader = try LineReader(Descriptor.open(path("SQLite\nrest"), O_RDONLY), limit: 100)
    let begins = try [reader.begins(with: Array("SQL".utf8)), reader.begins(with: Array("x".utf8))]
    #expect(begins == [true, false])
    let line = try reader.next()
    #expect(line == Array("SQLite".utf8))
    let end = try reader.begins(with: Array("rest of it".utf8))
    #expect(!end)
  }
}
