import Formats
import Storage
import StorageTestSupport
import Testing
import Time
import Timeline

@testable import Web

@Suite("The pages of an account's timelines") struct AccountPageTests {
  private typealias Fixture = ReadingFixture

  /// Follows the links to older posts.
  private func walk(
    _ fixture: Fixture, from address: String, by link: String = "Older posts"
  ) throws -> (pages: [[Int]], html: [String]) {
    var next: String? = address
    var pages: [[Int]] = []
    var html: [String] = []
    while let address = next {
      let answer = try fixture.get(address)
      #expect(answer.status == 200)
      #expect(PageJudge(answer.html).faults == [])
      pages.append(answer.numbers)
      html.append(answer.html)
      next = answer.link(link)
      try #require(pages.count < 100)
    }
    return (pages, html)
  }

  @Test("Pages of 50 posts lead to the end of the archive, and each post is on one of them")
  func pages() throws {
    let fixture = try Fixture()
    try fixture.store((1000...1119).map { Fixture.post($0) })
    let (pages, html) = try walk(fixture, from: "/a/bird")
    #expect(pages.map(\.count) == [50, 50, 20])
    #expect(pages.flatMap(\.self) == (1000...1119).reversed())
    #expect(html[2].contains("These are the oldest posts") && !html[1].contains("These are the oldest posts"))
    #expect(html[0].contains("<title>(120) bird · homeline</title>") && !html[0].contains("Newest posts"))
    #expect(html[1].contains("<a href=\"/a/bird\">Newest posts</a>"))
  }

  @Test("A page that begins where a post was deleted meanwhile continues below it")
  func deletedMeanwhile() throws {
    let fixture = try Fixture()
    try fixture.store((1000...1119).map { Fixture.post($0) })
    let older = try #require(try fixture.get("/a/bird").link("Older posts"))
    try fixture.store([Fixture.post(1119)], deleting: [1070, 1069])
    #expect(try fixture.get(older).numbers == (1019...1068).reversed())
  }

  @Test("Each other timeline has its page, also one that is no longer fetched")
  func timelines() throws {
    let list = try TimelineName("list:Friends/Family ~ ünd")
    let fixture = try Fixture(
      #""bird": {"provider": "mastodon", "server": "https://m.example", "timelines": {"home": {}, "bookmarks": {}}}"#)
    try fixture.store([Fixture.post(1000)])
    try fixture.store([Fixture.post(1001)], in: list)
    try fixture.store([Fixture.post(1002)], in: TimelineName("bookmarks"))
    let bookmarks = try fixture.get("/a/bird/bookmarks")
    #expect(bookmarks.numbers == [1002])
    #expect(bookmarks.html.contains("<h1>bird: bookmarks</h1>"))
    #expect(bookmarks.html.contains("<a href=\"/a/bird/bookmarks\" aria-current=\"page\">"))
    #expect(try fixture.get(WebAddress("a", "bird", list.description).text).numbers == [1001])
    #expect(try fixture.get("/a/bird").numbers == [1000])
  }

  @Test("Gaps and the read mark are shown, also at the beginning of a page and beside posts that are left out")
  func dividers() throws {
    let fixture = try Fixture()
    try fixture.archive { archive in
      for range in [1000...1019, 1100...1179] {
        let page = Page(
          entries: range.map { number in
            Fixture.post(number) { if number == 1100 { $0.repostedBy = $0.author } }
          }, older: PageCursor("c"))
        try archive.insert(page, as: .head, at: Fixture.noon) { $0[.home].readUpTo = Fixture.post(1129).mark }
      }
    }
    let (pages, html) = try walk(fixture, from: "/a/bird")
    #expect(pages.map(\.count) == [50, 50])
    #expect(html.map { $0.ranges(of: "<span>Read up to here</span>").count } == [0, 1])
    #expect(html.map { $0.ranges(of: "Posts may be missing here").count } == [0, 1])
    #expect(html[0].contains("50 unread"))
    let part = try fixture.get("/a/bird?part=posts&below=" + Fixture.post(1130).key.text)
    #expect(part.html.hasPrefix("<div class=\"posts\" id=\"posts\" data-unread=\"50\">\n<p class=\"divider read\">"))
    #expect(html[1].contains(part.html), "the part is made by the function that makes the page")
    // The post above the gap is a repost.
    let filtered = try fixture.get("/a/bird?reposts=0&below=" + Fixture.post(1130).key.text)
    #expect(!filtered.numbers.contains(1100))
    #expect(filtered.html.ranges(of: "Posts may be missing here").count == 1)
    #expect(try fixture.get("/a/bird?unread=1").numbers == (1130...1179).reversed())
    #expect(try fixture.get("/a/bird?unread=1").link("Older posts") == nil)
  }

  @Test("The filters in the address choose posts, and stay in the link to older ones")
  func filters() throws {
    let fixture = try Fixture()
    let bob = User(id: "bob", screenName: "bob@m.example", name: "Bob")
    try fixture.store(
      (1000...1199).map { number in
        Fixture.post(number) { post in
          switch number % 4 {
          case 0: post.repostedBy = bob
          case 1: post.inReplyTo = Post.Reply(id: PostID("1"), screenName: "x")
          case 2: post.media = [Media(kind: .photo, url: "https://p.example/\(number).jpg")]
          default: post.author = bob
          }
        }
      })
    func numbers(_ query: String) throws -> [Int] { try walk(fixture, from: "/a/bird?" + query).pages.flatMap(\.self) }
    let all = Array((1000...1199).reversed())
    #expect(try numbers("reposts=0") == all.filter { $0 % 4 != 0 })
    #expect(try numbers("replies=0&reposts=0") == all.filter { $0 % 4 > 1 })
    #expect(try numbers("media=1") == all.filter { $0 % 4 == 2 })
    #expect(try numbers("by=%40BOB%40m.example") == all.filter { $0 % 4 == 0 || $0 % 4 == 3 })
    #expect(try numbers("reposts=1&replies=1&media=0&unread=0&by=") == all)
    #expect(try numbers("by=nobody") == [])
    let page = try fixture.get("/a/bird?by=%22%3E%3Cb%3E&media=1").html
    #expect(page.contains("value=\"&quot;&gt;&lt;b&gt;\"") && page.contains("There are no such posts here."))
    #expect(page.contains("name=\"media\" value=\"1\" checked"))
  }

  @Test("A page looks at a limited number of posts, and says where it stopped")
  func limited() throws {
    let fixture = try Fixture()
    let photo = Media(kind: .photo, url: "https://p.example/1.jpg")
    try fixture.store((1000...5100).map { number in Fixture.post(number) { if number == 1005 { $0.media = [photo] } } })
    let (pages, html) = try walk(fixture, from: "/a/bird?media=1", by: "Look further back")
    #expect(pages == [[], [], [1005]])
    #expect(html[0].contains("2000 posts were looked at, back to"))
  }

  @Test("What is unknown is 404 with a way back; what means nothing is 400 and says why")
  func errors() throws {
    let fixture = try Fixture()
    try fixture.store([Fixture.post(1000)])
    for path in [
      "/a/nobody", "/a/Bird", "/a/_web", "/a/bird/list:None", "/a/bird/x", "/a/bird/p/7", "/v/none", "/a", "/p",
    ] {
      let answer = try fixture.get(path)
      #expect(answer.status == 404, "\(path)")
      #expect(answer.html.contains("<p><a href=\"/"), "\(path)")
    }
    for (query, reason) in [
      ("below=%20", "is not the key of a post"), ("below=", "is not the key of a post"),
      ("below=%C3%BC", "is not the key of a post"), ("below=" + String(repeating: "9", count: 1001), "is not the key"),
      ("reposts=2", "“reposts” is neither 0 nor 1"), ("media=", "“media” is neither 0 nor 1"),
      ("unread=yes", "“unread” is neither"), ("by=" + String(repeating: "a", count: 513), "longer than 512 bytes"),
      ("colour=red", "This page has no “colour”"), ("part=head", "no part “head”"), ("below=%zz", ""),
    ] {
      let answer = try fixture.get("/a/bird?" + query)
      #expect(answer.status == 400 && answer.html.contains(reason), "\(query)")
      #expect(PageJudge(answer.html).faults == [])
    }
  }

  @Test("An account without an archive has an empty page")
  func empty() throws {
    let answer = try Fixture().get("/a/bird")
    #expect(answer.status == 200 && answer.html.contains("There are no posts here yet."))
    #expect(PageJudge(answer.html).faults == [])
  }
}
