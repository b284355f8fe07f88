import Formats
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Storage

/// Timelines of events, such as notifications.
extension OtherTimelinesStorageTests {
  private static let notifications = try! TimelineName("notifications")
  private static let mentions = try! TimelineName("mentions")
  private var notifications: TimelineName { Self.notifications }
  private var mentions: TimelineName { Self.mentions }

  /// Returns an event; each is a minute newer than the one with the previous number.
  private func notice(_ number: Int, _ kind: Notice.Kind, by actors: [String], text: String? = nil) -> Notice {
    Notice(
      id: PostID(String(number)), kind: kind.rawValue,
      actors: actors.map {
        User(id: $0, screenName: $0, name: $0, avatarURL: "https://a.example/\($0).png")
      },
      at: noon + .seconds(60 * (number - 7000)), text: text)
  }

  private func key(_ number: Int) -> PostKey { PostKey(decimal: PostID(String(number)))! }

  /// Returns the entry of an event about a post.
  private func event(
    _ number: Int, _ kind: Notice.Kind, by actors: String..., about post: Page.Entry, text: String? = nil
  ) -> Page.Entry { post.noticed(notice(number, kind, by: actors, text: text), at: key(number)) }

  /// Returns the entry of an event without a post.
  private func event(_ number: Int, _ kind: Notice.Kind, by actors: String...) -> Page.Entry {
    Page.Entry(post: Post(event: notice(number, kind, by: actors)), key: key(number))
  }

  /// The events of a timeline, newest first: the numbers of the event and of its post, if it has one.
  private func events(_ timeline: TimelineName, _ storage: any AccountStorage) throws -> [[Int]] {
    try storage.posts(of: timeline, below: nil, atMost: 100).map { known in
      let post = try PostJSON.read(known.json)
      #expect(post.notice?.id == known.mark.id && post.entryID == known.mark.id)
      return [Int(known.mark.id.text)!] + (post.isEventOnly ? [] : [Int(post.id.text)!])
    }
  }

  private func like(_ number: Int, of post: Int, by actor: String = "bob") -> Page.Entry {
    event(number, .favourite, by: actor, about: entry(post))
  }

  @Test(
    "a post in home that is also mentioned and liked twice is one post, and each of its places is an entry",
    arguments: StoreKind.allCases)
  func onePost(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      #expect(try insert(page(1002, 1001), .home, into: storage) == [1002, 1001])
      let mention = event(7001, .mention, by: "ann", about: entry(1002))
      #expect(try insert(page(mention), mentions, into: storage) == [7001])
      let news = page(event(7004, .follow, by: "eve"), like(7003, of: 1002), like(7002, of: 1002, by: "eve"), mention)
      #expect(try insert(news, notifications, into: storage) == [7004, 7003, 7002, 7001])
      #expect(try events(mentions, storage) == [[7001, 1002]])
      #expect(try events(notifications, storage) == [[7004], [7003, 1002], [7002, 1002], [7001, 1002]])
      // Neither home nor the post itself knows of the events.
      let home = try storage.posts(of: .home, below: nil, atMost: 1)[0]
      #expect(home.json == PostJSON.bytes(entry(1002).post) && home.mark == entry(1002).mark)
      #expect(try storage.post(PostID("1002"))?.json == home.json)
      // The published form is the one that reading the page would give.
      let published = try storage.posts(of: notifications, below: nil, atMost: 2).map(\.json)
      #expect(published == news.entries.prefix(2).map { PostJSON.bytes($0.post) })
      try expectSound(storage, posts: 2)
      #expect(try insert(news, notifications, into: storage) == [])
      #expect(try insert(page(1002, 1001), .home, into: storage) == [])
      // An edit changes the post everywhere, and no event.
      var edited = entry(1002).post
      edited.text = "another text"
      try insert(page(Page.Entry(post: edited, key: entry(1002).key)), .home, into: storage)
      let likes = try storage.posts(of: notifications, below: key(7004), atMost: 2).map { try PostJSON.read($0.json) }
      #expect(likes.map(\.text) == ["another text", "another text"])
      #expect(likes.map(\.notice?.id.text) == ["7003", "7002"] && likes.allSatisfy { $0.editedAt != nil })
      try expectSound(storage, posts: 2)
    }
  }

  @Test("events are counted, marked and requested by their own ids and times", arguments: StoreKind.allCases)
  func positions(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      // The posts are in another order than the events, and a day older.
      let old = (1...4).map { number in
        var post = entry(2000 - number).post
        post = Post(
          id: post.id, createdAt: noon - .seconds(86_400), author: post.author, text: post.text)
        return Page.Entry(post: post, key: entry(2000 - number).key)
      }
      let entries = (1...4).map { event(7000 + $0, .favourite, by: "bob", about: old[$0 - 1]) }
      #expect(try insert(Page(entries: entries, older: nil), notifications, into: storage) == [7004, 7003, 7002, 7001])
      func mark(_ number: Int) -> PostPosition { PostPosition(id: PostID(String(number)), key: key(number)) }
      #expect(try storage.spans(of: notifications).all == [Span(newest: mark(7004), oldest: mark(7001), older: nil)])
      #expect(try storage.sincePosition(of: notifications, overlap: .zero) == mark(7004))
      #expect(try storage.sincePosition(of: notifications, overlap: .seconds(100)) == mark(7002))
      #expect(try storage.posts(of: notifications, below: nil, atMost: 1).first?.mark == mark(7004))
      #expect(try storage.positions(of: PostID("7002"), in: notifications) == [mark(7002)])
      #expect(try storage.countOfPosts(of: notifications, above: key(7002), upTo: 10) == 2)
      #expect(try storage.countOfFetchedPosts(of: notifications, upTo: 10) == 4)
      var window = PostWindow()
      try storage.appendPosts(of: notifications, atMost: 3, from: nil, readUpTo: mark(7003), to: &window)
      #expect(window.lines.count == 3 && window.unread == 1 && window.last == mark(7002))
      #expect(window.newestRead == PostID("7003"))
      let gap = Gap(after: mark(7004), before: mark(7009), cursor: nil)
      #expect(
        try storage.overlapPosition(of: notifications, below: gap, overlap: .seconds(100)) == mark(7001),
        "the span's oldest event, because a page should contain more known events")
      #expect(try storage.timelines().last == StoredTimeline(notifications, posts: 4))
      let above = page(like(7006, of: 1001), like(7004, of: 1003))
      let unstored = try storage.postsAbove(of: notifications, in: [self.unstored(above)])
      #expect(unstored.map(\.mark) == [mark(7006)])
      #expect(try PostJSON.read(#require(unstored.first).json).notice?.id == PostID("7006"))
      // A dismissed event is no reason to doubt its post.
      try insert(
        Page(entries: (7001...7010).map { like($0, of: 1000 + $0 % 7) }, older: nil), mentions, into: storage)
      let rest = Page(entries: (7001...7010).filter { $0 != 7005 }.map { like($0, of: 1000 + $0 % 7) }, older: nil)
      #expect(
        try storage.postsToCheck(of: mentions, missingFrom: rest, at: noon, expecting: storage.revision()).value == [])
    }
  }

  @Test("the age of an event is its own, and its post leaves the archive with it", arguments: StoreKind.allCases)
  func agesOfEvents(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let later = noon + .seconds(100 * 86_400)
      var new = notice(7009, .favourite, by: ["bob"])
      new = Notice(id: new.id, kind: new.kind, actors: new.actors, at: later)
      let news = page(entry(1001).noticed(new, at: key(7009)), like(7002, of: 1001), event(7001, .follow, by: "bob"))
      #expect(try insert(news, notifications, into: storage, at: later, keeping: Retention(days: 1)) == [7009])
      #expect(try events(notifications, storage) == [[7009, 1001]])
      try insert(news, notifications, into: storage, at: later)
      #expect(try events(notifications, storage) == [[7009, 1001], [7002, 1001], [7001]])
      try insert(
        page(event(7012, .follow, by: "eve"), event(7011, .follow, by: "bob")), notifications, into: storage, at: noon,
        keeping: Retention(newest: 2))
      #expect(try events(notifications, storage) == [[7012], [7011]])
      try expectSound(storage, posts: 0)
    }
  }

  @Test("an event about a post that was deleted is shown without it", arguments: StoreKind.allCases)
  func deletedPost(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let said = event(7003, .update, by: "ann", about: entry(1002), text: "quokka")
      try insert(page(said, like(7002, of: 1002), like(7001, of: 1001)), notifications, into: storage)
      try insert(page(1002, 1001), .home, into: storage)
      let observer = TimelineChanges()
      storage.observer = observer
      for moment in [noon, noon + .seconds(7200)] { _ = try storage.note(.gone, of: entry(1002).mark, at: moment) }
      #expect(try events(notifications, storage) == [[7003], [7002], [7001, 1001]])
      #expect(observer.changes == [.home: [entry(1002).key], notifications: [key(7003), key(7002)]])
      #expect(try storage.countOfPosts(of: notifications, above: key(7001), upTo: 10) == 2)
      // The report was wrong.
      try insert(page(said), notifications, into: storage, at: noon + .seconds(7300))
      #expect(try events(notifications, storage) == [[7003, 1002], [7002, 1002], [7001, 1001]])
      // A server that sends the event without its post does not take the post away.
      try insert(page(event(7002, .favourite, by: "bob")), notifications, into: storage)
      #expect(try events(notifications, storage)[1] == [7002, 1002])
      // The post is erased, and what the server has said about it too.
      try insert(
        Page(entries: [said], older: nil, deleted: [entry(1002).mark]), notifications, into: storage)
      #expect(try events(notifications, storage) == [[7003], [7002], [7001, 1001]])
      #expect(try !exported(storage, .everything).contains { $0.contains("quokka") })
      try expectSound(storage, posts: 1)
    }
  }

  @Test("an event gets its post if the server sends it later", arguments: StoreKind.allCases)
  func laterPost(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      #expect(try insert(page(event(7001, .mention, by: "ann")), notifications, into: storage) == [7001])
      let whole = event(7001, .mention, by: "ann", about: entry(1001))
      #expect(try insert(page(whole), notifications, into: storage) == [])
      #expect(try events(notifications, storage) == [[7001, 1001]])
      try expectSound(storage, posts: 1)
    }
  }

  private func unstored(_ page: Page) -> UnstoredPage {
    UnstoredPage(page, of: notifications, as: .head, receivedAt: noon, settling: nil, entityTag: nil, isNewest: true)
  }

  // MARK: Purges

  @Test(
    "events about a purged post stay without it, and later events do not bring it back", arguments: StoreKind.allCases)
  func purgedPost(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let said = event(7003, .update, by: "ann", about: entry(1002), text: "post 1002 was edited")
      let news = page(said, like(7002, of: 1002), event(7001, .follow, by: "eve"))
      try insert(news, notifications, into: storage)
      #expect(try storage.count(of: .post(PostID("1002"))).posts == 1)
      try purge(.post(PostID("1002")), storage)
      #expect(try insert(news, notifications, into: storage) == [])
      #expect(try events(notifications, storage) == [[7003], [7002], [7001]])
      #expect(try exported(storage, .everything).allSatisfy { !$0.contains("post 1002") })
      let unstored = try storage.postsAbove(of: notifications, in: [unstored(page(like(7004, of: 1002)))])
      #expect(try unstored.map { try PostJSON.read($0.json).isEventOnly } == [true])
      #expect(try insert(page(like(7004, of: 1002)), notifications, into: storage) == [7004])
      #expect(try events(notifications, storage) == [[7004], [7003], [7002], [7001]])
      // An event without a post can be purged by its own id.
      #expect(try storage.count(of: .post(PostID("7001"))).posts == 1)
      try purge(.post(PostID("7001")), storage)
      #expect(try insert(news, notifications, into: storage) == [])
      #expect(try events(notifications, storage) == [[7004], [7003], [7002]])
      try expectSound(storage, posts: 0)
    }
  }

  @Test(
    "a purge of a user removes the events that only this user caused, for good", arguments: StoreKind.allCases)
  func purgedUser(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let news = page(
        event(7005, .favourite, by: "eve", "bob", about: entry(1002)), like(7004, of: 1002, by: "Bob"),
        event(7003, .follow, by: "bob"), event(7002, .follow, by: "eve"),
        event(7001, .mention, by: "bob", about: entry(1001, by: "bob")))
      try insert(page(1003, 1003), .home, into: storage)
      try insert(news, notifications, into: storage)
      #expect(try storage.count(of: .author("bob")).posts == 4)
      var run = try storage.begin(.author("bob"), at: noon)
      while try storage.continuePurge(&run, at: noon) {}
      #expect(run.purged.posts == 4 && run.purged.pictures.contains("https://a.example/bob.png"))
      #expect(try insert(news, notifications, into: storage) == [])
      #expect(try events(notifications, storage) == [[7005, 1002], [7002]])
      #expect(try insert(page(entry(1001, by: "bob")), .home, into: storage) == [])
      let both = try storage.posts(of: notifications, below: nil, atMost: 1)[0]
      #expect(try PostJSON.read(both.json).notice?.actors.map(\.screenName) == ["eve"])
      #expect(try exported(storage, .everything).allSatisfy { !$0.lowercased().contains("bob") })
      try expectSound(storage, posts: 2)
    }
  }

  @Test("the post of an event that a purge removes leaves the archive with it", arguments: StoreKind.allCases)
  func purgedLastPlace(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(like(7002, of: 1002), like(7001, of: 1001, by: "eve")), notifications, into: storage)
      try purge(.author("bob"), storage)
      #expect(try events(notifications, storage) == [[7001, 1001]])
      #expect(try insert(page(like(7002, of: 1002)), notifications, into: storage) == [])
      try expectSound(storage, posts: 1)
    }
  }

  @Test(
    "a purge by time removes older events, and leaves newer ones without older posts", arguments: StoreKind.allCases)
  func purgedTime(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      let news = page(
        like(7006, of: 1007), event(7005, .update, by: "ann", about: entry(1001), text: "post 1001"),
        event(7004, .follow, by: "eve"), event(7002, .follow, by: "bob"), like(7001, of: 1001))
      try insert(news, notifications, into: storage)
      let moment = noon + .seconds(180)
      // The post, and the follow.
      #expect(try storage.count(of: .before(moment)).posts == 2)
      try purge(.before(moment), storage)
      #expect(try insert(news, notifications, into: storage) == [])
      #expect(try events(notifications, storage) == [[7006, 1007], [7005], [7004]])
      #expect(try insert(page(like(7007, of: 1001)), notifications, into: storage) == [7007])
      #expect(try events(notifications, storage).first == [7007])
      #expect(try exported(storage, .everything).allSatisfy { !$0.contains("post 1001") })
      try expectSound(storage, posts: 1)
      try purge(.everything, storage)
      #expect(try events(notifications, storage) == [] && exported(storage, .everything) == [])
      try expectSound(storage, posts: 0)
    }
  }

  // MARK: Filters

  @Test("a filter for notifications hides the event, and not the post in home", arguments: StoreKind.allCases)
  func filteredEvent(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(1002, 1001), .home, into: storage)
      func filtered(_ number: Int, _ action: ServerFilter.Action) -> Page.Entry {
        let plain = entry(number)
        let post = Page.Entry(post: plain.post.filtered(by: ServerFilter(action, title: "wasps")), key: plain.key)
        return event(6000 + number, .mention, by: "ann", about: post)
      }
      let news = page(filtered(1002, .hide), filtered(1001, .warn))
      #expect(try insert(news, notifications, into: storage) == [7001])
      #expect(try events(notifications, storage) == [[7001, 1001]])
      let warned = try storage.posts(of: notifications, below: nil, atMost: 1)[0]
      #expect(try PostJSON.read(warned.json).filter?.action == .warn)
      #expect(try ids(storage, .home) == [1002, 1001])
      try insert(news, notifications, into: storage, keepsFiltered: false)
      #expect(try events(notifications, storage) == [[7002, 1002], [7001, 1001]])
    }
  }

  // MARK: Archives

  @Test("events are exported only if their timeline is asked for", arguments: StoreKind.allCases)
  func exportedEvents(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(page(1002, 1001), .home, into: storage)
      try insert(page(event(7001, .mention, by: "ann", about: entry(1001))), mentions, into: storage)
      let news = page(event(7003, .follow, by: "eve"), like(7002, of: 1002), like(7001, of: 1005))
      try insert(news, notifications, into: storage)
      let lines = try exported(storage)
      #expect(lines.count == 2 && !lines[0].contains("notification"))
      #expect(lines[1].contains(#""timelines":["home","mentions"],"notifications":[{"timeline":"mentions""#))
      let own = try exported(storage, .timeline(notifications))
      #expect(own.count == 3 && own[2].contains(#""notification":{"id":"7003","kind":"follow""#))
      #expect(own[2].contains(#""timelines":["notifications"]"#))
      #expect(try exported(storage, .everything).count == 4)
      #expect(try found(storage, "post", .timeline(notifications)) == [1005, 1002])
      #expect(try found(storage, "post") == [1002, 1001])
    }
  }

  @Test("an exported archive of events can be imported", arguments: StoreKind.allCases)
  func importedEvents(kind: StoreKind) throws {
    let (source, target) = (StoreUnderTest(kind), StoreUnderTest(kind))
    var lines: [String] = []
    var before: [KnownPost] = []
    try source.timeline { storage in
      try insert(page(1002, 1001), .home, into: storage)
      let news = page(
        event(7004, .follow, by: "eve"), like(7003, of: 1002), like(7002, of: 1002, by: "eve"), like(7001, of: 1001))
      try insert(news, notifications, into: storage)
      for moment in [noon, noon + .seconds(7200)] { _ = try storage.note(.gone, of: entry(1001).mark, at: moment) }
      lines = try exported(storage, .everything)
      before = try storage.posts(of: notifications, below: nil, atMost: 100)
      #expect(before.count == 4)
    }
    try target.timeline { storage in
      let posts = try lines.map { try ImportedPost(line: Array($0.utf8)) }
      #expect(posts.map { String(decoding: $0.line, as: UTF8.self) } == lines)
      #expect(try storage.importPosts(posts, at: noon) == 3)
      #expect(try storage.importPosts(posts, at: noon) == 0)
      #expect(try storage.posts(of: notifications, below: nil, atMost: 100) == before)
      #expect(try ids(storage, .home) == [1002])
      #expect(try exported(storage, .everything) == lines)
      try insert(
        page(event(7005, .follow, by: "bob")), notifications, into: storage, at: noon + .seconds(86_400 + 210),
        keeping: Retention(days: 1))
      #expect(try events(notifications, storage) == [[7005], [7004]], "the ages are those of the events")
      try expectSound(storage, posts: 1)
    }
    // A published file of events names no timeline.
    #expect(throws: ImportedPostError.noTimeline) {
      try ImportedPost(line: PostJSON.bytes(Post(event: notice(7001, .follow, by: ["bob"]))))
    }
    let published = try ImportedPost(line: PostJSON.bytes(like(7001, of: 1001).post))
    #expect(published.post == entry(1001).post && published.timelines == [.home])
  }
}
