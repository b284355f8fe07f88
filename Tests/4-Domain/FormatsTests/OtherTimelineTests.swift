import Time
import Timeline
import Testing

@testable import Formats

/// The formats of a timeline other than the home timeline.
@Suite struct OtherTimelineTests {
  private func head(_ name: String) throws -> TimelineHead {
    try TimelineHead(
      account: "bird", timeline: TimelineName(name), provider: "mastodon",
      user: User(id: "1", screenName: "ann", name: "Ann"))
  }

  private func text(_ format: PublishedFormat, _ head: TimelineHead) -> String {
    String(decoding: format.bytes(of: Publication(head: head, posts: [], madeAt: Timestamp(seconds: 0))), as: UTF8.self)
  }

  @Test(
    "the file names its timeline, unless it is the home timeline",
    arguments: ["home", "list:Friends", "user:@a\u{202E}"])
  func file(name: String) throws {
    let head = try head(name)
    let bytes = TimelineFile.pieces(head: head, posts: PostLines()).flatMap(\.self)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"timeline\"") == (name != "home"))
    #expect(try TimelineFile.read(bytes).head == head)
  }

  @Test("a timeline of a kind that a later version added is read")
  func laterKind() throws {
    let file = #"{"schema": 2, "account": "bird", "timeline": "dreams", "provider": "mastodon", "posts": []}"#
    #expect(try TimelineFile.read(Array(file.utf8)).head.account == "bird")
  }

  @Test(
    "a feed's title and a page name the timeline",
    arguments: [
      ("home", "Ann&#39;s home timeline", "<p>Home timeline of <span"),
      ("mentions", "Ann&#39;s mentions", "<p>Mentions of <span"),
      ("list:A&B", "Ann · list A&amp;B", "<p><bdi>List A&amp;B</bdi> of <span"),
      ("tag:swift", "Ann · #swift", "<p><bdi>#swift</bdi></p>"),
      ("user:@bob", "Ann · posts by @bob", "<p><bdi>Posts by @bob</bdi></p>"),
    ])
  func titles(name: String, title: String, overview: String) throws {
    let head = try head(name)
    #expect(text(.atom, head).contains("<title>\(title)</title>"))
    #expect(text(.html, head).contains(overview))
  }

  @Test("each feed of an account has its own id")
  func ids() throws {
    let feeds = try ["home", "mentions", "list:a", "list:a/b", "list:b"].map { text(.atom, try head($0)) }
    let ids = feeds.compactMap { $0.split(separator: "\n").first { $0.hasPrefix("<id>") } }
    #expect(Set(ids).count == 5)
    #expect(ids[0] == "<id>tag:homeline.invalid,2026:timeline/bird</id>")
    #expect(ids[3] == "<id>tag:homeline.invalid,2026:timeline/bird/list%3Aa%2Fb</id>")
  }

  @Test("a line about old posts and a bar without posts name the timeline")
  func lines() throws {
    var head = try head("list:Friends")
    #expect(text(.bar, head).contains("bird/list:Friends: no unread posts"))
    head.problem = Problem(code: .network, message: "no route")
    #expect(head.stalenessLine.hasPrefix("bird/list:Friends: these posts are old"))
    #expect(
      TimelineHead.merged([head], account: "all", provider: "view", unread: 0).problem?.message == nil)
    head.staleSince = Timestamp(seconds: 1)
    #expect(
      TimelineHead.merged([head], account: "all", provider: "view", unread: 0).problem?.message
        == "bird/list:Friends: no route")
  }
}
