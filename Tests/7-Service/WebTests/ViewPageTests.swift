import Folders
import Platform
import Storage
import Testing
import Time
import Timeline

@testable import Web

@Suite("The page of a view") struct ViewPageTests {
  private typealias Fixture = ReadingFixture
  private static let accounts = #"""
    "bird": {"provider": "mastodon", "server": "https://m.example", "timelines": {"home": {}, "list:A": {}, "bookmarks": {}}},
    "cat": {"provider": "sandbox"}
    """#

  private func walk(_ fixture: Fixture, _ address: String) throws -> [[Int]] {
    var next: String? = address
    var pages: [[Int]] = []
    while let address = next {
      let answer = try fixture.get(address)
      #expect(answer.status == 200 && PageJudge(answer.html).faults == [])
      pages.append(answer.numbers)
      next = answer.link("Older posts") ?? answer.link("Look further back")
      try #require(pages.count < 100)
    }
    return pages
  }

  @Test("The posts of all accounts are merged by time to the ends of their archives")
  func merged() throws {
    let fixture = try Fixture(Self.accounts, views: #""all": {"accounts": ["bird", "cat"], "posts": 10}"#)
    try fixture.store((1000...1099).filter { $0 % 3 != 0 }.map { Fixture.post($0) })
    try fixture.store((1000...1099).filter { $0 % 3 == 0 }.map { Fixture.post($0) }, of: "cat")
    #expect(try walk(fixture, "/v/all") == [(1050...1099).reversed(), (1000...1049).reversed()])
  }

  @Test("Posts of the same time and posts in several timelines are shown once")
  func once() throws {
    let fixture = try Fixture(
      Self.accounts,
      views: #""all": {"accounts": ["bird", "bird/list:A", "cat"], "fold_cross_posts": false}"#)
    func entries(_ numbers: ClosedRange<Int>) -> [Page.Entry] {
      numbers.map { number in
        Fixture.post(number) { $0.createdAt = Fixture.noon - .seconds(3600 * ((1200 - number) / 40)) }
      }
    }
    try fixture.store(entries(1000...1199))
    try fixture.store(entries(1100...1149), in: try TimelineName("list:A"))
    try fixture.store(entries(2000...2019), of: "cat")
    let pages = try walk(fixture, "/v/all")
    #expect(pages.flatMap(\.self).count == 220)
    #expect(Set(pages.flatMap(\.self)) == Set(1000...1199).union(2000...2019))
  }

  @Test("A post that a view also contains as a bookmark or a like is on one page only")
  func onceWithMarks() throws {
    let fixture = try Fixture(
      #""bird": {"provider": "mastodon", "server": "https://m.example", "#
        + #""timelines": {"home": {}, "bookmarks": {}, "likes": {}}}"#,
      views: #""all": {"accounts": ["bird", "bird/bookmarks", "bird/likes"]}"#)
    try fixture.store((1000...1149).map { Fixture.post($0) })
    func mark(_ numbers: [Int], in timeline: TimelineName) throws {
      let time = Fixture.noon - .seconds(60)
      try fixture.store(
        numbers.map { Fixture.post($0).marked(at: TimedPosition(time, id: String($0)).key) }, in: timeline)
    }
    try mark([1010, 1140], in: .bookmarks)
    try mark([1010, 1020], in: .likes)
    let shown = try walk(fixture, "/v/all").flatMap(\.self)
    #expect(shown.sorted() == Array(1000...1149))
    #expect(Set(shown.prefix(3)) == [1010, 1020, 1140])
    // As bookmarks and likes they are read.
    try fixture.archive { archive in
      var state = try archive.state()
      for timeline in [TimelineName.bookmarks, .likes] {
        state[timeline].readUpTo = PostPosition(id: PostID("x"), key: PostKey("t9"))
      }
      _ = try archive.write(state, expecting: archive.revision())
    }
    #expect(try walk(fixture, "/v/all?unread=1").flatMap(\.self).sorted() == Array(1000...1149))
  }

  @Test("A view has its own filter, folds cross-posts, and contains private timelines only where they are named")
  func rules() throws {
    let wasp = User(id: "wasp", screenName: "wasp", name: "Wasp")
    let text = "The same long text in both accounts, word for word."
    for (names, numbers) in [
      (#""bird", "cat""#, [1002, 1000]), (#""bird", "bird/bookmarks", "cat""#, [1005, 1002, 1000]),
    ] {
      let fixture = try Fixture(
        Self.accounts, views: #""all": {"accounts": [\#(names)], "mute": {"authors": ["wasp"]}}"#)
      try fixture.store([Fixture.post(1000), Fixture.post(1001) { $0.author = wasp }, Fixture.post(1002, text)])
      try fixture.store([Fixture.post(1001, text) { $0.url = "https://other.example/1" }], of: "cat")
      try fixture.store([Fixture.post(1005)], in: try TimelineName("bookmarks"))
      let answer = try fixture.get("/v/all")
      #expect(answer.numbers == numbers)
      #expect(answer.html.contains("also at <bdi>other.example</bdi>"))
    }
  }

  // MARK: Cross-posts

  private static let mia = User(id: "m", screenName: "mia", name: "Mia")

  /// A post by the same person everywhere, whose text tells which one it is.
  private static func crossPost(_ number: Int, _ text: Int, at host: String) -> Page.Entry {
    Fixture.post(number, "The same text number \(text) in every account.") {
      $0.author = mia
      $0.url = "https://\(host).example/\(number)"
    }
  }

  /// Returns the number of each post of a view from page to page, and the hosts that the page names for it.
  private func walkWithHosts(_ fixture: Fixture, _ address: String) throws -> [[(number: Int, alsoAt: [String])]] {
    var next: String? = address
    var pages: [[(number: Int, alsoAt: [String])]] = []
    while let address = next {
      let answer = try fixture.get(address)
      #expect(answer.status == 200 && PageJudge(answer.html).faults == [])
      let articles = answer.html.split(separator: "<article ").dropFirst()
      pages.append(
        zip(answer.numbers, articles).map { number, html in
          (number, html.matches(of: /also at <bdi>([a-z]+)\.example/).map { String($0.1) })
        })
      next = answer.link("Older posts")
      try #require(pages.count < 100)
    }
    return pages
  }

  @Test("A text in several accounts is shown once, with the others' addresses, also where a page ends in between")
  func onceAcrossPages() throws {
    let fixture = try Fixture(
      Self.accounts + #", "dog": {"provider": "sandbox"}"#, views: #""all": {"accounts": ["bird", "cat", "dog"]}"#)
    // The copies in the second account are 5 posts further down, and those in the third 60: on the next page, or on the one after it.
    let texts = [1, 40, 44, 45, 46, 47, 48, 49, 50, 51, 52, 99, 100]
    try fixture.store((1000...1149).filter { !texts.contains(1150 - $0) }.map { Fixture.post($0) })
    try fixture.store(texts.map { Self.crossPost(1150 - $0, $0, at: "bird") })
    try fixture.store(texts.map { Self.crossPost(1150 - $0 - 5, $0, at: "cat") }, of: "cat")
    try fixture.store(texts.prefix(5).map { Self.crossPost(1150 - $0 - 60, $0, at: "dog") }, of: "dog")
    let pages = try walkWithHosts(fixture, "/v/all")
    #expect(pages.count > 3)
    #expect(pages.flatMap(\.self).map(\.number) == (1000...1149).reversed())
    for text in texts {
      let shown = pages.flatMap(\.self).filter { $0.number == 1150 - text }
      #expect(shown.map(\.alsoAt) == [texts.prefix(5).contains(text) ? ["cat", "dog"] : ["cat"]], "\(text)")
    }
  }

  @Test("A text that a person repeats in each account is folded as if the view were one page")
  func repeatedAcrossPages() throws {
    let fixture = try Fixture(
      Self.accounts,
      views: #""all": {"accounts": ["bird", "cat"]}, "#
        + #""loose": {"accounts": ["bird", "cat"], "fold_cross_posts": false}"#)
    // Each tenth post is the same text, in turn in the first account and in the second one.
    func isCopy(_ number: Int) -> Bool { number % 10 == 0 }
    try fixture.store((1000...1199).filter { !isCopy($0) }.map { Fixture.post($0) })
    try fixture.store((1000...1199).filter { $0 % 20 == 10 }.map { Self.crossPost($0, 1, at: "bird") })
    try fixture.store((1000...1199).filter { $0 % 20 == 0 }.map { Self.crossPost($0, 1, at: "cat") }, of: "cat")
    let shown = try walkWithHosts(fixture, "/v/all").flatMap(\.self)
    // The latest one is in the first account, and the next one in the second account is its copy.
    #expect(shown.map(\.number) == (1000...1199).reversed().filter { $0 % 20 != 0 })
    #expect(shown.filter { isCopy($0.number) }.allSatisfy { $0.alsoAt == ["cat"] })
    #expect(try walk(fixture, "/v/loose").flatMap(\.self) == (1000...1199).reversed())
  }

  @Test("There is no further page if it would contain nothing but copies")
  func onlyCopies() throws {
    let fixture = try Fixture(Self.accounts, views: #""all": {"accounts": ["bird", "cat"]}"#)
    try fixture.store((1001...1050).map { Self.crossPost($0, $0, at: "bird") })
    try fixture.store((1001...1050).map { Self.crossPost($0 - 100, $0, at: "cat") }, of: "cat")
    let pages = try walkWithHosts(fixture, "/v/all")
    #expect(pages.map { $0.map(\.number) } == [(1001...1050).reversed()])
    #expect(pages[0].allSatisfy { $0.alsoAt == ["cat"] })
  }

  @Test("Filters look at a limited number of posts")
  func limited() throws {
    let fixture = try Fixture(Self.accounts, views: #""all": {"accounts": ["bird"]}"#)
    try fixture.store((1000...4500).map { Fixture.post($0) })
    let pages = try walk(fixture, "/v/all?by=nobody")
    #expect(pages == [[], []])
  }

  @Test("A damaged archive is named, and the other accounts are shown")
  func damaged() throws {
    let fixture = try Fixture(Self.accounts, views: #""all": {"accounts": ["bird", "cat"]}"#)
    try fixture.store([Fixture.post(1000)])
    try fixture.store([Fixture.post(1001)], of: "cat")
    let path = fixture.layout.files(of: "bird").database
    try AtomicFile.write(Array(repeating: 0x41, count: 20_000), to: path, .replaced)
    let answer = try fixture.get("/v/all")
    #expect(answer.status == 200 && answer.numbers == [1001])
    #expect(answer.html.contains("The archive of bird cannot be read"))
    let account = try fixture.get("/a/bird")
    #expect(account.status == 503 && account.html.contains("The archive of bird cannot be read"))
    #expect(try fixture.get("/a/cat").status == 200)
    #expect(try fixture.get("/search?q=post").html.contains("bird could not be searched"))
    #expect(try fixture.get("/search?q=post").numbers == [1001])
    #expect(try fixture.get("/status").status == 200)
  }

  @Test(
    "A place that is none is 400",
    arguments: [
      "before=x&key=1&of=bird", "before=1", "key=1", "of=bird", "before=99999999999999999&key=1&of=bird",
      "before=1&key=&of=bird", "folded=AAAAAAAAAAAA", "before=1&key=1&of=bird&folded=",
      "before=1&key=1&of=bird&folded=AA.",
    ])
  func badPlace(query: String) throws {
    let fixture = try Fixture(Self.accounts, views: #""all": {"accounts": ["bird"]}"#)
    #expect(try fixture.get("/v/all?" + query).status == 400)
    #expect(try fixture.get("/search?q=a&" + query).status == 400)
  }
}
