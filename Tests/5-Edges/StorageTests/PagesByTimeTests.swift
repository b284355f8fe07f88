import Formats
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Storage

/// How every store must return posts by time, and hits of a search page by page.
@Suite struct PagesByTimeTests {
  private static let list = try! TimelineName("list:Friends")
  private static let bookmarks = try! TimelineName("bookmarks")

  /// Returns a post whose time does not follow from its key.
  private func entry(_ number: Int, minute: Int, _ action: ServerFilter.Action? = nil) -> Page.Entry {
    let id = PostID(String(number))
    let post = Post(
      id: id, createdAt: noon + .seconds(60 * minute), author: User(id: "ann", screenName: "ann", name: "Ann"),
      text: "post \(number)")
    return Page.Entry(
      post: post.filtered(by: action.map { ServerFilter($0, title: "wasps") }), key: PostKey(decimal: id)!)
  }

  /// The posts 1 to 12: pairs of keys in the wrong order of time, and three posts with the same time.
  private var mixed: [Page.Entry] {
    let minutes = [1: 2, 2: 1, 3: 3, 4: 5, 5: 5, 6: 5, 7: 8, 8: 7, 9: 9, 10: 12, 11: 10, 12: 11]
    return minutes.keys.sorted(by: >).map { entry($0, minute: minutes[$0]!) }
  }
  private let byTime = [10, 12, 11, 9, 7, 8, 6, 5, 4, 3, 1, 2]

  private func insert(_ entries: [Page.Entry], _ timeline: TimelineName, into storage: any AccountStorage) throws {
    let write = PageWrite(
      Page(entries: entries, older: nil), of: timeline, as: .head, receivedAt: noon, state: try storage.state())
    _ = try storage.insert(write, expecting: storage.revision())
  }

  /// Reads all pages of a size.
  private func pages(
    of size: Int, _ read: (PostMoment?) throws -> [TimedPost]
  ) throws -> [Int] {
    var numbers: [Int] = []
    var moment: PostMoment?
    while true {
      let page = try read(moment)
      #expect(page.count <= size)
      guard let last = page.last else { return numbers }
      numbers += page.map { Int($0.post.mark.id.text)! }
      moment = last.moment
    }
  }

  @Test("pages by time contain each post once, latest first", arguments: StoreKind.allCases, [1, 2, 5, 100])
  func pages(kind: StoreKind, size: Int) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      try insert(mixed, .home, into: storage)
      for _ in 0..<2 {
        #expect(try pages(of: size) { try storage.posts(of: .home, before: $0, atMost: size) } == byTime)
        // The same with the tables of another timeline, and with posts that home does not contain.
        try insert([entry(21, minute: 6), entry(20, minute: 4)], Self.list, into: storage)
      }
      #expect(try pages(of: size) { try storage.posts(of: Self.list, before: $0, atMost: size) } == [21, 20])
      #expect(try storage.posts(of: Self.bookmarks, before: nil, atMost: size) == [])
    }
  }

  @Test("pages by time leave out deleted and hidden posts, and show the latest version of an edited one")
  func changes() throws {
    let store = StoreUnderTest(.files)
    try store.timeline { storage in
      try insert(mixed + [entry(0, minute: 0, .hide)], .home, into: storage)
      for _ in 0..<2 {
        _ = try storage.note(
          .gone, of: entry(9, minute: 9).mark, at: noon, keeping: Retention(), state: nil,
          expecting: storage.revision())
        _ = try storage.note(
          .gone, of: entry(9, minute: 9).mark, at: noon + .seconds(7200), keeping: Retention(), state: nil,
          expecting: storage.revision())
      }
      var edited = entry(10, minute: 12).post
      edited.text = "a new text"
      try insert([Page.Entry(post: edited, key: entry(10, minute: 12).key)], .home, into: storage)
      let posts = try storage.posts(of: .home, before: nil, atMost: 100)
      #expect(posts.map { Int($0.post.mark.id.text)! } == byTime.filter { $0 != 9 })
      #expect(try PostJSON.read(posts[0].post.json).text == "a new text")
      #expect(try storage.edits(of: PostID("10"), in: .everything).map(\.text) == ["post 10"])
      #expect(try storage.edits(of: PostID("11"), in: .everything) == [])
      #expect(try storage.edits(of: PostID("9"), in: .everything) == [])
    }
  }

  @Test("a bookmark's place by time is the time when it was seen")
  func marked() throws {
    let store = StoreUnderTest(.files)
    try store.timeline { storage in
      let marked = mixed.prefix(2).map { $0.marked(at: TimedPosition(noon, id: $0.post.id.text).key) }
      try insert(marked, Self.bookmarks, into: storage)
      let posts = try storage.posts(of: Self.bookmarks, before: nil, atMost: 10)
      #expect(posts.count == 2 && posts.allSatisfy { $0.time == noon })
      #expect(try storage.posts(of: Self.bookmarks, before: posts[0].moment, atMost: 10) == [posts[1]])
    }
  }

  @Test("pages of a search contain each hit once, latest first", arguments: StoreKind.allCases, [1, 2, 5, 100])
  func search(kind: StoreKind, size: Int) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { storage in
      // The second half is in another part of the index in larger archives; here, the order of the rows is not that of the times.
      try insert(Array(mixed.suffix(6)), .home, into: storage)
      try insert(Array(mixed.prefix(6)), .home, into: storage)
      let query = try SearchQuery("post")
      func found(_ scope: ArchiveScope, since: Timestamp? = nil, until: Timestamp? = nil) throws -> [Int] {
        try pages(of: size) {
          try storage.search(
            query, since: since, until: until, author: "ann", in: scope, below: $0, limit: size)
        }
      }
      #expect(try found(.withoutPrivate) == byTime)
      #expect(
        try found(.withoutPrivate, since: noon + .seconds(180), until: noon + .seconds(600)) == [9, 7, 8, 6, 5, 4, 3])
      try insert([entry(20, minute: 6)], Self.bookmarks, into: storage)
      #expect(try found(.withoutPrivate) == byTime, "a private timeline is searched only if it is named")
      #expect(try found(.timeline(Self.bookmarks)) == [20])
      try insert([entry(21, minute: 6)], Self.list, into: storage)
      #expect(try found(.withoutPrivate) == [10, 12, 11, 9, 7, 8, 21, 6, 5, 4, 3, 1, 2])
    }
  }
}
