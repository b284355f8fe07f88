import Glibc
import Platform
import TestSupport
import Testing

/// Checks the files of an installation while no process is using them.
struct IntegrityCheck {
  let home: TestInstallation

  private var cache: String { "\(home.path)/cache/homeline" }

  /// Returns the damaged published files. Each file must be complete, and every picture that a page refers to must
  /// exist.
  func damagedPublications() async throws -> [String] {
    var damaged: [String] = []
    for file in try home.files(below: cache) where !file.hasPrefix("\(cache)/_media/") && !file.contains(".new-") {
      if let damage = try await damage(of: file) { damaged.append("\(file): \(damage)") }
    }
    return damaged
  }

  private func damage(of file: String) async throws -> String? {
    let text = try home.read(file)
    guard text.hasSuffix("\n") else { return "truncated after \(text.utf8.count) bytes" }
    if file.hasSuffix(".json") { return (try? JSONValue(Array(text.utf8))) == nil ? "not JSON" : nil }
    if file.hasSuffix(".jsonl") {
      let lines = text.split(separator: "\n").map { try? JSONValue(Array($0.utf8)) }
      return lines.contains { $0 == nil } ? "a line is not JSON" : nil
    }
    if file.hasSuffix(".atom") {
      guard text.hasSuffix("</feed>\n") else { return "truncated" }
      guard Self.hasXMLLint else { return nil }
      let lint = try await ProgramRun.run("xmllint", ["--noout", file], environment: home.environment())
      return lint.code == 0 ? nil : lint.error
    }
    if file.hasSuffix(".html") {
      guard text.hasSuffix("</html>\n") else { return "truncated" }
      let missing = pictures(in: text).filter { !isComplete("\(cache)/_media/\($0)") }
      return missing.isEmpty ? nil : "refers to the missing \(missing)"
    }
    return nil
  }

  /// Returns the paths of a page's pictures, relative to the picture folder.
  func pictures(in page: String) -> [Substring] {
    page.ranges(of: "../_media/").map { page[$0.upperBound...].prefix { $0 != "\"" } }
  }

  /// Returns whether a PNG file ends with its last chunk.
  private func isComplete(_ picture: String) -> Bool {
    (try? File.read(picture, limit: 16 << 20))?.suffix(8) == [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
  }

  private static let hasXMLLint = access("/usr/bin/xmllint", X_OK) == 0

  /// Queries a copy of a database with `sqlite3`, so that homeline finds the original's log unchanged.
  func queryCopy(of database: String, _ sql: String) async throws -> String {
    let copy = TemporaryFolder()
    for suffix in ["", "-wal"] where File.exists(database + suffix) {
      try AtomicFile.write(
        File.read(database + suffix, limit: 64 << 20), to: "\(copy.path)/copy.db\(suffix)", .replaced)
    }
    let outcome = try await ProgramRun.run("sqlite3", ["\(copy.path)/copy.db", sql], environment: home.environment())
    return outcome.code == 0 ? String(outcome.output.dropLast()) : "sqlite3: \(outcome.error)"
  }

  /// Returns the corrupt databases, with SQLite's message about each.
  func damagedDatabases() async throws -> [String] {
    var damaged: [String] = []
    for file in try home.files(below: "\(home.path)/data") where file.hasSuffix("/timeline.db") {
      let response = try await queryCopy(of: file, "PRAGMA quick_check")
      if response != "ok" { damaged.append("\(file): \(response)") }
    }
    return damaged
  }

  /// Returns temporary files and files that were set aside without a reason.
  func leftovers() throws -> [String] {
    try ["state", "cache", "data"].flatMap { try home.files(below: "\(home.path)/\($0)") }.filter { file in
      [".new-", ".reserved-", ".next", ".corrupt-", ".used-"].contains { file.contains($0) }
    }
  }
}

/// The posts that an account must have published and stored, whatever happened: all of the provider's posts, in order
/// and each once.
struct ExpectedPosts {
  private let fixture: PostingFixture
  private let integrity: IntegrityCheck
  private var ids: [String]
  private var stored = 0
  /// The number of new posts since the last check.
  private var news = 0

  /// Creates the check for an account that has had no failures yet and whose published file is full.
  init(_ fixture: PostingFixture) async throws {
    self.fixture = fixture
    integrity = IntegrityCheck(home: fixture.home)
    ids = try fixture.home.publishedIDs()
    stored = try await storedNow()
  }

  /// Adds new posts on the provider.
  mutating func post(_ count: Int) {
    fixture.post(count)
    news += count
  }

  /// Whether the new posts have been published.
  var areNewest: Bool {
    get throws { try fixture.home.publishedIDs().dropFirst(news).prefix(1) == ids.prefix(1) }
  }

  /// Checks the state after a successful refresh, which must be the same as if nothing had ever failed.
  mutating func check(_ context: Comment) async throws {
    let now = try fixture.home.publishedIDs()
    #expect(now.count == ids.count && now.dropFirst(news) == ids.dropLast(news), context)
    let storedNow = try await storedNow()
    #expect(storedNow == stored + news, context)
    #expect(try fixture.home.published()["error"] == .null, context)
    #expect(try integrity.leftovers() == [], context)
    #expect(try await integrity.damagedPublications() == [], context)
    (ids, stored, news) = (now, storedNow, 0)
  }

  private func storedNow() async throws -> Int {
    try #require(Int(try await integrity.queryCopy(of: fixture.home.database, "SELECT count(*) FROM posts")))
  }
}
