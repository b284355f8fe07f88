import ControlProtocol
import Formats
import HTTP
import Platform
import Settings
import Storage
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Web

/// The buttons below posts. What the service does with the requests is in the end-to-end tests.
@Suite("The buttons below posts") struct ActPagesTests {
  private typealias Fixture = ReadingFixture

  private static let mastodon =
    #""bird": {"provider": "mastodon", "server": "https://m.example", "scopes": ["read", "write"], "#
    + #""timelines": {"home": {}, "bookmarks": {}}}"#

  /// Returns the values of the buttons of a page's first post.
  private func buttons(_ html: String) -> [String] {
    let form = html.firstMatch(of: /<form class="acts".*?<\/form>/.dotMatchesNewlines())?.0 ?? ""
    return form.matches(of: /<button name="do" value="([a-z]+)"/).map { String($0.1) }
  }

  private func form(
    _ act: String, _ more: [(name: String, value: String)] = [], back: String = "/a/bird", post: String = "1000"
  ) -> [(name: String, value: String)] {
    [("account", "bird"), ("post", post), ("timeline", "bird"), ("back", back), ("do", act)] + more
  }

  // MARK: What is offered

  @Test("A post offers what its provider and the account's settings allow")
  func offered() throws {
    let cases: [(settings: String, buttons: [String])] = [
      (Self.mastodon, ["like", "repost", "bookmark", "read"]),
      // These scopes only allow reading.
      (#""bird": {"provider": "mastodon", "server": "https://m.example"}"#, ["read"]),
      (
        #""bird": {"provider": "mastodon", "server": "https://m.example", "scopes": ["read", "write:favourites"]}"#,
        ["like", "read"]
      ),
      (#""bird": {"provider": "sandbox"}"#, ["like", "repost", "read"]),
      (#""bird": {"provider": "sandbox", "enabled": false}"#, []),
    ]
    for (settings, buttons) in cases {
      let fixture = try Fixture(settings)
      try fixture.store([Fixture.post(1000)])
      let answer = try fixture.get("/a/bird")
      #expect(self.buttons(answer.html) == buttons, "\(settings)")
      #expect(PageJudge(answer.html).faults == [])
    }
  }

  @Test("Only the user's own posts can be deleted, and an own repost can be taken back")
  func own() throws {
    let fixture = try Fixture()
    try fixture.store([Fixture.post(1000)])
    #expect(!buttons(try fixture.get("/a/bird").html).contains("delete"))
    try fixture.logIn(as: "somebody")
    #expect(!buttons(try fixture.get("/a/bird").html).contains("delete"))
    try fixture.logIn(as: "ann")
    #expect(buttons(try fixture.get("/a/bird").html) == ["like", "repost", "read", "delete"])
    try fixture.store([
      Fixture.post(1001) {
        $0.author = User(id: "cat", screenName: "cat", name: "Cat")
        $0.repostedBy = User(id: "ann", screenName: "ann", name: "Ann")
      }
    ])
    #expect(buttons(try fixture.get("/a/bird").html) == ["like", "unrepost", "read"])
  }

  @Test("Stored bookmarks and likes are known, and what a page did afterwards counts more")
  func marked() throws {
    let fixture = try Fixture(Self.mastodon)
    try fixture.store([Fixture.post(1000), Fixture.post(1001)])
    try fixture.store([Fixture.post(1001)], in: .bookmarks)
    try fixture.store([Fixture.post(1000), Fixture.post(1001)], in: .likes)
    #expect(buttons(try fixture.get("/a/bird/p/1000").html) == ["unlike", "repost", "bookmark", "read"])
    #expect(buttons(try fixture.get("/a/bird/p/1001").html) == ["unlike", "repost", "unbookmark", "read"])
    #expect(try fixture.post("/act", form("unlike", post: "1001")).status == 303)
    #expect(try fixture.post("/act", form("bookmark")).status == 303)
    #expect(buttons(try fixture.get("/a/bird/p/1000").html) == ["unlike", "repost", "unbookmark", "read"])
    #expect(buttons(try fixture.get("/a/bird/p/1001").html) == ["like", "repost", "unbookmark", "read"])
  }

  @Test("Each page with posts has the buttons, and names its own address as the way back")
  func pages() throws {
    let fixture = try Fixture(Self.mastodon, views: #""all": {"accounts": ["bird"]}"#)
    try fixture.store([Fixture.post(1000, "needle")])
    try fixture.store([Fixture.post(1001, "needle")], in: TimelineName("bookmarks"))
    let cases: [(page: String, timeline: String?)] = [
      ("/a/bird", "bird"), ("/a/bird?reposts=0", "bird"), ("/a/bird/bookmarks", "bird/bookmarks"), ("/v/all", "bird"),
      ("/a/bird/p/1000", "bird"), ("/a/bird/p/1001", nil), ("/search?q=needle", nil),
    ]
    for (page, timeline) in cases {
      let html = try fixture.get(page).html
      #expect(html.contains("<input type=\"hidden\" name=\"back\" value=\"\(page)\">"), "\(page)")
      #expect(buttons(html).contains("like"), "\(page)")
      #expect(buttons(html).contains("read") == (timeline != nil), "\(page)")
      if let timeline {
        let name = timeline.replacing("/", with: "%2F")
        #expect(html.contains("action=\"/act?timeline=\(name)&amp;post="), "\(page)")
      }
      #expect(PageJudge(html).faults == [], "\(page)")
    }
    // A message belongs to one response only.
    let after = try fixture.get("/a/bird?done=liked").html
    #expect(after.contains("<p class=\"said\" role=\"status\">You liked the post.</p>"))
    #expect(after.contains("name=\"back\" value=\"/a/bird\""))
    #expect(try fixture.get("/a/bird?done=hello").status == 400)
  }

  @Test("Fifty posts of a Mastodon account with all counts and buttons, and ids of its length, weigh at most 116 KB")
  func weight() throws {
    let fixture = try Fixture(Self.mastodon)
    let first = 2_126_472_888_348_464_815
    let author = User(id: "1", screenName: "weather_mole@far.example", name: "天気のもぐら")
    try fixture.store(
      (0..<50).map { number in
        let id = PostID(String(first + number))
        var post = Post(
          id: id, createdAt: Fixture.noon - .seconds(50 - number), author: author,
          text: String(repeating: "A sentence of a post. ", count: 5), url: "https://far.example/@weather_mole/\(id)")
        post.language = "en"
        post.counts = Post.Counts(replies: 3, reposts: 29, likes: 116)
        return Page.Entry(post: post, key: PostKey(decimal: id)!)
      })
    let html = try fixture.get("/a/bird?reposts=0&replies=0").html
    #expect(html.matches(of: /<form class="acts"/).count == 50)
    #expect(html.matches(of: /value="bookmark"/).count == 50)
    #expect(html.matches(of: /href="\/post\?account=bird&amp;reply=/).count == 50)
    #expect(html.utf8.count <= 116_000, "\(html.utf8.count)")
    #expect(html.matches(of: /<footer role="group" aria-labelledby="post-bird-[0-9]+-by">/).count == 50)
    #expect(PageJudge(html).faults == [])
  }

  @Test("A form's address and its fields together say what to do, and the timeline names the account")
  func addressed() throws {
    let fixture = try Fixture(Self.mastodon)
    try fixture.store([Fixture.post(1000)])
    let html = try fixture.get("/a/bird").html
    let action = try #require(html.firstMatch(of: /<form class="acts" method="post" action="([^"]+)"/)).1
    let answer = try fixture.post(String(action).replacing("&amp;", with: "&"), [("back", "/a/bird"), ("do", "like")])
    #expect(answer.status == 303 && answer.location == "/a/bird?done=liked#post-bird-1000")
    let request = try #require(fixture.changes.requests.last as? PostActionRequest)
    #expect(request == PostActionRequest(account: "bird", action: "like", post: "1000", undo: false))
  }

  // MARK: What happens

  @Test("A button sends the same request as the command, and leads back to the post with a message")
  func done() throws {
    let fixture = try Fixture(Self.mastodon)
    try fixture.store([Fixture.post(1000)])
    for (act, action, undo) in [
      ("like", "like", false), ("unlike", "like", true), ("repost", "repost", false), ("unrepost", "repost", true),
      ("bookmark", "bookmark", false), ("unbookmark", "bookmark", true),
    ] {
      let answer = try fixture.post("/act", form(act, back: "/a/bird?reposts=0&done=marked"))
      let location = try #require(answer.location)
      #expect(answer.status == 303 && location.hasPrefix("/a/bird?reposts=0&done="), "\(location)")
      #expect(location.hasSuffix("#post-bird-1000") && !location.contains("done=marked"))
      let request = try #require(fixture.changes.requests.last as? PostActionRequest)
      #expect(request == PostActionRequest(account: "bird", action: action, post: "1000", undo: undo))
      let shown = try fixture.get(location.split(separator: "#")[0].description)
      #expect(shown.html.contains("role=\"status\""))
      #expect(shown.html.contains("id=\"post-bird-1000\""))
      // What was done can be undone, and the other way round.
      #expect(buttons(shown.html).contains(try #require(PostAct(rawValue: act)?.opposite).rawValue), "\(act)")
      #expect(!buttons(shown.html).contains(act))
    }
  }

  @Test("The read mark moves to the post in its own timeline")
  func read() throws {
    let fixture = try Fixture(Self.mastodon)
    try fixture.store([Fixture.post(1000)], in: TimelineName("bookmarks"))
    var form = form("read", [("entry", "77")], back: "/a/bird/bookmarks")
    form[2].value = "bird/bookmarks"
    let answer = try fixture.post("/act", form)
    #expect(answer.location == "/a/bird/bookmarks?done=marked#notification-bird-77")
    #expect(fixture.changes.requests.last as? MarkRequest == MarkRequest(account: "bird/bookmarks", upTo: "77"))
  }

  @Test("Nothing is deleted before the user confirms it, and the page of a deleted post is left")
  func deleted() throws {
    let fixture = try Fixture()
    try fixture.logIn(as: "ann")
    try fixture.store([Fixture.post(1000, "my mistake")])
    let question = try fixture.post("/act", form("delete", back: "/a/bird/p/1000"))
    #expect(question.status == 200 && question.html.contains("Delete this post?"))
    #expect(question.html.contains("my mistake") && question.html.contains("name=\"sure\" value=\"yes\""))
    #expect(PageJudge(question.html).faults == [])
    #expect(fixture.changes.requests.isEmpty)
    #expect(try fixture.post("/act", form("delete", [("part", "posts")])).status == 400)
    #expect(fixture.changes.requests.isEmpty)
    let answer = try fixture.post("/act", form("delete", [("sure", "yes")], back: "/a/bird/p/1000"))
    #expect(answer.location == "/a/bird?done=deleted")
    #expect(fixture.changes.requests.count == 1)
    let other = try fixture.post("/act", form("delete", [("sure", "yes")]))
    #expect(other.location == "/a/bird?done=deleted")
  }

  @Test("The script gets the post alone with its new buttons and a message, or the error with its status")
  func part() throws {
    let fixture = try Fixture(Self.mastodon)
    try fixture.store([Fixture.post(1000), Fixture.post(1001)])
    let answer = try fixture.post("/act", form("like", [("part", "posts")]))
    #expect(answer.status == 200 && answer.numbers == [1000] && !answer.html.contains("<html"))
    #expect(buttons(answer.html).contains("unlike") && answer.html.contains("role=\"status\">You liked the post.</p>"))
    fixture.changes.respond { _ in .init(end: .end(EndEvent(exit: .badData, message: "bird: no post"))) }
    let failed = try fixture.post("/act", form("like", [("part", "posts")]))
    #expect(failed.status == 422 && failed.html.contains("The post is not liked. bird: no post."))
    #expect(!failed.html.contains("<html"))
    #expect(try fixture.post("/act", form("dance", [("part", "posts")])).html.hasPrefix("<p class=\"said\""))
  }

  @Test("A failure says what happened, what to do and when, and leads back to the post")
  func failed() throws {
    let fixture = try Fixture()
    try fixture.store([Fixture.post(1000)])
    let cases: [(end: ControlResponse?, status: Int, text: String)] = [
      (
        .end(EndEvent(exit: .badData, message: "bird: the server has no post 1000")), 422,
        "the server has no post 1000."
      ),
      (
        .end(EndEvent(exit: .temporary, message: "bird: slow down", retryAt: Fixture.noon + .seconds(120))), 503,
        "It can be tried again at "
      ),
      (.end(EndEvent(exit: .notAuthorised, message: "bird: run homeline login bird")), 409, "run homeline login bird."),
      (.refusal(ControlError(.notFound, "there is no account bird")), 404, "there is no account bird."),
    ]
    for (end, status, text) in cases {
      fixture.changes.respond { _ in .init(end: end) }
      let answer = try fixture.post("/act", form("like"))
      #expect(answer.status == status && answer.html.contains(text), "\(answer.html)")
      #expect(answer.html.contains("The post is not liked"))
      #expect(answer.link("Back to the page") == "/a/bird#post-bird-1000")
      #expect(PageJudge(answer.html).faults == [])
    }
    #expect(buttons(try fixture.get("/a/bird").html).contains("like"))
  }

  @Test("A change that takes longer than the page waits goes on, and the page says where to look")
  func slow() throws {
    let fixture = try Fixture(patience: .milliseconds(50))
    try fixture.store([Fixture.post(1000)])
    fixture.changes.respond { _ in .init(end: nil) }
    for (act, title) in [
      ("like", "The server has not answered yet"), ("read", "The read mark is not moved yet"),
    ] {
      let answer = try fixture.post("/act", form(act))
      #expect(answer.status == 202 && answer.html.contains(title) && answer.html.contains("The status page"))
      #expect(answer.link("Back to the page") == "/a/bird#post-bird-1000")
    }
    #expect(fixture.changes.left == 2)
    // Nothing is known about the outcome, so the button offers the act again.
    #expect(buttons(try fixture.get("/a/bird").html).contains("like"))
    let refresh = try fixture.post("/status/refresh", [("account", "bird")])
    #expect(refresh.status == 202 && refresh.html.contains("The refresh takes longer"))
    let login = try fixture.post("/status/login", [("account", "bird")])
    #expect(login.status == 503 && login.html.contains("homeline login bird"))
  }

  // MARK: Bad input

  @Test(
    "A form leads only to this server's own pages",
    arguments: [
      "https://evil.example/", "//evil.example/", "/\\evil.example/", "/enter?ticket=1", "/x/0.css", "/leave",
      "javascript:alert(1)", "", "/a/../..", "/%2e%2e/", "*", "a/bird", "/a/bird\r\nX: y",
    ])
  func back(address: String) throws {
    let fixture = try Fixture()
    try fixture.store([Fixture.post(1000)])
    let answer = try fixture.post("/act", form("like", back: address))
    #expect(answer.status == 400 && answer.location == nil && !answer.html.contains("evil.example"))
    #expect(fixture.changes.requests.isEmpty)
  }

  @Test("Values that no form has are refused, and nothing is changed")
  func malformed() throws {
    let fixture = try Fixture()
    let cases: [(form: [(name: String, value: String)], status: Int)] = [
      ([], 400), (form("dance"), 400), (form("like", post: ""), 400), (form("like", post: "1\n2"), 400),
      (form("like", post: String(repeating: "1", count: 1_001)), 400),
      ([("account", "no/body"), ("post", "1"), ("back", "/"), ("do", "like")], 400),
      ([("account", "nobody"), ("post", "1"), ("back", "/"), ("do", "like")], 404),
      ([("account", "bird"), ("post", "1"), ("timeline", "cat"), ("back", "/"), ("do", "read")], 400),
      ([("account", "bird"), ("post", "1"), ("back", "/"), ("do", "read")], 400),
    ]
    for (form, status) in cases {
      let answer = try fixture.post("/act", form)
      #expect(answer.status == status, "\(form) \(answer.status)")
      #expect(PageJudge(answer.html).faults == [])
    }
    #expect(fixture.changes.requests.isEmpty)
    #expect(try fixture.get("/act").status == 405 || fixture.get("/act").status == 404)
  }
}
