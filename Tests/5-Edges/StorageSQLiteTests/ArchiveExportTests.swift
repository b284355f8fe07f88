import Folders
import Formats
import Platform
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import Storage

@Suite struct ArchiveExportTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private func rows(_ database: AccountDatabase, since: Int64? = nil, until: Int64? = nil) throws -> [ArchivedPost] {
    var rows: [ArchivedPost] = []
    try database.export(
      since: since.map { Timestamp(seconds: $0) }, until: until.map { Timestamp(seconds: $0) }
    ) { rows.append($0) }
    return rows
  }

  @Test("an export contains all posts within the bounds, newest first, in several steps")
  func order() throws {
    let database = try home.database()
    try database.insert(page(1000, 1), as: .head)
    #expect(try rows(database).map(\.mark.id.text) == (1...1000).reversed().map(String.init))
    #expect(try rows(database, since: 990).count == 11)
    #expect(try rows(database, since: 990, until: 1000).map(\.mark.id.text).first == "999")
    #expect(try rows(database, until: 1).isEmpty)
  }

  @Test("an export is a snapshot, without anything written after it began")
  func oneMoment() throws {
    let owner = try home.database()
    try owner.insert(page(600, 1), as: .head)
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    defer { reader.close() }
    var seen: [String] = []
    try reader.export { row in
      if seen.isEmpty {
        try owner.insert(
          Page(entries: [entry(2000), entry(1, text: "changed")], older: nil, deleted: [entry(2).mark]), as: .head)
      }
      seen.append(String(decoding: row.line, as: UTF8.self))
    }
    #expect(seen.count == 600)
    #expect(!seen.contains { $0.contains("changed") || $0.contains("deleted_at") })
    #expect(try rows(reader).count == 601)
  }

  @Test("the receiver can stop an export, and the archive remains usable")
  func ends() throws {
    struct Enough: Error {}
    let database = try home.database()
    try database.insert(page(3, 1), as: .head)
    #expect(throws: Enough.self) { try database.export { _ in throw Enough() } }
    #expect(try rows(database).count == 3)
  }

  @Test("importing an export produces the same archive, with sources, edits and deleted posts")
  func roundTrip() throws {
    let database = try home.database()
    var entries = (1...50).map { number in
      Page.Entry(
        post: entry(number).post, key: entry(number).key,
        source: Array(#"{"id":\#(number),"nested":{"a":[1,2]},"text":"手机 \" "}"#.utf8)[...])
    }
    entries[7] = entry(8)
    try database.insert(Page(entries: entries, older: nil), as: .head)
    try database.insert(
      Page(entries: [entry(20, text: "new\nwords")], older: nil, deleted: [entry(30).mark]), as: .head, at: noon)
    try database.insert(
      Page(entries: [entry(20, text: "newest words")], older: nil), as: .head, at: noon + .seconds(60))
    let rows = try rows(database)
    let file = "\(folder.path)/export.jsonl"
    let staged = "\(folder.path)/staged"
    try AtomicFile.write(rows.flatMap { $0.line + Array("\n".utf8) }, to: file, .replaced)
    #expect(try ImportFile.stage(file, to: staged) == 50)
    let posts = StagedPosts(staged)
    let read = try posts.next(100)
    #expect(read.map { PostPosition(id: $0.id, key: $0.key) } == rows.map(\.mark))
    #expect(read.map(\.createdAt) == rows.map(\.createdAt))
    #expect(read.map(\.source) == rows.map(\.source))
    #expect(read.map(\.edits) == rows.map(\.edits))
    #expect(read.map(\.deletedAt) == rows.map(\.deletedAt))
    #expect(read.map { $0.post.map { PostJSON.bytes($0) } } == rows.map(\.json))
    let edited = try #require(read.first { $0.id.text == "20" })
    #expect(edited.edits.map(\.text) == ["post 20", "new\nwords"])
    #expect(read.filter { $0.deletedAt != nil }.map(\.id.text) == ["30"])
    #expect(read.filter { $0.source.isEmpty }.map(\.id.text) == ["30", "8"])
  }

  @Test("an export omits a post's source that is not JSON, and keeps unknown members")
  func foreignContent() async throws {
    let database = try home.database()
    try database.insert(page(2, 1), as: .head)
    database.close()
    let sql = """
      UPDATE posts SET source = '{"a":' WHERE id = '1';
      UPDATE posts SET source = '{' || char(10) || '"a":1}', post = json_set(post, '$.later', 7) WHERE id = '2';
      """
    let outcome = try await ProgramRun.run(
      "sqlite3", [home.files.database, sql], environment: ["PATH": "/usr/bin:/bin"])
    try #require(outcome.code == 0, "\(outcome.error)")
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    let lines = try rows(reader).map { String(decoding: $0.line, as: UTF8.self) }
    reader.close()
    #expect(lines[0].hasSuffix(#","later":7,"key":"01.2","source":{ "a":1}}"#))
    #expect(lines[1].hasSuffix(#","key":"01.1"}"#))
  }
}
