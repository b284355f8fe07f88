import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import StorageSQLite

struct WarmConnectionsTests {
  @Test("only a limited number of idle connections keep their statements, and all connections keep working")
  func limit() throws {
    let folder = TemporaryFolder()
    let connections = try (0..<WarmConnections.limit + 8).map { number in
      let connection = try SQLiteConnection("\(folder.path)/\(number).db", .writing)
      try connection.run("PRAGMA journal_mode = WAL")
      try connection.run("CREATE TABLE numbers (number INTEGER) STRICT")
      try connection.run("CREATE VIRTUAL TABLE texts USING fts5(word, content='')")
      return connection
    }
    for round in 1...3 {
      for (number, connection) in connections.enumerated() {
        try connection.run("INSERT INTO numbers (number) VALUES (?)", [.integer(Int64(number))])
        try connection.run("INSERT INTO texts (rowid, word) VALUES (?, ?)", [.integer(Int64(round)), .text("post")])
        try connection.rest(renewingLogBy: "PRAGMA user_version = 1")
        #expect(try connection.first("SELECT sum(number) FROM numbers") { $0.amount(0) } == round * number)
        #expect(
          try connection.first("SELECT count(*) FROM texts WHERE texts MATCH 'post'") { $0.amount(0) } == round)
        try connection.rest(renewingLogBy: "PRAGMA user_version = 1")
      }
      #expect(connections.count(where: \.isWarm) <= WarmConnections.limit)
    }
    for connection in connections { connection.close() }
  }
}
