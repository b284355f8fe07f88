import Folders
import Platform
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

@testable import StorageSQLite

/// What a database remembers, so that refreshes without new posts need not read it.
struct DatabaseMemoryTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }

  /// Stores a newest page like a service, which does not store states that differ only in refresh times.
  private func insert(
    _ page: Page, into database: AccountDatabase, at now: Timestamp = noon, keeping retention: Retention = Retention()
  ) throws -> Written<StoredPage> {
    var state = try database.state()
    (state[.home].refreshedAt, state.askedAt) = (now, now)
    return try database.insert(
      PageWrite(page, of: .home, as: .head, receivedAt: now, keeping: retention, state: state, defersQuietState: true),
      expecting: database.revision())
  }

  @Test("a page that equals the last one is not compared with the database again")
  func repeated() throws {
    let database = try home.database()
    #expect(try insert(page(20, 1), into: database).value.new.count == 20)
    let first = try insert(page(20, 10), into: database)
    #expect(first.value.isStateDeferred)
    // The revision grows with each transaction.
    let second = try insert(page(20, 10), into: database, at: noon + .seconds(90))
    #expect(second.value.isStateDeferred && second.value.new.isEmpty && second.revision == first.revision)
    let third = try insert(page(20, 9), into: database, at: noon + .seconds(180))
    #expect(third.value.isStateDeferred && third.revision != second.revision)
  }

  @Test("a page with a new post or a changed text is stored, after any number of equal pages")
  func changed() throws {
    let database = try home.database()
    for _ in 0..<4 { _ = try insert(page(20, 11), into: database) }
    #expect(try insert(page(21, 11), into: database).value.new.map(\.mark.id.text) == ["21"])
    for _ in 0..<4 { _ = try insert(page(21, 11), into: database) }
    let edited = Page(entries: (11...21).map { entry($0, text: $0 == 15 ? "edited" : nil) }, older: PageCursor("11"))
    #expect(try !insert(edited, into: database).value.isStateDeferred)
    #expect(
      try database.post(PostID("15")).map { String(decoding: $0.json, as: UTF8.self) }?.contains("edited") == true)
  }

  @Test("a page that equals the last one is stored again after a purge, an hour, or a change of the retention")
  func storedAgain() throws {
    let database = try home.database()
    for _ in 0..<3 { _ = try insert(page(20, 11), into: database) }
    #expect(try database.purge(.post(PostID("12")), at: noon).posts == 1)
    let afterPurge = try insert(page(20, 11), into: database)
    let equal = try insert(page(20, 11), into: database)
    #expect(equal.revision == afterPurge.revision)
    let late = try insert(page(20, 11), into: database, at: noon + .seconds(3600))
    #expect(late.revision != equal.revision)
    let retained = try insert(page(20, 11), into: database, at: noon + .seconds(3600), keeping: Retention(newest: 5))
    #expect(retained.revision != late.revision)
    #expect(try database.newestPosts(20, of: .home).count == 5)
  }

  @Test("after another connection has written, the database is read again")
  func written() throws {
    let database = try home.database()
    for _ in 0..<3 { _ = try insert(page(20, 11), into: database) }
    let before = try (
      database.state(), database.spans(of: .home), database.countOfFetchedPosts(of: .home, upTo: 100),
      database.revision()
    )
    let other = try SQLiteConnection(home.files.database, .writing)
    try other.run("UPDATE state SET failures = 7")
    try other.run("DELETE FROM posts WHERE id = '14'")
    try other.run("UPDATE spans SET oldest_key = newest_key, oldest_id = newest_id")
    other.close()
    #expect(try database.revision() != before.3)
    #expect(try database.state()[.home].failures == 7)
    #expect(try database.spans(of: .home) != before.1)
    #expect(before.2 == 10)
    #expect(try database.countOfFetchedPosts(of: .home, upTo: 100) == 1)
    #expect(try insert(page(20, 11), into: database).value.new.map(\.mark.id.text) == ["14"])
  }

  @Test("a refused write leaves nothing behind in memory")
  func refused() throws {
    let database = try home.database()
    _ = try insert(page(20, 11), into: database)
    let state = try database.state()
    var changed = state
    changed[.home].failures = 3
    #expect(throws: StorageError.self) { try database.write(changed, expecting: Revision(1000)) }
    #expect(try database.state() == state)
  }

  @Test(
    "a post that version 0.1.0 stored with null members is stored without them when it arrives again, and not marked as edited"
  )
  func nullMembers() throws {
    let database = try home.database()
    _ = try insert(page(3, 1), into: database)
    let other = try SQLiteConnection(home.files.database, .writing)
    try other.run(#"UPDATE posts SET post = replace(post, ',"media"', ',"language":null,"quoted":null,"media"')"#)
    other.close()
    _ = try database.revision()
    let stored = { try database.newestPosts(3, of: .home).map { String(decoding: $0.json, as: UTF8.self) } }
    #expect(try stored().allSatisfy { $0.contains(#""quoted":null"#) })
    #expect(try insert(page(3, 1), into: database).value.new.isEmpty)
    #expect(try stored().allSatisfy { !$0.contains("null") && !$0.contains("edited_at") })
  }
}
