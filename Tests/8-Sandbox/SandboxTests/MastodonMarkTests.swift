import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("Bookmarks and favourites on a simulated Mastodon server")
struct MastodonMarkTests {
  private static let kinds = ["bookmarks", "favourites"]

  @Test("Links lead through all marked posts, with ids that are not those of posts", arguments: kinds)
  func links(kind: String) throws {
    for flavour in [MastodonFlavour.mastodon, .oldMastodon, .goToSocial, .akkoma] {
      var client = try MastodonTestClient.loggedIn(flavour)
      let all = try client.whole("id", "/api/v1/\(kind)?limit=40")
      #expect(all.count == (kind == "bookmarks" ? 60 : 50) && Set(all).count == all.count)
      #expect(try client.whole("id", "/api/v1/\(kind)?limit=7") == all)
      #expect(all != all.sorted(by: >), "the order is that of marking")
      let page = client.get("/api/v1/\(kind)?limit=7")
      let link = try #require(MastodonTestClient.link("next", page))
      #expect(all.allSatisfy { !link.contains($0) })
      // A client that computes the next page from the posts misses some or repeats some.
      #expect(try client.column("id", "/api/v1/\(kind)?limit=7&max_id=\(all[6])") != Array(all[7..<14]), "\(flavour)")
    }
  }

  @Test(
    "Mastodon's last page of bookmarks has no link to a next one if it is short; other servers link to an empty page")
  func lastPage() throws {
    for (flavour, isShort) in [(MastodonFlavour.mastodon, true), (.goToSocial, false)] {
      var client = try MastodonTestClient.loggedIn(flavour)
      let last = try #require(MastodonTestClient.link("next", client.get("/api/v1/bookmarks?limit=40")))
      #expect((MastodonTestClient.link("next", client.get(last)) == nil) == isShort)
    }
  }

  @Test("snac bounds pages of bookmarks by ids of posts without links, and has no favourites")
  func snac() throws {
    var client = try MastodonTestClient.loggedIn(.snac)
    let page = client.get("/api/v1/bookmarks?limit=7")
    #expect(page.headers.first("Link") == nil)
    let all = try client.column("id", "/api/v1/bookmarks?limit=100")
    #expect(all.count == 60)
    #expect(try client.column("id", "/api/v1/bookmarks?limit=7&max_id=\(all[6])") == Array(all[7..<14]))
    #expect(client.get("/api/v1/favourites").text == "[]")
  }

  @Test(
    "A newly marked post is first, a mark that exists stays where it is, and a removed mark leaves no trace",
    arguments: kinds)
  func changes(kind: String) throws {
    let verb = String(kind.dropLast())
    var client = try MastodonTestClient.loggedIn()
    let before = try client.whole("id", "/api/v1/\(kind)?limit=40")
    let home = try client.ids("?limit=5")
    let flag = verb == "bookmark" ? "bookmarked" : "favourited"
    for id in [home[1], home[3], home[1], before[5]] {
      let marked = client.post("/api/v1/statuses/\(id)/\(verb)")
      #expect(try ReceivedTable(marked)[flag] == "true")
    }
    #expect(try client.whole("id", "/api/v1/\(kind)?limit=40") == [home[3], home[1]] + before)
    #expect(try client.table("/api/v1/statuses/\(home[1])")[flag] == "true")
    #expect(Set(try client.column(flag, "/api/v1/\(kind)")) == ["true"])
    for id in [home[3], before[0]] {
      #expect(try ReceivedTable(client.post("/api/v1/statuses/\(id)/un\(verb)"))[flag] == "false")
    }
    #expect(try client.whole("id", "/api/v1/\(kind)?limit=40") == [home[1]] + before.dropFirst())
    #expect(client.server.provider.api.publications.actions == ["\(verb) \(home[1])"])
    #expect(client.post("/api/v1/statuses/7/\(verb)").status == .notFound)
  }

  @Test("Marking a post requires the scope for it")
  func scopes() throws {
    var client = try MastodonTestClient.loggedIn(scopes: "read write:bookmarks")
    let id = try client.ids("?limit=1")[0]
    #expect(client.post("/api/v1/statuses/\(id)/bookmark").status == .ok)
    #expect(client.post("/api/v1/statuses/\(id)/favourite").status == .forbidden)
  }

  @Test("The same post is a home entry, a list entry, a mention and a bookmark")
  func samePost() throws {
    var client = try MastodonTestClient.loggedIn()
    // Wait until a followed author mentions the user.
    var id = ""
    for _ in 0..<40 where id.isEmpty {
      let path = "/api/v1/notifications?types%5B%5D=mention"
      let mentions = zip(try client.column("status.id", path), try client.column("account.username", path))
      let home = try client.ids("?limit=40")
      id = mentions.first { $0.1 == "kai_demo" && home.contains($0.0) }?.0 ?? ""
      client.now = client.now + .seconds(1_200)
    }
    client.now = client.now - .seconds(1_200)
    try #require(!id.isEmpty)
    #expect(client.post("/api/v1/statuses/\(id)/bookmark").status == .ok)
    #expect(try client.column("id", "/api/v1/bookmarks?limit=1") == [id])
    let list = try client.column("id", "/api/v1/lists")[0]
    #expect(try client.column("id", "/api/v1/timelines/list/\(list)?limit=40").contains(id))
  }
}
