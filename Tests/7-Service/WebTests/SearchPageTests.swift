import Formats
import Storage
import TestSupport
import Testing
import Time
import Timeline

@testable import Web

@Suite("The search page") struct SearchPageTests {
  private typealias Fixture = ReadingFixture
  private static let accounts = #"""
    "bird": {"provider": "mastodon", "server": "https://m.example", "timelines": {"home": {}, "bookmarks": {}}},
    "cat": {"provider": "sandbox"}
    """#

  @Test("Hits of all accounts are on pages, latest first, and what matches is marked")
  func pages() throws {
    let fixture = try Fixture(Self.accounts)
    try fixture.store((1000...1079).map { Fixture.post($0, "an Äpfel post & <more>") })
    try fixture.store((1080...1139).map { Fixture.post($0, "apfel again") }, of: "cat")
    var next: String? = "/search?q=apfel"
    var numbers: [Int] = []
    while let address = next {
      let answer = try fixture.get(address)
      #expect(answer.status == 200 && PageJudge(answer.html).faults == [])
      numbers += answer.numbers
      next = answer.link("Older posts")
      if next == nil {
        #expect(answer.html.contains("an <mark>Äpfel</mark> post &amp; &lt;more&gt;"))
        #expect(answer.html.contains("These are all posts found."))
      }
    }
    #expect(numbers == (1000...1139).reversed())
  }

  @Test("Matches in names and in the descriptions of pictures are marked too, also next to special characters")
  func names() throws {
    let fixture = try Fixture(Self.accounts)
    let user = { (name: String) in User(id: name, screenName: "\(name)_s", name: "Dr. \(name) <&>") }
    try fixture.store([
      Fixture.post(1000, "a text") { post in
        post.author = user("heron")
        post.repostedBy = user("grebe")
        post.media = [Media(kind: .photo, url: "https://m.example/1", alternativeText: "a stork & a pond")]
        post.quoted = Post.Quote(
          id: PostID("7"), createdAt: post.createdAt, author: user("crane"), text: "quoted", url: nil, media: [])
      }
    ])
    for (query, marked) in [
      ("heron", ["<bdi>Dr. <mark>heron</mark> &lt;&amp;&gt;</bdi>", "<bdi>@<mark>heron</mark>_s</bdi>"]),
      ("grebe", ["<bdi>Dr. <mark>grebe</mark> &lt;&amp;&gt;</bdi> reposted"]),
      ("crane", ["<bdi>Dr. <mark>crane</mark> &lt;&amp;&gt;</bdi>", "<bdi>@<mark>crane</mark>_s</bdi>"]),
      ("stork", ["a <mark>stork</mark> &amp; a pond"]),
    ] {
      let answer = try fixture.get("/search?q=\(query)")
      #expect(answer.numbers == [1000] && PageJudge(answer.html).faults == [], "\(query)")
      for text in marked { #expect(answer.html.contains(text), "\(query): \(text)") }
      #expect(answer.html.ranges(of: "<mark>").count == marked.count, "\(query)")
    }
  }

  @Test("The fields narrow the search, and a private timeline is searched only if it is named")
  func fields() throws {
    let fixture = try Fixture(Self.accounts)
    try fixture.store([
      Fixture.post(1000, "moon") { $0.createdAt = Fixture.noon - .seconds(86_400 * 10) }, Fixture.post(9000, "moon"),
    ])
    try fixture.store([Fixture.post(9001, "moon")], in: try TimelineName("bookmarks"))
    try fixture.store(
      [Fixture.post(9002, "moon") { $0.author = User(id: "b", screenName: "bob", name: "Bob") }], of: "cat")
    func numbers(_ query: String) throws -> [Int] { try fixture.get("/search?q=moon" + query).numbers }
    #expect(try numbers("") == [9002, 9000, 1000])
    #expect(try numbers("&in=bird") == [9000, 1000])
    #expect(try numbers("&in=bird%2Fbookmarks") == [9001])
    #expect(try numbers("&by=%40Bob&in=") == [9002])
    #expect(try numbers("&since=7d") == [9002, 9000])
    #expect(try numbers("&until=7d&since=") == [1000])
    #expect(try numbers("&in=cat&until=7d") == [])
  }

  @Test("An error is beside its field, and what was typed stays")
  func errors() throws {
    let fixture = try Fixture(Self.accounts)
    for (query, field, message) in [
      ("q=%22open", "q", "The quotation mark at character 1 is not closed."), ("q=-a", "q", "All terms are excluded"),
      ("q=a&since=soon", "since", "This is not a time."), ("q=a&until=%3Cb%3E", "until", "This is not a time."),
      ("q=a&in=dog", "in", "There is no account with this name."),
      ("q=a&in=bird%2Flist%3ANone", "in", "The account bird has no timeline"),
      ("q=a&since=1d&until=2d", "until", "This is not after “Since”"), ("by=ann", "q", "does not contain any"),
    ] {
      let answer = try fixture.get("/search?" + query)
      #expect(answer.status == 400, "\(query)")
      #expect(answer.html.contains("aria-describedby=\"\(field)-error\"") && answer.html.contains(message), "\(query)")
      #expect(PageJudge(answer.html).faults == [])
    }
    let kept = try fixture.get("/search?q=%22open&by=%3C%22x&since=soon&in=dog").html
    #expect(kept.contains("value=\"&quot;open\"") && kept.contains("value=\"&lt;&quot;x\""))
    #expect(kept.contains("value=\"soon\"") && kept.contains("<option value=\"dog\" selected>dog</option>"))
  }

  @Test("A query of 10,000 terms is refused beside the field")
  func enormous() throws {
    let fixture = try Fixture(Self.accounts)
    let terms = Array(repeating: "word", count: 10_000).joined(separator: "+")
    let answer = try fixture.get("/search?q=" + terms)
    #expect(answer.status == 400 && answer.html.contains("longer than 1000 characters"))
    let many = try fixture.get("/search?q=" + Array(repeating: "w", count: 60).joined(separator: "+"))
    #expect(many.status == 400 && many.html.contains("more than 50 terms"))
  }

  @Test("Without a query, there is only the form")
  func form() throws {
    let answer = try Fixture(Self.accounts).get("/search")
    #expect(answer.status == 200 && PageJudge(answer.html).faults == [] && answer.numbers == [])
    #expect(answer.html.contains("<option value=\"bird/bookmarks\">") && !answer.html.contains("No posts found"))
    #expect(try Fixture(Self.accounts).get("/search?q=x").html.contains("No posts found."))
  }
}

@Suite("Hostile posts on every page") struct HostilePagesTests {
  private typealias Fixture = ReadingFixture

  @Test("No text of a post becomes markup, on any page and between search marks", arguments: HostileTexts.all.indices)
  func texts(index: Int) throws {
    let text = HostileTexts.all[index]
    let fixture = try Fixture(views: #""all": {}"#)
    let user = User(id: text, screenName: text, name: "needle " + text, avatarURL: text)
    let media = [Media(kind: .photo, url: text, alternativeText: "needle " + text)]
    let entries = [
      Fixture.post(1000, "needle " + text + " needle") { post in
        post.author = user
        post.url = text
        post.language = text
        post.repostedBy = user
        post.inReplyTo = Post.Reply(id: PostID(text), screenName: text)
        post.media = media
        post.quoted = Post.Quote(
          id: PostID(text), createdAt: post.createdAt, author: user, text: "needle " + text, url: text, media: media)
      },
      Fixture.post(1001, "needle " + text + "\u{301}") {
        $0.inReplyTo = Post.Reply(id: PostID("1000"), screenName: text)
      },
    ]
    try fixture.store(entries)
    try fixture.store([Fixture.post(1001, text + " edited needle")])
    let query = "/search?q=needle"
    for address in ["/a/bird", "/v/all", "/a/bird/p/1000", "/a/bird/p/1001", query, query + "&by=x", "/status", "/"] {
      let answer = try fixture.get(address)
      #expect(answer.status == 200)
      #expect(PageJudge(answer.html).faults == [], "\(address)")
    }
    #expect(try fixture.get(query).html.contains("<mark>needle</mark>"))
  }
}
