import Settings
import Storage
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Web

@Suite("The page of a post in its conversation") struct ThreadPageTests {
  private typealias Fixture = ReadingFixture

  private static func reply(_ number: Int, to answered: Int, _ text: String? = nil) -> Page.Entry {
    Fixture.post(number, text) { $0.inReplyTo = Post.Reply(id: PostID(String(answered)), screenName: "x") }
  }

  @Test("The posts that a post answers are above it, and the stored replies below it")
  func conversation() throws {
    let fixture = try Fixture()
    try fixture.store([
      Fixture.post(1000), Self.reply(1001, to: 1000), Self.reply(1002, to: 1001), Self.reply(1003, to: 1002),
      Self.reply(1004, to: 1002), Self.reply(1005, to: 1003), Fixture.post(1006), Self.reply(1007, to: 1001),
    ])
    let answer = try fixture.get("/a/bird/p/1002")
    #expect(answer.numbers == [1000, 1001, 1002, 1003, 1005, 1004])
    #expect(PageJudge(answer.html).faults == [])
    #expect(answer.html.contains("<h1>Post by Ann</h1>") && !answer.html.contains("Earlier versions"))
    #expect(try fixture.get("/a/bird").html.contains("href=\"/a/bird/p/1002\""))
    #expect(try fixture.get("/a/bird/p/1006").html.contains("No replies are stored."))
  }

  @Test("A conversation whose beginning is not stored says so, and posts that answer each other end it")
  func beginnings() throws {
    let fixture = try Fixture()
    try fixture.store([
      Self.reply(1001, to: 5), Self.reply(1002, to: 1001), Self.reply(1003, to: 1004), Self.reply(1004, to: 1003),
    ])
    let unknown = try fixture.get("/a/bird/p/1002")
    #expect(unknown.numbers == [1001, 1002])
    #expect(unknown.html.contains("Earlier posts of this conversation are not shown."))
    #expect(try fixture.get("/a/bird/p/1004").numbers == [1003, 1004])
  }

  /// A repost by somebody, as a Mastodon server sends it.
  private static func repost(_ number: Int, of original: Int, answering answered: Int? = nil) -> Page.Entry {
    let entry = Fixture.post(number) {
      $0.url = "https://ok.example/@ann/\(original)"
      $0.repostedBy = User(id: "cat", screenName: "cat", name: "Cat")
      $0.inReplyTo = answered.map { Post.Reply(id: PostID(String($0)), screenName: "x") }
    }
    let source = #"{"id": "\#(number)", "reblog": {"id": "\#(original)"}}"#
    return Page.Entry(post: entry.post, key: entry.key, source: Array(source.utf8)[...])
  }

  @Test("A repost shows the replies to its original, and the reposts of a reply are not shown as further replies")
  func reposts() throws {
    let fixture = try Fixture(#""bird": {"provider": "mastodon", "server": "https://m.example"}"#)
    try fixture.store([
      Fixture.post(1000), Self.reply(1001, to: 1000), Self.repost(1002, of: 1001, answering: 1000),
      Self.repost(1003, of: 1000), Self.reply(1004, to: 1000),
      // The original of these is not stored.
      Self.repost(1005, of: 900, answering: 1000), Self.repost(1006, of: 900, answering: 1000),
      Self.reply(1007, to: 900), Self.reply(1008, to: 1007),
    ])
    #expect(try fixture.get("/a/bird/p/1000").numbers == [1000, 1001, 1004, 1005])
    #expect(try fixture.get("/a/bird/p/1003").numbers == [1003, 1001, 1004, 1005])
    #expect(try fixture.get("/a/bird/p/1006").numbers == [1000, 1006, 1007, 1008])
  }

  @Test("Of many replies the oldest are shown, and the page of the last one shows the following ones")
  func many() throws {
    let fixture = try Fixture()
    let most = Conversation.mostReplies
    try fixture.store([Fixture.post(1000)] + (1001...1000 + most).map { Self.reply($0, to: $0 - 1) })
    let note = "These are the \(most) oldest replies."
    let all = try fixture.get("/a/bird/p/1000")
    #expect(all.numbers == Array(1000...1000 + most) && !all.html.contains(note))
    try fixture.store((1001 + most...1060 + most).map { Self.reply($0, to: $0 - 1) })
    let first = try fixture.get("/a/bird/p/1000")
    #expect(first.numbers == all.numbers && first.html.contains(note) && PageJudge(first.html).faults == [])
    let last = try fixture.get("/a/bird/p/\(1000 + most)")
    #expect(last.numbers == Array(960 + most...1060 + most) && !last.html.contains(note))
  }

  @Test("Earlier versions are shown, the latest first, and a deleted post is gone")
  func edits() throws {
    let fixture = try Fixture()
    for (minute, text) in ["first <b>", "second", "third"].enumerated() {
      try fixture.archive { archive in
        try archive.insert(
          Page(entries: [Fixture.post(1000, text)], older: nil), as: .head,
          at: Fixture.noon + .seconds(60 * minute))
      }
    }
    let html = try fixture.get("/a/bird/p/1000").html
    let places = try ["<h2>Earlier versions</h2>", ">second<", ">first &lt;b&gt;<"].map {
      try #require(html.firstRange(of: $0)).lowerBound
    }
    #expect(places == places.sorted() && html.contains(">third<"))
    try fixture.store([Fixture.post(1001)], deleting: [1000])
    let gone = try fixture.get("/a/bird/p/1000")
    #expect(gone.status == 404 && gone.html.contains("it was deleted") && gone.link("The account bird") == "/a/bird")
  }

  @Test("A post of a private timeline has a page, because the user names it")
  func privately() throws {
    let fixture = try Fixture()
    try fixture.store([Fixture.post(1000)], in: try TimelineName("bookmarks"))
    #expect(try fixture.get("/a/bird/p/1000").numbers == [1000])
  }

  @Test("An id that contains separators and special characters leads to its post", arguments: ["a/b~c", "%2e", "ü?&#"])
  func ids(id: String) throws {
    let fixture = try Fixture()
    let post = Post(id: PostID(id), createdAt: Fixture.noon, author: .unknown, text: "found me")
    try fixture.store([Page.Entry(post: post, key: PostKey("t1"))])
    let address = try #require(WebAddress.post(PostID(id), of: fixture.configuration.accounts[0].name)).text
    #expect(try fixture.get("/a/bird").html.contains("href=\"\(address)\""))
    #expect(try fixture.get(address).html.contains("found me"))
  }

  @Test("An id that cannot be part of a path has no link", arguments: [".", "..", "", "a\u{7f}"])
  func withoutPage(id: String) throws {
    let fixture = try Fixture()
    #expect(WebAddress.post(PostID(id), of: fixture.configuration.accounts[0].name) == nil)
  }
}
