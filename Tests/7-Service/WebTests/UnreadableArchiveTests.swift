import Folders
import Platform
import StorageSQLite
import TestSupport
import Testing
import Time

@testable import Web

/// Archives that this version must not read, or that another process holds. Damaged ones are in ``ViewPageTests``.
@Suite("Archives that cannot be read", .timeLimit(.minutes(3))) struct UnreadableArchiveTests {
  private typealias Fixture = ReadingFixture

  private static let hasShell =
    ProgramSearch.find("sqlite3", in: ProcessEnvironment.variables()["PATH"] ?? "") != nil

  /// Returns a service with two accounts and a view of both; bird has the post 1000, and cat the post 1001.
  private func fixture() throws -> Fixture {
    let fixture = try Fixture(
      #""bird": {"provider": "sandbox"}, "cat": {"provider": "sandbox"}"#,
      views: #""all": {"accounts": ["bird", "cat"]}"#)
    try fixture.store([Fixture.post(1000)])
    try fixture.store([Fixture.post(1001)], of: "cat")
    return fixture
  }

  /// Checks that the pages of bird say what is wrong, and that everything else works.
  private func check(_ fixture: Fixture, says reason: String) throws {
    for address in ["/a/bird", "/a/bird?part=posts", "/a/bird/p/1000", "/search?q=post&in=bird"] {
      let answer = try fixture.get(address)
      #expect(answer.status == 503 && answer.html.contains(reason), "\(address): \(answer.html)")
      #expect(answer.html.contains("The other accounts are not affected."), "\(address)")
      #expect(PageJudge(answer.html).faults == [], "\(address)")
    }
    for address in ["/v/all", "/search?q=post"] {
      let answer = try fixture.get(address)
      #expect(answer.status == 200 && answer.numbers == [1001] && answer.html.contains(reason), "\(address)")
    }
    for address in ["/", "/status"] {
      let answer = try fixture.get(address)
      #expect(answer.status == 200 && answer.html.contains(reason), "\(address): \(answer.html)")
      let path = fixture.layout.files(of: "bird").database
      #expect(answer.html.contains("\(path): ") && !answer.html.contains("\(path): \(path)"), "\(address)")
    }
    // A reply can still be written; only the answered post is missing.
    #expect(try fixture.get("/post?account=bird&reply=1000&draft=\(String(repeating: "0", count: 32))").status == 200)
    #expect(try fixture.get("/a/cat").numbers == [1001])
    #expect(try fixture.get("/a/cat/p/1001").numbers == [1001])
  }

  @Test("A page of an archive that a newer homeline has written names both versions, and the file stays as it is")
  func newer() throws {
    let fixture = try fixture()
    let path = fixture.layout.files(of: "bird").database
    let connection = try SQLiteConnection(path, .writing)
    try connection.run("PRAGMA user_version = 999")
    connection.close()
    try check(fixture, says: "written by a newer homeline (schema 999; this one supports up to ")
    let reader = try SQLiteConnection(path, .reading)
    defer { reader.close() }
    #expect(try reader.first("PRAGMA user_version") { $0.amount(0) } == 999)
  }

  @Test(
    "A page of an archive that another process keeps for itself says so, and works when it is free again",
    .enabled(if: hasShell, "there is no sqlite3"))
  func locked() async throws {
    let fixture = try fixture()
    let shell = try ProgramRun(
      "sqlite3", [fixture.layout.files(of: "bird").database],
      environment: ProgramRun.environment(home: fixture.folder.path), input: .open)
    // In this mode, the database cannot even be read (sqlite.org/pragma.html#pragma_locking_mode).
    shell.type("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; SELECT upper('held');\n")
    try #require(await shell.line(containing: "HELD") != nil)
    try check(fixture, says: "locked by another process")
    shell.type("ROLLBACK;\n.quit\n")
    _ = await shell.end()
    #expect(try fixture.get("/v/all").numbers == [1001, 1000])
  }

  @Test(
    "An archive in which another process writes is read as it was before",
    .enabled(if: hasShell, "there is no sqlite3"))
  func written() async throws {
    let fixture = try fixture()
    let shell = try ProgramRun(
      "sqlite3", [fixture.layout.files(of: "bird").database],
      environment: ProgramRun.environment(home: fixture.folder.path), input: .open)
    shell.type("BEGIN EXCLUSIVE; DELETE FROM posts; SELECT upper('held');\n")
    try #require(await shell.line(containing: "HELD") != nil)
    for address in ["/a/bird", "/a/bird/p/1000", "/search?q=post&in=bird"] {
      #expect(try fixture.get(address).numbers == [1000], "\(address)")
    }
    shell.type("ROLLBACK;\n.quit\n")
    _ = await shell.end()
  }
}
