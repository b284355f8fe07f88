import Formats
import Glibc
import Platform
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Storage

@Suite struct ImportFileTests {
  private let folder = TemporaryFolder()
  private var staged: String { "\(folder.path)/import.jsonl" }

  private func file(_ text: String) throws -> String {
    let path = "\(folder.path)/posts.jsonl"
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
    return path
  }

  private func all(_ step: Int = 2) throws -> [ImportedPost] {
    let posts = StagedPosts(staged)
    var all: [ImportedPost] = []
    while true {
      let next = try posts.next(step)
      if next.isEmpty { return all }
      #expect(next.count <= step)
      all += next
    }
  }

  private let line =
    #"{"id":"12","created_at":"2026-11-20T12:00:00Z","author":{"id":"1","screen_name":"a","name":"A"},"text":"hi"}"#

  private var samples: [ImportedPost] {
    [
      ImportedPost(
        entry(12, text: "a\n\"b\" 手机").post, key: PostKey("02.12"), source: Array(#"{"x":[1,{"y":"z"}]}"#.utf8),
        edits: [
          ImportedPost.Edit(until: noon, id: PostID("11"), text: "before"),
          ImportedPost.Edit(until: noon + .seconds(1), id: PostID("12"), text: ""),
        ]),
      ImportedPost(deleted: PostID("x-9"), key: PostKey("t9.x"), createdAt: noon, deletedAt: noon + .seconds(5)),
      ImportedPost(entry(7).post, key: PostKey("01.7")),
    ]
  }

  @Test("the lines of an import file are read back unchanged, in batches of any size", arguments: [1, 2, 3, 100])
  func roundTrip(step: Int) throws {
    let text = samples.map { String(decoding: $0.line, as: UTF8.self) }.joined(separator: "\n")
    #expect(try ImportFile.stage(file(text), to: staged) == 3)
    #expect(try all(step) == samples)
  }

  @Test("the staged import file is private, and no other file is left behind")
  func modes() throws {
    #expect(try ImportFile.stage(file(line), to: staged) == 1)
    #expect(try permissions(staged) == 0o600)
    #expect(try Folder.names(in: folder.path) == ["import.jsonl", "posts.jsonl"])
  }

  @Test("a published line without a key gets its position from its decimal id")
  func published() throws {
    #expect(try ImportFile.stage(file("\u{feff}\(line)\r\n\n  \n"), to: staged) == 1)
    let post = try #require(try all().first)
    #expect(post.key == PostKey(decimal: PostID("12")))
    #expect(post.post?.text == "hi")
    #expect(post.source == [])
    #expect(post.createdAt == noon)
  }

  @Test("an empty import file contains no posts")
  func empty() throws {
    #expect(try ImportFile.stage(file(""), to: staged) == 0)
    #expect(try all() == [])
  }

  @Test(
    "an invalid line of an import is reported with the reason, and no file is left behind",
    arguments: [
      ("?", "line 2: column 1: not valid JSON: expected a value"), ("null", "line 2: column 1: expected an object"),
      ("{}", "line 2: column 1: 'id' is missing"),
      ("[]", "line 2: column 1: expected an object"),
      (#"{"id":"1""#, "line 2: column 10: the text ends in the middle of a value"),
      (#"{"id":"1"} x"#, "line 2: column 12: not valid JSON: expected the end"),
      (#"{"id":"1","created_at":"yesterday"}"#, "'created_at' should be a time such as 2026-11-20T16:00:00Z"),
      (
        #"{"id":"x","created_at":"2026-11-20T12:00:00Z","deleted_at":"2026-11-20T12:00:00Z"}"#,
        "its id is not a decimal number"
      ),
      (
        #"{"id":"1","key":"a b","created_at":"2026-11-20T12:00:00Z"}"#,
        "'key' should be a string of 1 to 200 ASCII characters"
      ),
      (#"{"created_at":"2026-11-20T12:00:00Z","deleted_at":"2026-11-20T12:00:00Z"}"#, "line 2: id is missing"),
    ])
  func refused(bad: String, reason: String) throws {
    let path = try file("\(line)\n\(bad)\n")
    let error = #expect(throws: ImportError.self) { try ImportFile.stage(path, to: staged) }
    let message = try #require(error?.description)
    #expect(message.hasPrefix("\(path), line 2: "))
    #expect(message.contains(reason), "\(message)")
    #expect(try Folder.names(in: folder.path) == ["posts.jsonl"])
  }

  @Test("an import line of exactly a mebibyte is read, and a longer one is refused")
  func longLine() throws {
    func padded(_ count: Int) -> String {
      line.dropLast() + String(repeating: " ", count: count - line.utf8.count) + "}"
    }
    #expect(try ImportFile.stage(file(padded(1 << 20)), to: staged) == 1)
    let path = try file(line + "\n" + padded(1 << 20 + 1))
    let error = #expect(throws: ImportError.self) { try ImportFile.stage(path, to: staged) }
    #expect(
      error?.description == "\(path), line 2: the line is too long: more than 1048576 bytes. Nothing was imported")
  }

  @Test("a failed import leaves the previously staged file unchanged")
  func keepsTheFormer() throws {
    #expect(try ImportFile.stage(file(line), to: staged) == 1)
    #expect(throws: ImportError.self) { try ImportFile.stage(file("?"), to: staged) }
    #expect(try all().count == 1)
  }

  @Test("the error for a missing import file contains its path")
  func missing() {
    let error = #expect(throws: ImportError.self) { try ImportFile.stage("\(folder.path)/none", to: staged) }
    #expect(error?.description == "\(folder.path)/none: No such file or directory")
  }
}
