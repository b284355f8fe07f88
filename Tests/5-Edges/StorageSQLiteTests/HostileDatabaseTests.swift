import Platform
import StorageSQLite
import TestSupport
import Testing

/// Malicious SQLite files for `import`, made with `sqlite3`.
@Suite("Importing a malicious database") struct HostileDatabaseTests {
  private let folder = TemporaryFolder()
  private var database: String { "\(folder.path)/twitter.db" }
  private var staged: String { "\(folder.path)/import.jsonl" }

  private static let users = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, screen_name TEXT, name TEXT);
    INSERT INTO users VALUES (9, 'nine', 'Nine');
    """
  private static let tweets = """
    CREATE TABLE tweets (id INTEGER PRIMARY KEY, user INTEGER, created_at TEXT, full_text TEXT);
    INSERT INTO tweets VALUES (1, 9, '2019-09-04T13:51:55+00:00', 'one');
    INSERT INTO tweets VALUES (2, 9, '2019-09-04T13:51:55+00:00', 'two');
    """

  private func make(_ sql: String) async throws {
    let outcome = try await ProgramRun.run(
      "sqlite3", ["-cmd", ".dbconfig defensive off", database, sql], environment: ["PATH": "/usr/bin:/bin"])
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  /// Expects that nothing is imported and that the error message includes the given texts.
  private func expectRefused(_ parts: String...) throws {
    let error = #expect(throws: ImportError.self) { try ImportFile.stage(database, to: staged) }
    let message = error?.description ?? ""
    for part in parts + [database, "Nothing was imported"] { #expect(message.contains(part), "\(message)") }
    #expect(!File.exists(staged))
    #expect(try Folder.names(in: folder.path).allSatisfy { !$0.contains(".new-") })
  }

  @Test(
    "a view in place of a table is never read, regardless of the case of its name",
    arguments: ["tweets", "users", "TWEETS"])
  func view(name: String) async throws {
    let isUsers = name == "users"
    let columns = isUsers ? "id, screen_name, name" : "id, user, created_at, full_text"
    let row = isUsers ? "n, 'a', 'b'" : "n, 9, '2019-09-04T13:51:55+00:00', 'endless'"
    try await make(
      (isUsers ? Self.tweets : Self.users)
        + """
        CREATE VIEW \(name) (\(columns)) AS
          WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT \(row) FROM r;
        """)
    try expectRefused("\(name.lowercased()) is a view", "an ordinary table")
  }

  @Test("a view that the schema declares as a table is never read")
  func disguisedView() async throws {
    try await make(
      Self.users
        + """
        CREATE VIEW tweets (id, user, created_at, full_text) AS
          WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
          SELECT n, 9, '2019-09-04T13:51:55+00:00', 'endless' FROM r;
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET type = 'table', name = 'harmless' WHERE name = 'tweets';
        """)
    try expectRefused()
  }

  @Test(
    "views, triggers and search indexes besides the required tables are ignored")
  func beside() async throws {
    try await make(
      Self.users + Self.tweets
        + """
        CREATE VIEW endless AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r;
        CREATE VIRTUAL TABLE tweets_fts USING fts5(full_text, content = 'tweets', content_rowid = 'id');
        CREATE TRIGGER tweets_ai AFTER INSERT ON tweets BEGIN
          INSERT INTO tweets_fts (rowid, full_text) VALUES (new.id, new.full_text);
        END;
        CREATE TRIGGER tweets AFTER DELETE ON tweets BEGIN SELECT * FROM endless; END;
        """)
    #expect(try ImportFile.stage(database, to: staged) == 2)
  }

  @Test("a virtual table, which can run code, is never read")
  func virtualTable() async throws {
    try await make(
      Self.users
        + """
        CREATE VIRTUAL TABLE tweets USING fts5(id, user, created_at, full_text);
        INSERT INTO tweets VALUES (1, 9, '2019-09-04T13:51:55+00:00', 'one');
        """)
    try expectRefused("tweets is a virtual table")
  }

  @Test("a generated column, which may take forever to compute, is never read", arguments: ["VIRTUAL", "STORED"])
  func generatedColumn(kind: String) async throws {
    let text = "like('%a%a%a%a%a%a%a%a%a%a%a%a%b', printf('%.*c', 200000, 'a'))"
    try await make(
      Self.users
        + """
        CREATE TABLE tweets (id INTEGER PRIMARY KEY, user INTEGER, created_at TEXT,
          full_text TEXT AS (\(kind == "STORED" ? "'x'" : text)) \(kind));
        INSERT INTO tweets (id, user, created_at) VALUES (1, 9, '2019-09-04T13:51:55+00:00');
        """)
    try expectRefused("the column full_text of the table tweets is generated")
  }

  @Test(
    "a value or row larger than any tweet is refused",
    arguments: ["zeroblob(300000)", "hex(zeroblob(200000))"])
  func largeValue(value: String) async throws {
    try await make(
      Self.users + Self.tweets
        + "INSERT INTO tweets VALUES (3, 9, '2019-09-04T13:51:55+00:00', \(value));")
    try expectRefused("larger than 256 KiB")
  }

  @Test("long names repeated in every tweet do not fill the disk")
  func longNames() async throws {
    try await make(
      Self.tweets
        + """
        CREATE TABLE users (id INTEGER PRIMARY KEY, screen_name TEXT, name TEXT);
        INSERT INTO users VALUES (9, hex(zeroblob(60000)), hex(zeroblob(60000)));
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO tweets SELECT i, 9, '2019-09-04T13:51:55+00:00', 't' FROM n;
        """)
    try expectRefused("times the size of the file")
  }

  @Test("a database schema that contradicts itself is refused with advice")
  func malformedSchema() async throws {
    try await make(
      Self.users + Self.tweets
        + """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE tweets (id INTEGER PRIMARY KEY, user, created_at, full_text' WHERE name = 'tweets';
        """)
    try expectRefused("it is corrupt", ".recover")
  }

  @Test("reading stops if a small database file contains an endless tree of pages")
  func endlessTree() async throws {
    try await make(
      Self.users + Self.tweets
        + """
        CREATE TABLE timeline_tweets (user INTEGER, tweet INTEGER);
        INSERT INTO timeline_tweets VALUES (9, 1);
        """)
    let outcome = try await ProgramRun.run(
      "sqlite3", [database, "SELECT rootpage FROM sqlite_schema WHERE name = 'timeline_tweets'"],
      environment: ["PATH": "/usr/bin:/bin"])
    let root = try #require(Int(outcome.output.split(separator: "\n").first ?? ""))
    var bytes = try File.read(database, limit: 1 << 20)
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    let first = bytes.count / size + 1
    let levels = 12
    // The only leaf page is below inner pages. Each inner page has fifty references to the next one.
    let leaf = Array(bytes[((root - 1) * size)..<(root * size)])
    bytes.replaceSubrange(((root - 1) * size)..<(root * size), with: Self.innerPage(size, below: first))
    for level in 0..<levels { bytes += Self.innerPage(size, below: first + level + 1) }
    bytes += leaf
    // These fields are the size in pages, and the number of the change that the size is valid for
    // (sqlite.org/fileformat2.html#in_header_database_size).
    bytes.replaceSubrange(28..<32, with: Self.number(first + levels))
    bytes.replaceSubrange(92..<96, with: bytes[24..<28])
    try AtomicFile.write(bytes, to: database, .replaced)
    try expectRefused("far more steps than a file of its size should need")
  }

  /// Returns an inner page of a table (sqlite.org/fileformat2.html#b_tree_pages) whose cells all refer to one page.
  private static func innerPage(_ size: Int, below page: Int) -> [UInt8] {
    let count = 50
    let start = size - 5 * count
    var bytes: [UInt8] = [5, 0, 0, 0, UInt8(count), UInt8(start >> 8), UInt8(start & 255), 0] + number(page)
    for cell in 0..<count {
      let home = start + 5 * cell
      bytes += [UInt8(home >> 8), UInt8(home & 255)]
    }
    bytes += [UInt8](repeating: 0, count: start - bytes.count)
    for cell in 0..<count { bytes += number(page) + [UInt8(cell + 1)] }
    return bytes
  }

  private static func number(_ value: Int) -> [UInt8] {
    [UInt8(value >> 24 & 255), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }
}
