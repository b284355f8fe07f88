import Formats
import Settings
import Storage
import StorageTestSupport
import Testing
import Time
import Timeline

/// How every store must handle an account's state, spending and posts.
@Suite struct AccountStorageTests {
  private static let ann = AccountIdentity(
    server: "https://x.example", user: User(id: "1", screenName: "ann", name: "Ann"))

  @Test("state, spending and posts are still there when the timeline is opened again", arguments: StoreKind.allCases)
  func openedAgain(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    #expect(!store.provider.hasTimeline(store.key))
    try store.timeline { timeline in
      let reservation = try timeline.reserve(posts: 10, microUSD: 50_000, at: noon)
      try timeline.insert(
        page(1003, 1001), as: .head, at: noon,
        settling: Settlement(reservation, posts: ["1003", "1002", "1001"], microUSDPerPost: 5000)
      ) { $0.identity = Self.ann }
    }
    #expect(store.provider.hasTimeline(store.key))
    #expect(try store.provider.accounts() == [store.account])
    try store.timeline { timeline in
      #expect(try timeline.state().identity == Self.ann)
      let today = try timeline.spending().today(at: noon)
      #expect(today.requests == 1 && today.posts == 3 && today.microUSD == 15_000 && today.reservedMicroUSD == 0)
      #expect(try timeline.posts(of: .home, below: nil, atMost: 10).map(\.mark.id.text) == ["1003", "1002", "1001"])
      #expect(try timeline.spans(of: .home).top?.newest == entry(1003).mark)
    }
  }

  /// A write of each kind, with the revision that it expects.
  private static let writes: [(String, @Sendable (any AccountStorage, Revision) throws -> Revision)] = [
    ("state", { try $0.write(AccountState(identity: ann), expecting: $1) }),
    (
      "page",
      { try $0.insert(PageWrite(page(1010, 1009), of: .home, as: .head, receivedAt: noon), expecting: $1).revision }
    ),
    (
      "import",
      { try $0.importPosts([ImportedPost(entry(900).post, key: entry(900).key)], at: noon, expecting: $1).revision }
    ),
    ("reservation", { try $0.reserve(posts: 1, microUSD: 1, at: noon, expecting: $1).revision }),
    (
      "settlement",
      { try $0.settle(Settlement(Reservation(day: CivilDay(noon), posts: 1, microUSD: 1)), expecting: $1) }
    ),
    ("adoption", { try $0.adopt(SpendingRecord(days: [SpendingDay(CivilDay(noon))]), expecting: $1) }),
    (
      "deletion",
      {
        try $0.note(.gone, of: entry(1001).mark, at: noon, keeping: Retention(), state: nil, expecting: $1).revision
      }
    ),
    ("purge", { try $0.begin(.post(PostID("1001")), at: noon, expecting: $1).revision }),
  ]

  @Test("a write that expects an outdated revision is refused and changes nothing", arguments: StoreKind.allCases)
  func outdated(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      try timeline.insert(page(1003, 1001), as: .head, at: noon)
      let known = try timeline.revision()
      try store.writeFromElsewhere()
      let before = try (timeline.state(), timeline.spending(), timeline.posts(of: .home, below: nil, atMost: 100))
      for (name, write) in Self.writes {
        let error = #expect(throws: StorageError.self, "\(name)") { _ = try write(timeline, known) }
        #expect(error?.kind == .outdated, "\(name)")
      }
      let after = try (timeline.state(), timeline.spending(), timeline.posts(of: .home, below: nil, atMost: 100))
      #expect(after == before)
      #expect(try timeline.unfinishedPurges().isEmpty)
    }
  }

  @Test("each write returns the revision that the next write must expect", arguments: StoreKind.allCases)
  func inARow(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      try timeline.insert(page(1003, 1001), as: .head, at: noon)
      var revision = try timeline.revision()
      for (name, write) in Self.writes {
        let next = try write(timeline, revision)
        #expect(try timeline.revision() == next, "\(name)")
        revision = next
      }
    }
  }

  @Test(
    "if a write may be deferred, a page that changes nothing does not store an unchanged state",
    arguments: StoreKind.allCases)
  func deferred(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      try timeline.insert(page(1003, 1001), as: .head, at: noon) { $0[.home].refreshedAt = noon }
      let stored = try timeline.state()
      var quiet = stored
      (quiet[.home].refreshedAt, quiet[.home].nextRefreshAt) = (noon + .seconds(60), noon + .seconds(120))
      func insert(_ page: Page, _ state: AccountState, defers: Bool = true) throws -> StoredPage {
        let write = PageWrite(
          page, of: .home, as: .head, receivedAt: noon + .seconds(60), state: state, defersQuietState: defers)
        return try timeline.insert(write, expecting: timeline.revision()).value
      }
      #expect(try insert(page(1003, 1001), quiet).isStateDeferred)
      #expect(try timeline.state() == stored)
      // A problem must be stored, and so must a state with a new post. A state must also be stored if its writer does not allow it to be
      // deferred.
      var problem = quiet
      problem[.home].problem = Problem(code: .network, message: "no network", retryAt: nil)
      #expect(try !insert(page(1003, 1001), problem).isStateDeferred)
      #expect(try timeline.state() == problem)
      let new = try insert(page(1004, 1002), problem)
      #expect(new.new.map(\.mark.id.text) == ["1004"] && !new.isStateDeferred)
      #expect(try !insert(page(1004, 1002), quiet, defers: false).isStateDeferred)
      #expect(try timeline.state() == quiet)
    }
  }

  @Test("a writer can write again after reading the current revision", arguments: StoreKind.allCases)
  func lookedAgain(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      try store.writeFromElsewhere()
      _ = try timeline.write(AccountState(identity: Self.ann), expecting: timeline.revision())
      #expect(try timeline.state().identity == Self.ann)
    }
  }

  @Test(
    "a post is charged for once a day, and a reservation counts as spent until it is settled",
    arguments: StoreKind.allCases)
  func ledger(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      for expected in [2, 3] as [Int64] {
        let reservation = try timeline.reserve(posts: 10, microUSD: 100, at: noon)
        #expect(try timeline.spending().today(at: noon).reservedPosts == 10)
        let ids = expected == 2 ? ["1", "2"] : ["2", "3"]
        try timeline.settle(Settlement(reservation, posts: ids, microUSDPerPost: 10))
        let today = try timeline.spending().today(at: noon)
        #expect(Int64(today.posts) == expected && today.microUSD == expected * 10 && today.reservedMicroUSD == 0)
      }
      // The same post costs again on the next day.
      let next = noon + .seconds(86_400)
      let reservation = try timeline.reserve(posts: 1, microUSD: 10, at: next)
      try timeline.settle(Settlement(reservation, posts: ["2"], microUSDPerPost: 10))
      #expect(try timeline.spending().today(at: next).microUSD == 10)
      #expect(try timeline.spending().microUSDOfMonth(at: next) == 40)
      // The price of the request itself is charged each time.
      for _ in 0..<2 {
        let reservation = try timeline.reserve(posts: 0, microUSD: 15, at: next)
        try timeline.settle(Settlement(reservation, microUSD: 15))
      }
      #expect(try timeline.spending().today(at: next).countedMicroUSD == 40)
    }
  }

  @Test("adopted spending does not replace days that are already recorded", arguments: StoreKind.allCases)
  func adopted(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      _ = try timeline.reserve(posts: 1, microUSD: 7, at: noon)
      let yesterday = CivilDay(noon - .seconds(86_400))
      try timeline.adopt(
        SpendingRecord(days: [SpendingDay(yesterday, microUSD: 5), SpendingDay(CivilDay(noon), microUSD: 500)]))
      #expect(try timeline.spending().days.map(\.countedMicroUSD) == [5, 7])
    }
  }

  @Test(
    "a purge removes posts permanently, in portions, and the next state owner can complete it",
    arguments: StoreKind.allCases)
  func purge(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      let entries = (1001...1040).reversed().map { entry($0, by: $0.isMultiple(of: 2) ? "ann" : "bob") }
      try timeline.insert(Page(entries: entries, older: nil), as: .head, at: noon)
      #expect(try timeline.count(of: .author("bob")).posts == 20)
      _ = try timeline.begin(.author("bob"), at: noon)
    }
    try store.timeline { timeline in
      var run = try #require(try timeline.unfinishedPurges().first)
      while try timeline.continuePurge(&run, at: noon) {}
      #expect(run.purged.posts == 20 && run.hasEnded)
      #expect(try timeline.unfinishedPurges().isEmpty)
      #expect(
        try timeline.search(SearchQuery("bob"), since: nil, until: nil, author: nil, in: .withoutPrivate, limit: 10)
          .isEmpty)
      #expect(
        try timeline.search(SearchQuery("ann"), since: nil, until: nil, author: "@Ann", in: .withoutPrivate, limit: 100)
          .count == 20)
      var exported = 0
      try timeline.export(since: nil, until: nil, in: .withoutPrivate) { if $0.json != nil { exported += 1 } }
      #expect(exported == 20)
      #expect(try timeline.integrity { _, _ in }.problems == [])
    }
  }

  @Test("the storage notifies its observer of the posts that a write has changed", arguments: StoreKind.allCases)
  func observed(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      let observer = RecordedChanges()
      timeline.observer = observer
      try timeline.insert(page(1002, 1001), as: .head, at: noon)
      #expect(Set(observer.places) == [entry(1001).key, entry(1002).key])
      observer.places = []
      try timeline.insert(page(1002, 1001), as: .head, at: noon)
      #expect(observer.places.isEmpty && !observer.isLost)
      var run = try timeline.begin(.everything, at: noon + .seconds(10))
      while try timeline.continuePurge(&run, at: noon) {}
      #expect(observer.isLost)
    }
  }

  @Test(
    "the newest posts are added to a window, up to a number or down to a position, and unread posts are counted",
    arguments: StoreKind.allCases
  )
  func window(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    try store.timeline { timeline in
      try timeline.insert(page(1010, 1001), as: .head, at: noon)
      var window = PostWindow()
      try timeline.appendPosts(of: .home, atMost: 5, from: nil, readUpTo: entry(1008).mark, to: &window)
      #expect(window.lines.count == 5 && window.unread == 2)
      #expect(window.last == entry(1006).mark && window.newestRead == PostID("1008"))
      var upper = PostWindow()
      try timeline.appendPosts(of: .home, atMost: 100, from: entry(1009).key, readUpTo: nil, to: &upper)
      #expect(upper.lines.count == 2 && upper.last == entry(1009).mark)
      #expect(try timeline.positions(of: PostID("1004"), in: nil) == [entry(1004).mark])
    }
  }

  @Test("the posts of the home timeline are in no other timeline", arguments: StoreKind.allCases)
  func otherTimeline(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    let list = try TimelineName("list:Friends")
    try store.timeline { timeline in
      try timeline.insert(page(1010, 1008), as: .head, at: noon)
      try timeline.insert(page(1003, 1001), as: .head, at: noon)
      #expect(try timeline.spans(of: list) == Spans() && timeline.posts(of: list, below: nil, atMost: 10).isEmpty)
      #expect(try timeline.sincePosition(of: list, overlap: .seconds(10)) == nil)
      #expect(try timeline.countOfFetchedPosts(of: list, upTo: 10) == 0)
      #expect(try timeline.countOfPosts(of: list, above: entry(1001).key, upTo: 10) == 0)
      #expect(try timeline.gaps(of: list, downTo: entry(1001).mark, with: []).isEmpty)
      var window = PostWindow()
      try timeline.appendPosts(of: list, atMost: 10, from: nil, readUpTo: nil, to: &window)
      #expect(window.lines.count == 0)
    }
  }

  @Test("a timeline can be read while the state owner has it open", arguments: StoreKind.allCases)
  func reader(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    #expect(try store.provider.openArchive(store.key) == nil)
    try store.timeline { timeline in
      try timeline.insert(page(1003, 1001), as: .head, at: noon)
      let reader = try #require(try store.provider.openForReading(store.key, isSnapshot: false))
      defer { reader.close() }
      try timeline.insert(page(1005, 1004), as: .head, at: noon)
      #expect(try reader.posts(of: .home, below: nil, atMost: 10).count == 5)
      #expect(try reader.countOfPosts() == 5)
    }
  }

  @Test("an account's storage is empty after a switch to another user", arguments: StoreKind.allCases)
  func setAside(kind: StoreKind) throws {
    let store = StoreUnderTest(kind)
    #expect(try store.provider.setAside(store.account, userID: "1", at: noon) == [])
    try store.tokens.reserve(at: noon).commit(token("former"))
    try store.timeline { try $0.insert(page(1003, 1001), as: .head, at: noon) { $0.identity = Self.ann } }
    #expect(try !store.provider.setAside(store.account, userID: "1", at: noon).isEmpty)
    #expect(try store.tokens.read() == nil)
    try store.timeline { timeline in
      let (state, posts) = try (timeline.state(), timeline.posts(of: .home, below: nil, atMost: 1))
      #expect(state == AccountState())
      #expect(posts.isEmpty)
    }
  }
}

/// Records the changes that a timeline reports to its observer.
private final class RecordedChanges: PostObserver {
  private(set) var isLost = false
  var places: [PostKey] = []

  func postsChanged(_ changes: PostChanges, in timeline: TimelineName) { places += changes.places.map(\.key) }
  func allPostsChanged() { isLost = true }
}
