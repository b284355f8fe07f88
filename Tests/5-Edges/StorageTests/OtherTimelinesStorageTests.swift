import Formats
import Settings
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Storage

/// How every store must handle timelines other than home.
@Suite struct OtherTimelinesStorageTests {
  private static let list = try! TimelineName("list:Friends")
  private static let tag = try! TimelineName("tag:swift")
  private static let bookmarks = try! TimelineName("bookmarks")
  private var list: TimelineName { Self.list }

  func ids(_ storage: any AccountStorage, _ timeline: TimelineName) throws -> [Int] {
    try storage.posts(of: timeline, below: nil, atMost: 1000).map { Int($0.mark.id.text)! }
  }

  /// Stores a page of a timeline.
  @discardableResult
  func insert(
    _ page: Page, _ timeline: TimelineName, into storage: any AccountStorage, as place: PagePosition = .head,
    at now: Timestamp = noon, keeping retention: Retention = Retention(), keepsFiltered: Bool = true,
    state change: (inout AccountState) -> Void = { _ in }
  ) throws -> [Int] {
    var state = try storage.state()
    change(&state)
    let write = PageWrite(
      page, of: timeline, as: place, receivedAt: now, keeping: retention, state: state, keepsFiltered: keepsFiltered)
    return try storage.insert(write, expecting: storage.revision()).value.new.compactMap { Int($0.mark.id.text) }
  }

  /// Runs the body with an account whose home timeline and list contain these pages.
  private func withHomeAndList(
    _ kind: StoreKind, _ inHome: Page, _ inList: Page, _ body: (any AccountStorage) throws -> Void
  ) throws {
    try StoreUnderTest(kind).timeline { storage in
      try insert(inHome, .home, into: storage)
      try insert(inList, list, into: storage)
      try body(storage)
    }
  }

  func purge(_ purge: Purge, _ storage: any AccountStorage) throws {
    var run = try storage.begin(purge, at: noon)
    while try storage.continuePurge(&run, at: noon) {}
  }

  func expectSound(_ storage: any AccountStorage, posts: Int) throws {
    let integrity = try storage.integrity { _, _ in }
    #expect(integrity.problems == [])
    #expect(integrity.posts == posts)
  }

  func found(_ storage: any AccountStorage, _ word: String, _ scope: ArchiveScope = .withoutPrivate) throws
    -> [Int]
  {
    let query = try SearchQuery(word)
    return try storage.search(query, since: nil, until: nil, author: nil, in: scope, limit: 1000)
      .map { Int($0.mark.id.text)! }
  }

  func exported(_ storage: any AccountStorage, _ scope: ArchiveScope = .withoutPrivate) throws -> [String] {
    var lines: [String] = []
    try storage.export(since: nil, until: nil, in: scope) { lines.append(String(decoding: $0.line, as: UTF8.self)) }
    #expect(try storage.countOfExported(since: nil, until: nil, in: scope) == lines.count)
    return lines
  }

  private func edited(_ number: Int, _ text: String) -> Page.Entry {
    var post = entry(number).post
    post.text = text
    return Page.Entry(post: post, key: entry(number).key)
  }

  private func filtered(_ number: Int, _ action: ServerFilter.Action) -> Page.Entry {
    let plain = entry(number)
    return Page.Entry(post: plain.post.filtered(by: ServerFilter(action, title: "wasps")), key: plain.key)
  }

  func page(_ entries: Page.Entry...) -> Page { Page(entries: entries, older: nil) }
  func page(_ newest: Int, _ oldest: Int) -> Page { StorageTests.page(newest, oldest) }

  // MARK: Reading

  @Test("each timeline has its own posts, spans, gaps, counts and state", arguments: StoreKind.allCases)
  func separate(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      #expect(try insert(page(1010, 1006), .home, into: storage) == [1010, 1009, 1008, 1007, 1006])
      let upper = Page(entries: [entry(1012), entry(1010)], older: PageCursor("below"))
      #expect(try insert(upper, list, into: storage) { $0[list].entityTag = "tag" } == [1012, 1010])
      #expect(try insert(page(1003, 1001), list, into: storage) == [1003, 1002, 1001])
      #expect(try ids(storage, .home) == [1010, 1009, 1008, 1007, 1006])
      #expect(try ids(storage, list) == [1012, 1010, 1003, 1002, 1001])
      #expect(try storage.spans(of: .home).all.count == 1)
      #expect(
        try storage.gaps(of: list, downTo: entry(1001).mark, with: [])
          == [Gap(after: entry(1003).mark, before: entry(1010).mark, cursor: PageCursor("below"))])
      #expect(try storage.countOfPosts(of: list, above: entry(1003).key, upTo: 10) == 2)
      #expect(try storage.countOfPosts(of: list, above: PageCursor("below"), upTo: 10) == 2)
      #expect(try storage.countOfPosts(of: .home, above: PageCursor("below"), upTo: 10) == 0)
      #expect(try storage.countOfFetchedPosts(of: list, upTo: 10) == 5)
      #expect(try storage.sincePosition(of: list, overlap: .seconds(60)) == entry(1010).mark)
      #expect(try storage.posts(of: list, below: nil, atMost: 1).first?.mark == entry(1012).mark)
      #expect(try storage.positions(of: PostID("1009"), in: list) == [])
      #expect(try storage.positions(of: PostID("1012"), in: .home) == [])
      #expect(try storage.positions(of: PostID("1009"), in: .home) == [entry(1009).mark])
      #expect(try storage.countOfPosts() == 5, "these are the posts of home")
      #expect(try storage.hoursOfWeek(at: noon + .seconds(3600)).reduce(0, +) == 5)
      #expect(
        try storage.timelines() == [StoredTimeline(.home, posts: 5), StoredTimeline(list, posts: 5)])
      #expect(try storage.state()[list].entityTag == "tag" && storage.state()[.home].entityTag == nil)
      var window = PostWindow()
      try storage.appendPosts(of: list, atMost: 3, from: nil, readUpTo: entry(1010).mark, to: &window)
      #expect(window.lines.count == 3 && window.unread == 1 && window.last == entry(1003).mark)
      #expect(window.newestRead == PostID("1010"))
      try expectSound(storage, posts: 9)
    }
  }

  @Test(
    "every part of a timeline's state is still there when the storage is opened again", arguments: StoreKind.allCases)
  func states(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    let state = TimelineState(
      refreshedAt: noon, nextRefreshAt: noon + .seconds(60), staleSince: noon - .seconds(5),
      problem: Problem(code: .provider, message: "the list is gone", retryAt: noon + .seconds(3600)),
      entityTag: "\"x\"", failures: 3, readUpTo: entry(1002).mark, reference: "list 7")
    try store.timeline { try $0.update { $0[list] = state } }
    try store.timeline { storage in
      #expect(try storage.state()[list] == state && storage.state()[.home] == TimelineState())
      #expect(try storage.timelines().map(\.name) == [.home, list])
      try storage.update { $0[list] = TimelineState() }
      #expect(try storage.state() == AccountState())
      #expect(try storage.timelines().map(\.name) == [.home, list], "a timeline is not forgotten")
    }
  }

  @Test("an account can have a hundred timelines", arguments: StoreKind.allCases)
  func hundred(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let names = try (1...100).map { try TimelineName("list:\($0)") }
      for (number, name) in names.enumerated() {
        #expect(try insert(page(1001 + number, 1000 + number), name, into: storage) == [1001 + number, 1000 + number])
      }
      for (number, name) in names.enumerated() {
        #expect(try ids(storage, name) == [1001 + number, 1000 + number])
      }
      #expect(try storage.timelines().count == 101)
      #expect(try storage.countOfPosts() == 0)
      try expectSound(storage, posts: 101)
    }
  }

  // MARK: One post in several timelines

  @Test("a post in two timelines is stored once, and is new in each", arguments: StoreKind.allCases)
  func shared(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      #expect(try insert(page(1003, 1001), list, into: storage) == [1003, 1002, 1001])
      #expect(try insert(page(1004, 1002), .home, into: storage) == [1004, 1003, 1002])
      #expect(try insert(page(1004, 1002), .home, into: storage) == [])
      #expect(try insert(page(1004, 1003), list, into: storage) == [1004])
      #expect(try ids(storage, .home) == [1004, 1003, 1002] && ids(storage, list) == [1004, 1003, 1002, 1001])
      #expect(try storage.countOfPosts() == 3)
      #expect(try found(storage, "post") == [1004, 1003, 1002, 1001])
      try expectSound(storage, posts: 4)
    }
  }

  @Test("an edit that one timeline shows changes the post in every timeline", arguments: StoreKind.allCases)
  func edits(kind: StoreKind) throws {
    try withHomeAndList(kind, page(1003, 1001), page(1003, 1002)) { storage in
      try insert(page(1003, 1001), Self.tag, into: storage)
      let observer = TimelineChanges()
      storage.observer = observer
      #expect(try insert(page(entry(1003), edited(1002, "another word")), list, into: storage) == [])
      for timeline in [.home, list, Self.tag] {
        let post = try storage.posts(of: timeline, below: entry(1003).key, atMost: 1).first
        #expect(try PostJSON.read(#require(post).json).text == "another word", "\(timeline)")
        #expect(observer.changes[timeline] == [entry(1002).key], "\(timeline)")
      }
      #expect(try found(storage, "another") == [1002])
      #expect(try exported(storage).first { $0.contains(#""id":"1002""#) }?.contains(#""edits":[{"#) == true)
      try expectSound(storage, posts: 3)
    }
  }

  @Test("a purged post leaves every timeline at once, and is not stored again", arguments: StoreKind.allCases)
  func purged(kind: StoreKind) throws {
    try withHomeAndList(kind, page(1003, 1001), page(1005, 1002)) { storage in
      let observer = TimelineChanges()
      storage.observer = observer
      for number in [1002, 1005] { try purge(.post(PostID(String(number))), storage) }
      #expect(observer.isLost)
      #expect(try ids(storage, .home) == [1003, 1001] && ids(storage, list) == [1004, 1003])
      #expect(try insert(page(1005, 1002), list, into: storage) == [])
      #expect(try insert(page(1005, 1001), .home, into: storage) == [1004])
      #expect(try insert(page(1005, 1001), Self.tag, into: storage) == [1004, 1003, 1001])
      #expect(try found(storage, "post") == [1004, 1003, 1001])
      try expectSound(storage, posts: 3)
    }
  }

  @Test("a purge of all posts empties every timeline", arguments: StoreKind.allCases)
  func purgedEverything(kind: StoreKind) throws {
    try withHomeAndList(kind, page(1003, 1001), page(1005, 1002)) { storage in
      #expect(try storage.count(of: .everything).posts == 5)
      try purge(.everything, storage)
      #expect(try ids(storage, .home) == [] && ids(storage, list) == [])
      #expect(try storage.spans(of: list).all.count == 1)
      #expect(try exported(storage, .everything) == [])
      try expectSound(storage, posts: 0)
    }
  }

  @Test("a post that the server has deleted leaves every timeline at once", arguments: StoreKind.allCases)
  func deleted(kind: StoreKind) throws {
    try withHomeAndList(kind, page(1010, 1001), page(1011, 1002)) { storage in
      let observer = TimelineChanges()
      storage.observer = observer
      let rest = Page(entries: (1002...1011).filter { $0 != 1005 }.map { entry($0) }, older: nil)
      let missing = try storage.postsToCheck(of: list, missingFrom: rest, at: noon, expecting: storage.revision()).value
      #expect(missing == [entry(1005).mark])
      #expect(try !storage.note(.gone, of: entry(1005).mark, at: noon))
      #expect(try storage.note(.gone, of: entry(1005).mark, at: noon + .seconds(7200)))
      #expect(observer.changes == [.home: [entry(1005).key], list: [entry(1005).key]])
      #expect(try !ids(storage, .home).contains(1005) && !ids(storage, list).contains(1005))
      // The report was wrong.
      try insert(page(1011, 1004), list, into: storage, at: noon + .seconds(7300))
      #expect(try ids(storage, .home).contains(1005) && ids(storage, list).contains(1005))
      try expectSound(storage, posts: 11)
    }
  }

  // MARK: Retention

  @Test(
    "a timeline's limits remove its own entries, and a post leaves the archive with its last entry",
    arguments: StoreKind.allCases)
  func retention(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(1010, 1001), .home, into: storage)
      try insert(page(1012, 1003), list, into: storage, keeping: Retention(newest: 4))
      #expect(try ids(storage, list) == [1012, 1011, 1010, 1009] && ids(storage, .home).count == 10)
      #expect(try storage.spans(of: list).all == [Span(newest: entry(1012).mark, oldest: entry(1009).mark, older: nil)])
      try expectSound(storage, posts: 12)
      try insert(page(1010, 1010), .home, into: storage, keeping: Retention(newest: 1))
      #expect(try ids(storage, .home) == [1010] && ids(storage, list) == [1012, 1011, 1010, 1009])
      #expect(try storage.countOfPosts() == 1)
      #expect(try found(storage, "post") == [1012, 1011, 1010, 1009])
      try expectSound(storage, posts: 4)
      // The age limit of home does not concern the list.
      let late = entry(1010).post.createdAt + .seconds(86_401)
      try insert(page(1010, 1010), .home, into: storage, at: late, keeping: Retention(days: 1))
      #expect(try ids(storage, .home) == [] && ids(storage, list) == [1012, 1011, 1010, 1009])
      try insert(page(1012, 1012), list, into: storage, at: late + .seconds(60), keeping: Retention(days: 1))
      #expect(try ids(storage, list) == [1012])
      try expectSound(storage, posts: 1)
      // A post that comes back into home is there again.
      #expect(try insert(page(1012, 1012), .home, into: storage) == [1012])
      #expect(try ids(storage, .home) == [1012] && storage.countOfPosts() == 1)
      try expectSound(storage, posts: 1)
    }
  }

  @Test("an age limit removes a timeline's entries by the age of the posts", arguments: StoreKind.allCases)
  func ages(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(1010, 1001), list, into: storage)
      let begin = entry(1006).post.createdAt
      try insert(
        page(1010, 1009), list, into: storage, at: begin + .seconds(86_400), keeping: Retention(days: 1))
      #expect(try ids(storage, list) == [1010, 1009, 1008, 1007, 1006])
      try expectSound(storage, posts: 5)
    }
  }

  // MARK: Filters

  @Test("a filter acts only in the timelines that it applies to", arguments: StoreKind.allCases)
  func filters(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      #expect(
        try insert(page(entry(1003), filtered(1002, .hide), filtered(1001, .warn)), .home, into: storage) == [
          1003, 1001,
        ])
      #expect(try insert(page(filtered(1003, .hide), entry(1002), entry(1001)), list, into: storage) == [1002, 1001])
      func texts(_ timeline: TimelineName) throws -> [String] {
        try storage.posts(of: timeline, below: nil, atMost: 10).map { try PostJSON.read($0.json).text }
      }
      let warned = filtered(1001, .warn).post.text
      #expect(try texts(.home) == [entry(1003).post.text, warned])
      #expect(try texts(list) == [entry(1002).post.text, entry(1001).post.text])
      // The same pages change nothing, in either order.
      for _ in 0..<2 {
        try insert(page(filtered(1003, .hide), entry(1002), entry(1001)), list, into: storage)
        try insert(page(entry(1003), filtered(1002, .hide), filtered(1001, .warn)), .home, into: storage)
      }
      #expect(try texts(.home) == [entry(1003).post.text, warned])
      #expect(try texts(list) == [entry(1002).post.text, entry(1001).post.text])
      #expect(try exported(storage).allSatisfy { !$0.contains("edits") })
      #expect(try storage.countOfFilteredPosts() == 1)
      let observer = TimelineChanges()
      storage.observer = observer
      try insert(page(entry(1003)), list, into: storage, keepsFiltered: false)
      #expect(try ids(storage, list) == [1003, 1002, 1001])
      #expect(observer.changes == [list: [entry(1003).key]])
      // Home loses the posts; the list keeps them without home's filters.
      try insert(page(entry(1003)), .home, into: storage, keeping: Retention(newest: 1))
      #expect(try texts(list) == [1003, 1002, 1001].map { entry($0).post.text })
      #expect(try found(storage, "post") == [1003, 1002, 1001])
      try expectSound(storage, posts: 3)
    }
  }

  @Test(
    "a post that filters hide in all its timelines is found only among the filtered posts",
    arguments: StoreKind.allCases)
  func filteredSearch(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(filtered(1002, .hide), filtered(1001, .warn)), list, into: storage)
      let query = try SearchQuery("post")
      func hidden(_ scope: ArchiveScope) throws -> [String] {
        try storage.searchFiltered(query, since: nil, until: nil, author: "ann", in: scope, limit: 10).map(
          \.mark.id.text)
      }
      #expect(try found(storage, "post") == [1001])
      let shown = try storage.search(query, since: nil, until: nil, author: nil, in: .withoutPrivate, limit: 10)
      #expect(try PostJSON.read(#require(shown.first).json).filter?.action == .warn)
      #expect(try hidden(.withoutPrivate) == ["1002"])
      #expect(try hidden(.timeline(list)) == ["1002"] && hidden(.timeline(.home)) == [])
      try insert(page(entry(1002)), Self.tag, into: storage)
      #expect(try found(storage, "post") == [1002, 1001])
      #expect(try hidden(.withoutPrivate) == [] && hidden(.timeline(list)) == ["1002"])
    }
  }

  // MARK: Private timelines

  @Test(
    "a post that only a private timeline contains is found and exported only if asked for",
    arguments: StoreKind.allCases)
  func privacy(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(1002, 1001), .home, into: storage)
      try insert(page(1004, 1002), Self.bookmarks, into: storage)
      try insert(page(1004, 1004), list, into: storage)
      #expect(try found(storage, "post") == [1004, 1002, 1001])
      #expect(try found(storage, "post", .everything) == [1004, 1003, 1002, 1001])
      #expect(try found(storage, "post", .timeline(Self.bookmarks)) == [1004, 1003, 1002])
      #expect(try found(storage, "post", .timeline(.home)) == [1002, 1001])
      #expect(try storage.post(PostID("1003")) == nil)
      #expect(try storage.post(PostID("1003"), in: .everything)?.mark == entry(1003).mark)
      let lines = try exported(storage)
      #expect(lines.count == 3 && lines.allSatisfy { !$0.contains("bookmarks") })
      #expect(lines[0].contains(#""timelines":["list:Friends"]"#) && !lines[1].contains("timelines"))
      let all = try exported(storage, .everything)
      #expect(all.count == 4 && all[2].contains(#""timelines":["home","bookmarks"]"#))
      #expect(try exported(storage, .timeline(Self.bookmarks)).count == 3)
      #expect(try exported(storage, .timeline(Self.tag)) == [])
    }
  }

  @Test("an exported archive can be imported with its timelines", arguments: StoreKind.allCases)
  func imported(kind: StoreKind) throws {
    let (source, target) = (StoreUnderTest(kind), StoreUnderTest(kind))
    var lines: [String] = []
    try source.timeline { storage in
      try insert(page(1002, 1001), .home, into: storage)
      try insert(page(1004, 1002), list, into: storage)
      let mark = TimedPosition(noon, id: "1003").key
      try insert(page(entry(1003).marked(at: mark)), Self.bookmarks, into: storage)
      _ = try storage.note(.gone, of: entry(1004).mark, at: noon)
      _ = try storage.note(.gone, of: entry(1004).mark, at: noon + .seconds(7200))
      lines = try exported(storage, .everything)
      #expect(lines.contains { $0.contains(#""places":{"bookmarks":"\#(mark.text)"}"#) })
    }
    try target.timeline { storage in
      let posts = try lines.map { try ImportedPost(line: Array($0.utf8)) }
      #expect(try storage.importPosts(posts, at: noon) == 4)
      #expect(try storage.importPosts(posts, at: noon) == 0)
      #expect(try ids(storage, .home) == [1002, 1001] && ids(storage, list) == [1003, 1002])
      #expect(try ids(storage, Self.bookmarks) == [1003])
      #expect(try exported(storage, .everything) == lines)
      try expectSound(storage, posts: 3)
    }
    #expect(throws: ImportedPostError.invalidTimeline("lists:x")) {
      try ImportedPost(line: Array(lines[0].replacing("list:Friends", with: "lists:x").utf8))
    }
  }

  // MARK: Positions

  @Test("posts whose ids have no order have the same position in every timeline", arguments: StoreKind.allCases)
  func unordered(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    func entry(_ id: String) -> Page.Entry {
      let author = User(id: "1", screenName: "ann", name: "Ann")
      let post = Post(id: PostID(id), createdAt: noon, author: author, text: "post \(id)")
      let identity = PostIdentity(uri: "https://a.example/\(id)", isNamedByURL: false)
      return Page.Entry(post: post, key: TimedPosition(noon, id: id).key, identity: identity)
    }
    func order(_ timeline: TimelineName, _ storage: any AccountStorage) throws -> [String] {
      try storage.posts(of: timeline, below: nil, atMost: 10).map(\.mark.id.text)
    }
    try store.timeline { storage in
      for (timeline, ids) in [(list, ["z", "a", "m"]), (.home, ["a", "m"]), (Self.tag, ["z", "m"])] {
        try insert(Page(entries: ids.map { entry($0) }, older: nil), timeline, into: storage)
        #expect(Set(try order(timeline, storage)) == Set(ids))
      }
      let positions = try [TimelineName.home, list, Self.tag].flatMap { timeline in
        try storage.posts(of: timeline, below: nil, atMost: 10).map(\.mark)
      }
      #expect(Set(positions).count == 3, "each post has one position")
      try expectSound(storage, posts: 3)
    }
  }
}

final class TimelineChanges: PostObserver {
  private(set) var isLost = false
  private(set) var changes: [TimelineName: Set<PostKey>] = [:]

  func postsChanged(_ changes: PostChanges, in timeline: TimelineName) {
    self.changes[timeline, default: []].formUnion(changes.places.map(\.key) + changes.ends)
  }
  func allPostsChanged() { isLost = true }
}
