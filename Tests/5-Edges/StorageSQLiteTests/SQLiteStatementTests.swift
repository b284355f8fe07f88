import Storage
import Testing

@testable import StorageSQLite

/// Values and statements as SQLite receives them.
struct SQLiteStatementTests {
  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection(":memory:", .memory) }

  @Test(
    "a bound value has its type and its bytes, even if it is empty",
    arguments: [
      (.null, "null", ""), (.integer(-1), "integer", "2D31"), (.text(""), "text", ""), (.text("é"), "text", "C3A9"),
      (.text(String(repeating: "x", count: 40)), "text", String(repeating: "78", count: 40)), (.utf8([]), "text", ""),
      (.utf8([1, 0x61, 0x62, 2][1...2]), "text", "6162"), (.bytes([]), "blob", ""), (.bytes([0, 255]), "blob", "00FF"),
    ] as [(SQLiteValue, String, String)])
  func values(value: SQLiteValue, type: String, bytes: String) throws {
    // The neighbours have their own memory, which must be valid until the statement ends.
    let row = try connection.first(
      "SELECT ?, typeof(?2), hex(?2), ?", [.text(String(repeating: "a", count: 30)), value, .utf8([0x62])]
    ) { [$0.text(0), $0.text(1), $0.text(2), $0.text(3)] }
    #expect(row == [String(repeating: "a", count: 30), type, bytes, "b"])
  }

  @Test("a value that a statement stored outlives the statement")
  func stored() throws {
    try connection.run("CREATE TABLE texts (text TEXT NOT NULL) STRICT")
    for number in 0..<3 {
      try connection.run("INSERT INTO texts VALUES (?)", [.text("a text with the number \(number)")])
    }
    let stored = try connection.all("SELECT text FROM texts") { $0.text(0) }
    #expect(stored == (0..<3).map { "a text with the number \($0)" })
  }

  @Test("statements of the same length are different statements")
  func length() throws {
    for _ in 0..<2 {
      #expect(try connection.first("SELECT 1") { $0.amount(0) } == 1)
      #expect(try connection.first("SELECT 2") { $0.amount(0) } == 2)
    }
  }

  @Test("a table exists as soon as it is created, and a view is not a table")
  func table() throws {
    #expect(try !connection.hasTable("texts"))
    try connection.run("CREATE TABLE texts (text TEXT) STRICT")
    #expect(try connection.hasTable("texts"))
    try connection.run("CREATE VIEW views AS SELECT * FROM texts")
    #expect(try !connection.hasTable("views"))
    try connection.run("DROP TABLE texts")
    #expect(try !connection.hasTable("texts"))
  }
}
