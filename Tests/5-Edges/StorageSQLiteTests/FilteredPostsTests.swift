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

/// Posts hidden by the user's filters on the server. They are stored, but no reader of posts sees them.
@Suite struct FilteredPostsTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private let hour = Duration.seconds(3600)

  private func entry(_ number: Int, _ action: ServerFilter.Action? = nil, text: String? = nil) -> Page.Entry {
    let plain = StorageSQLiteTests.entry(number, text: text)
    let post = plain.post.filtered(by: action.map { ServerFilter($0, title: "wasps") })
    return Page.Entry(post: post, key: plain.key, source: Array("{\"n\":\(number)}".utf8)[...])
  }

  private func page(_ entries: Page.Entry...) -> Page {
    Page(entries: entries, older: PageCursor(entries.last!.post.id.text))
  }

  private func numbers(_ database: AccountDatabase) throws -> [Int] {
    try database.newestPosts(100, of: .home).map { Int($0.mark.id.text)! }
  }

  private func found(_ word: String, _ database: AccountDatabase, author: String? = nil) throws -> [[Int]] {
    let query = try SearchQuery(word)
    return [
      try database.search(query, author: author, limit: 10),
      try database.searchFiltered(query, author: author, limit: 10),
    ].map { $0.map { Int($0.mark.id.text)! } }
  }

  /// Returns an archive with the posts 1 to 5, where a filter hides post 3.
  private func filled() throws -> AccountDatabase {
    let database = try home.database()
    let new = try database.insert(
      page(entry(5), entry(4), entry(3, .hide), entry(2), entry(1)), as: .head, at: noon)
    #expect(new.map(\.mark.id.text) == ["5", "4", "2", "1"], "a hidden post is not new")
    return database
  }

  private func expectSound(_ database: AccountDatabase, filtered: Int) throws {
    let integrity = try database.integrity()
    #expect(integrity.problems == [])
    #expect(integrity.filtered == filtered)
    #expect(try database.countOfFilteredPosts() == filtered)
  }

  @Test("a filtered post is not shown, counted, unread or found, but belongs to the known range")
  func hidden() throws {
    let database = try filled()
    #expect(try numbers(database) == [5, 4, 2, 1])
    #expect(try database.countOfPosts() == 4)
    #expect(try database.countOfPosts(of: .home, above: entry(1).key, upTo: 10) == 3)
    #expect(try database.hoursOfWeek(at: Timestamp(seconds: 5)).reduce(0, +) == 4)
    #expect(try database.post(PostID("3")) == nil)
    var window = PostWindow()
    try database.appendPosts(of: .home, atMost: 10, from: nil, readUpTo: entry(2).mark, to: &window)
    #expect(window.lines.count == 4 && window.unread == 2)
    #expect(try found("post", database) == [[5, 4, 2, 1], [3]])
    #expect(try database.spans(of: .home).gaps == [])
    #expect(try database.countOfFetchedPosts(of: .home, upTo: 100) == 5)
    try expectSound(database, filtered: 1)
  }

  @Test("the newest post can be hidden: the next request begins there, and the newest visible post can be read")
  func newest() throws {
    let database = try filled()
    #expect(try database.insert(page(entry(6, .hide), entry(5)), as: .head) == 0)
    #expect(try database.sincePosition(of: .home, overlap: .zero) == entry(6).mark)
    #expect(try database.posts(of: .home, below: nil, atMost: 1).first?.mark == entry(5).mark)
    #expect(try database.spans(of: .home).gaps == [])
    #expect(try numbers(database) == [5, 4, 2, 1])
  }

  @Test("a hidden post returns when a page lists it unfiltered; it is neither new nor edited")
  func returns() throws {
    let database = try filled()
    try database.insert(page(entry(5), entry(4), entry(3), entry(2), entry(1)), as: .head)
    #expect(try numbers(database) == [5, 4, 3, 2, 1])
    #expect(try database.insert(page(entry(3)), as: .head) == 0)
    #expect(try found("post", database) == [[5, 4, 3, 2, 1], []])
    var rows: [ArchivedPost] = []
    try database.export { rows.append($0) }
    let line = String(decoding: rows[2].line, as: UTF8.self)
    #expect(!line.contains("edit") && !line.contains("filtered") && line.contains(#""source":{"n":3}"#))
    try expectSound(database, filtered: 0)
  }

  @Test("a filter that starts to match, changes its action and expires leaves the text unchanged and causes no edits")
  func changes() throws {
    let database = try filled()
    let actions: [ServerFilter.Action?] = [.warn, .hide, .blur, .hide, .hide, nil, .hide, .warn, nil]
    for action in actions {
      try database.insert(page(entry(5), entry(4, action), entry(3, .hide)), as: .head)
      #expect(try numbers(database) == (action == .hide ? [5, 2, 1] : [5, 4, 2, 1]), "\(action as Any)")
      try expectSound(database, filtered: action == .hide ? 2 : 1)
    }
    try database.insert(page(entry(4, .warn, text: "another text")), as: .head)
    var rows: [ArchivedPost] = []
    try database.export { rows.append($0) }
    #expect(rows[1].edits.map(\.text) == ["post 4"])
    #expect(String(decoding: rows[1].json!, as: UTF8.self).contains(#""text":"CW: Filtered: wasps\n\nanother text""#))
  }

  private final class ChangeRecorder: PostObserver {
    var keys: [PostKey] = []
    func postsChanged(_ changes: PostChanges, in timeline: TimelineName) { keys += changes.places.map(\.key) }
    func allPostsChanged() {}
  }

  @Test("an edit of a hidden post is recorded, the post stays hidden, and nothing is published")
  func edited() throws {
    let database = try filled()
    let recorder = ChangeRecorder()
    database.observer = recorder
    try database.insert(page(entry(4), entry(3, .hide, text: "edited"), entry(2)), as: .head)
    #expect(try numbers(database) == [5, 4, 2, 1])
    #expect(recorder.keys.isEmpty)
    #expect(try found("edited", database) == [[], [3]])
    var rows: [ArchivedPost] = []
    try database.export { rows.append($0) }
    #expect(rows[2].edits.map(\.text) == ["post 3"])
    try expectSound(database, filtered: 1)
    try database.insert(page(entry(4), entry(3, text: "edited"), entry(2)), as: .head)
    #expect(recorder.keys.contains(entry(3).key))
    #expect(try found("edited", database) == [[3], []])
    #expect(try PostJSON.read(database.post(PostID("3"))!.json).editedAt == noon)
    try expectSound(database, filtered: 0)
  }

  @Test("the text of a hidden post is kept, however long ago it was hidden")
  func kept() throws {
    let database = try filled()
    try database.insert(
      page(entry(6), entry(5)), as: .head, at: noon + .seconds(86_400 * 400), keeping: Retention(deletedDays: 0))
    #expect(try database.countOfFilteredPosts() == 1)
  }

  @Test("archive limits apply to hidden posts too")
  func pruned() throws {
    let database = try filled()
    try database.insert(page(entry(6), entry(5)), as: .head, keeping: Retention(newest: 2))
    #expect(try numbers(database) == [6, 5])
    try expectSound(database, filtered: 0)
  }

  @Test("if the filters are turned off, the next page shows all hidden posts again, including older ones")
  func turnedOff() throws {
    let database = try filled()
    func store(_ keepsFiltered: Bool, at now: Timestamp) throws {
      let write = PageWrite(
        page(entry(5)), of: .home, as: .head, receivedAt: now, state: try database.state(), defersQuietState: true,
        keepsFiltered: keepsFiltered)
      _ = try database.insert(write, expecting: database.revision())
    }
    for second in 0..<3 { try store(true, at: noon + .seconds(second)) }
    #expect(try database.countOfFilteredPosts() == 1)
    try store(false, at: noon + .seconds(3))
    #expect(try numbers(database) == [5, 4, 3, 2, 1])
    #expect(try !String(decoding: database.post(PostID("3"))!.json, as: UTF8.self).contains("filtered"))
    try expectSound(database, filtered: 0)
  }

  @Test("a hidden post deleted by its server is no longer kept, and one that reappears is hidden again")
  func deleted() throws {
    let database = try filled()
    let newest = page(entry(5), entry(4), entry(2), entry(1))
    try database.insert(newest, as: .head)
    #expect(try database.postsToCheck(missingFrom: newest, at: noon) == [entry(3).mark], "it is missing like any post")
    #expect(try !database.note(.gone, of: entry(3).mark, at: noon))
    #expect(try database.countOfFilteredPosts() == 1)
    #expect(try database.note(.gone, of: entry(3).mark, at: noon + hour))
    #expect(try database.countOfFilteredPosts() == 0)
    #expect(try database.integrity().deleted == 1)
    try database.insert(page(entry(4), entry(3, .hide), entry(2)), as: .head)
    #expect(try numbers(database) == [5, 4, 2, 1])
    try expectSound(database, filtered: 1)
    // The provider's own list of deleted posts is final.
    try database.insert(Page(entries: [], older: nil, deleted: [entry(3).mark]), as: .single)
    try database.insert(page(entry(4), entry(3), entry(2)), as: .head)
    #expect(try numbers(database) == [5, 4, 2, 1])
    try expectSound(database, filtered: 0)
  }

  @Test("a page with hidden posts does not make other posts seem deleted")
  func notMissing() throws {
    let database = try filled()
    let newest = page(entry(5, .hide), entry(4, .hide), entry(3, .hide), entry(2), entry(1))
    try database.insert(newest, as: .head)
    #expect(try database.postsToCheck(missingFrom: newest, at: noon).isEmpty)
  }

  @Test("a purge of a post, of an author or of everything also removes hidden posts", arguments: 0..<4)
  func purged(kind: Int) throws {
    let purge: Purge = [.post(PostID("3")), .author("a"), .before(Timestamp(seconds: 4)), .everything][kind]
    let database = try filled()
    #expect(try database.count(of: purge).posts == [1, 5, 3, 5][kind])
    #expect(try database.purge(purge, at: noon).posts == [1, 5, 3, 5][kind])
    try expectSound(database, filtered: 0)
    try database.insert(page(entry(4), entry(3), entry(2)), as: .head)
    #expect(try !numbers(database).contains(3))
    let reader = try SQLiteConnection(home.files.database, .reading)
    defer { reader.close() }
    #expect(try reader.first("SELECT count(*) FROM hidden") { $0.amount(0) } == 0)
  }

  @Test("a search of hidden posts finds text, authors and times in any number of posts, newest first")
  func search() throws {
    let database = try home.database()
    let entries = (1...1200).map { entry($0, .hide, text: $0 % 600 == 0 ? "rare \($0)" : "plain") }
    try database.insert(Page(entries: entries, older: nil), as: .head)
    #expect(try found("rare", database) == [[], [1200, 600]])
    #expect(try found("rare", database, author: "@A") == [[], [1200, 600]])
    #expect(try found("rare", database, author: "b") == [[], []])
    let query = try SearchQuery("plain")
    let some = try database.searchFiltered(
      query, since: Timestamp(seconds: 10), until: Timestamp(seconds: 14), limit: 3)
    #expect(some.map(\.mark.id.text) == ["13", "12", "11"])
  }

  @Test("an export contains hidden posts with their filter, and an import keeps them hidden")
  func moved() throws {
    let database = try filled()
    var lines: [[UInt8]] = []
    try database.export { lines.append($0.line) }
    #expect(try lines.count == 5 && database.countOfExported() == 5)
    #expect(String(decoding: lines[2], as: UTF8.self).contains(#""filtered":{"action":"hide","title":"wasps"}"#))
    let other = try StorageHome(TemporaryFolder()).database()
    #expect(try other.importPosts(lines.map { try ImportedPost(line: $0) }, at: noon) == 5)
    #expect(try numbers(other) == [5, 4, 2, 1])
    try expectSound(other, filtered: 1)
    var copies: [[UInt8]] = []
    try other.export { copies.append($0.line) }
    #expect(copies == lines)
  }

  @Test("hidden posts stay hidden when a corrupt database is replaced, and the known range stays complete")
  func salvaged() throws {
    let database = try filled()
    let spans = try database.spans(of: .home)
    database.close()
    let target = try StorageHome(TemporaryFolder()).database()
    let salvaged = target.salvage(from: home.files.database)
    #expect(salvaged.isComplete && salvaged.posts == 5)
    #expect(try numbers(target) == [5, 4, 2, 1])
    #expect(try target.spans(of: .home) == spans)
    try expectSound(target, filtered: 1)
    try target.insert(page(entry(4), entry(3), entry(2)), as: .head)
    #expect(try numbers(target) == [5, 4, 3, 2, 1])
  }

  @Test("a version 5 database has no hidden posts, can be read before its upgrade, and hides posts afterwards")
  func upgraded() throws {
    let database = try home.database()
    try database.insert(page(entry(3), entry(2), entry(1)), as: .head)
    database.close()
    let older = try SQLiteConnection(home.files.database, .writing)
    try makeVersion6(of: older)
    try older.run("PRAGMA user_version = 5")
    older.close()
    let reader = try #require(try AccountDatabase.openArchive(home.files))
    #expect(try reader.search(SearchQuery("post"), limit: 10).count == 3)
    try expectSound(reader, filtered: 0)
    reader.close()
    let owner = try home.database()
    try owner.insert(page(entry(3, .hide), entry(2)), as: .head)
    #expect(try numbers(owner) == [2, 1])
    try expectSound(owner, filtered: 1)
  }

  @Test("posts of a page that cannot be stored yet are not shown if a filter hides them")
  func unstored() throws {
    let database = try filled()
    let waiting = UnstoredPage(
      page(entry(7), entry(6, .hide), entry(5)), of: .home, as: .head, receivedAt: noon, settling: nil, entityTag: nil,
      isNewest: true)
    #expect(try database.postsAbove(of: .home, in: [waiting]).map(\.mark.id.text) == ["7"])
  }
}
