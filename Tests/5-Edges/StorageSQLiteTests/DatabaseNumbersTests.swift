import Folders
import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import StorageFiles
@testable import StorageSQLite

/// Databases and token files whose numbers are at and beyond the ends of every range. A trap ends the test process.
@Suite("Hostile numbers in stored files") struct DatabaseNumbersTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  private struct Column: Hashable {
    let table: String
    let name: String
  }

  /// Fills every table, and returns the columns that can hold numbers.
  private func prepare() throws -> [Column] {
    let database = try home.database()
    try database.insert(page(30, 21), as: .head)
    try database.insert(page(12, 1), as: .head)
    _ = try database.reserve(posts: 30, microUSD: 450_000, at: noon)
    database.close()
    let connection = try SQLiteConnection(home.files.database, .writing)
    defer { connection.close() }
    var columns: [Column] = []
    let tables = try connection.all(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE 'search_%'
        AND name NOT LIKE 'sqlite_%'
      """
    ) { $0.text(0) }
    for table in tables {
      columns += try connection.all("SELECT name FROM pragma_table_info('\(table)') WHERE type = 'INTEGER'") {
        Column(table: table, name: $0.text(0))
      }
    }
    return columns
  }

  @Test("no number in a database ends the program, and the next refresh works or names the damage")
  func columns() throws {
    let columns = try prepare()
    #expect(columns.count > 15, "\(columns)")
    let original = try File.read(home.files.database, limit: 16 << 20)
    for column in columns {
      for value in HostileNumbers.integers {
        try AtomicFile.write(original, to: home.files.database, .replaced)
        let connection = try SQLiteConnection(home.files.database, .writing)
        // A number that the schema does not permit cannot be stored by accident either.
        _ = try? connection.run("UPDATE OR IGNORE \(column.table) SET \(column.name) = ?", [.integer(value)])
        connection.close()
        use("\(column.table).\(column.name) = \(value)")
      }
    }
  }

  @Test("no number or time in a token file ends the program, and any token that is read can be written")
  func tokenFiles() throws {
    let times = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "-1", "9223372036854775807"]
    for stored in [token(), renewable("a")] {
      let text = String(decoding: stored.json, as: UTF8.self)
      var documents = HostileNumbers.documents(from: stored.json).map(\.bytes)
      let known = text.split(separator: "\"").filter { Timestamp(rfc3339: String($0)) != nil }
      #expect(!known.isEmpty)
      for time in Set(known) { documents += times.map { Array(text.replacing(time, with: $0).utf8) } }
      for bytes in documents {
        guard let read = try? StoredToken(json: bytes) else { continue }
        #expect(try StoredToken(json: read.json) == read)
        if case .oauth2(let bearer) = read.grant {
          _ = (bearer.expiresAt ?? .latest) - bearer.issuedAt
          _ = bearer.renewAt.map { $0 - noon }
        }
      }
    }
  }

  @Test("no number in the record of the last request ends the program", arguments: HostileNumbers.texts)
  func startMarkers(text: String) throws {
    let marker = StartMarker(home.files, machineStart: "boot")
    try Folder.create(home.files.dataFolder)
    try marker.write(RequestStart(at: .now, wall: noon, unfinished: 1, next: nil))
    let places = ["boot", "1000", "\(noon.milliseconds)", "1", "2000"]
    for place in 1..<places.count {
      var fields = places
      fields[place] = text
      try AtomicFile.write(Array((fields.joined(separator: " ") + "\n").utf8), to: home.files.startMarker, .replaced)
      guard let start = marker.read() else { continue }
      _ = start.unfinished + 1
      _ = (noon - start.wall, (start.next ?? .now) - start.at, start.at + .seconds(3600))
    }
  }

  /// Does with a database what a refresh, the commands and `doctor` do. An error is fine; a trap is not.
  private func use(_ what: String) {
    do {
      let database = try home.database()
      defer { database.close() }
      let state = try database.state()
      #expect(
        [state[.home].refreshedAt, state[.home].nextRefreshAt, state[.home].staleSince].allSatisfy {
          $0.map(isWritable) ?? true
        }, "\(what)")
      let record = try database.spending()
      _ = record.today(at: noon).countedPosts + record.today(at: noon).requests
      #expect(record.microUSDOfMonth(at: noon) >= 0, "\(what)")
      for post in try database.newestPosts(100, of: .home) { _ = post.mark }
      _ = try database.spans(of: .home)
      _ = try database.sincePosition(of: .home, overlap: .seconds(120))
      _ = try database.hoursOfWeek(at: noon)
      _ = try database.countOfPosts()
      _ = try database.unfinishedPurges()
      _ = try database.search(SearchQuery("t"), limit: 10)
      try database.export { post in
        #expect(post.createdAt.rfc3339.utf8.count == 20, "\(what)")
      }
      _ = try? database.reserve(posts: 1, microUSD: 1, at: noon)
      _ = try? database.insert(page(40, 35), as: .head)
      _ = try? database.integrity()
    } catch { #expect(!"\(error)".contains("Fatal error"), "\(what)") }
  }

  private func isWritable(_ time: Timestamp) -> Bool { time.rfc3339.utf8.count == 20 }
}
