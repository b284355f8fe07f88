import Platform
import TestSupport
import Testing

/// Imports of malicious SQLite files. StorageSQLiteTests covers the details.
@Suite("Importing malicious databases", .timeLimit(.minutes(4))) struct HostileImportTests {
  private static let users = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, screen_name TEXT, name TEXT);
    INSERT INTO users VALUES (9, 'nine', 'Nine');
    """

  private func database(in home: TestInstallation, _ sql: String) async throws -> String {
    let path = "\(home.path)/twitter.db"
    let outcome = try await ProgramRun.run("sqlite3", [path, Self.users + sql], environment: home.environment())
    try #require(outcome.code == 0, "\(outcome.error)")
    return path
  }

  @Test("A database with an endless view named tweets is refused with 65, and nothing is imported")
  func endlessView() async throws {
    let home = try TestInstallation()
    let path = try await database(
      in: home,
      """
      CREATE VIEW tweets (id, user, created_at, full_text) AS
        WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
        SELECT n, 9, '2019-09-04T13:51:55+00:00', 'endless' FROM r;
      """)
    let outcome = try await home.start(["import", path], timeout: .seconds(60)).end()
    #expect(outcome.code == 65 && outcome.output == "", "\(outcome.code) \(outcome.error)")
    #expect(outcome.error.contains("\(path): tweets is a view"), "\(outcome.error)")
    #expect(outcome.error.contains("Nothing was imported"), "\(outcome.error)")
    #expect(try home.files(below: "\(home.path)/data").allSatisfy { !$0.contains(".jsonl") })
  }

  @Test(
    "Refusing a tweet of 300 MB with 65 needs less than a gigabyte of address space",
    .enabled(if: !Sanitizer.isOn, "a sanitizer reserves terabytes of address space"))
  func largeBlob() async throws {
    let home = try TestInstallation()
    let path = try await database(
      in: home,
      """
      CREATE TABLE tweets (id INTEGER PRIMARY KEY, user INTEGER, created_at TEXT, full_text TEXT);
      INSERT INTO tweets VALUES (1, 9, '2019-09-04T13:51:55+00:00', zeroblob(300000000));
      """)
    let outcome = try await home.shell("ulimit -v 1000000; exec \"$0\" import '\(path)'")
    #expect(outcome.code == 65 && outcome.output == "", "\(outcome.code) \(outcome.error)")
    #expect(outcome.error.contains("\(path): a value or a row is larger than 256 KiB"), "\(outcome.error)")
  }
}
