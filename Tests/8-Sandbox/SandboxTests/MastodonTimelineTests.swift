import HTTP
import JSON
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("The home timeline of a simulated Mastodon server")
struct MastodonTimelineTests {
  private func client(_ flavour: MastodonFlavour = .mastodon, limit: Int = 300) throws -> MastodonTestClient {
    var client = MastodonTestClient(flavour, limit: limit)
    try client.login()
    return client
  }

  @Test(
    "Paging down returns each post on the timeline exactly once, and then an empty page",
    arguments: MastodonFlavour.allCases)
  func downwards(flavour: MastodonFlavour) throws {
    var client = try client(flavour)
    var all = try client.ids("?limit=40")
    while let last = all.last {
      let page = try client.ids("?limit=40&max_id=\(last)")
      if page.isEmpty { break }
      all += page
    }
    #expect(all.count == 400 && Set(all).count == 400)
    if flavour != .snac { #expect(all == all.sorted(by: >), "ids of equal length increase with time") }
    let form = [MastodonFlavour.goToSocial: 26, .akkoma: 18, .snac: 32][flavour] ?? 19
    #expect(all.allSatisfy { $0.count == form }, "\(all[0])")
  }

  @Test(
    "min_id selects the posts directly above the given id, and since_id selects the newest posts",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma])
  func upwards(flavour: MastodonFlavour) throws {
    var client = try client(flavour)
    let all = try client.ids("?limit=40")
    #expect(try client.ids("?limit=5&min_id=\(all[20])") == Array(all[15..<20]))
    #expect(try client.ids("?limit=5&since_id=\(all[20])") == Array(all[0..<5]))
    #expect(try client.ids("?limit=5&since_id=\(all[20])&max_id=\(all[10])") == Array(all[11..<16]))
    #expect(try client.ids("?min_id=\(all[0])").isEmpty)
  }

  @Test("Every post on a page, and every post reposted there, can be requested by its id")
  func single() throws {
    var client = try client(.mastodon)
    var ids: [String] = []
    var cursor = JSONCursor(client.get(MastodonTestClient.home + "?limit=40").body)
    try cursor.elements { cursor in try Self.collectIDs(&cursor, &ids) }
    #expect(ids.count > 40, "no post is reposted on the page")
    for id in ids {
      let post = client.get("/api/v1/statuses/\(id)")
      #expect(post.status == .ok)
      #expect(try MastodonTestClient.members(post)["id"] == id)
    }
  }

  /// Adds the id of a post, and the id of the post that it reposts.
  private static func collectIDs(_ cursor: inout JSONCursor, _ ids: inout [String]) throws {
    try cursor.members { cursor, name in
      switch name {
      case "id": ids.append(try cursor.string())
      case "reblog" where try cursor.peek() == .object: try collectIDs(&cursor, &ids)
      default: try cursor.skip()
      }
    }
  }

  @Test("A page of a Mastodon timeline has at most 40 posts, except on snac, which has no limit")
  func pageSize() throws {
    for flavour in MastodonFlavour.allCases {
      var client = try client(flavour)
      #expect(try client.ids("?limit=100").count == (flavour == .snac ? 100 : 40))
    }
  }

  @Test("snac ignores min_id, returns nothing for an unknown max_id, and returns everything for an unknown since_id")
  func snac() throws {
    var client = try client(.snac)
    let all = try client.ids("?limit=40")
    #expect(try client.ids("?limit=40&min_id=\(all[20])") == all)
    #expect(try client.ids("?limit=40&since_id=\(all[20])") == Array(all[0..<20]))
    client.server.quirks.deleted = [all[20]]
    #expect(try client.ids("?limit=40&max_id=\(all[20])").isEmpty)
    #expect(try client.ids("?limit=20&since_id=\(all[20])") == Array(all[0..<20]))
    #expect(try client.ids("?limit=40&since_id=\(all[20])").count == 40)
    #expect(
      client.get(MastodonTestClient.home + "?limit=5").headers.first("Link")?.contains("since_id=\(all[0])") == true)
  }

  @Test("The timeline omits a deleted post, but its id can still bound a page if ids are ordered")
  func deleted() throws {
    var client = try client()
    let all = try client.ids("?limit=40")
    client.server.quirks.deleted = [all[3]]
    #expect(try client.ids("?limit=5") == [all[0], all[1], all[2], all[4], all[5]])
    #expect(try client.ids("?limit=2&max_id=\(all[3])") == [all[4], all[5]])
  }

  @Test("Link headers lead to the next and previous pages, can be missing, and can lead to another host")
  func links() throws {
    var client = try client()
    let ids = try client.ids("?limit=3")
    func link() -> String? { client.get(MastodonTestClient.home + "?limit=3").headers.first("Link") }
    let path = "/api/v1/timelines/home?limit=3&"
    #expect(
      link()
        == "<\(MastodonTestClient.host)\(path)max_id=\(ids[2])>; rel=\"next\", <\(MastodonTestClient.host)\(path)min_id=\(ids[0])>; rel=\"prev\""
    )
    #expect(
      client.get(MastodonTestClient.home + "?min_id=\(ids[0])").headers.first("Link") == nil,
      "an empty page has no links")
    client.server.quirks.links = .missing
    #expect(link() == nil)
    client.server.quirks.links = .toAnotherHost
    #expect(link()?.hasPrefix("<https://else.example/") == true)
  }

  @Test("An incomplete Mastodon timeline has status 206 and is empty or has gaps")
  func partial() throws {
    var client = try client()
    let all = try client.ids("?limit=6")
    client.server.quirks.partial = .someMissing
    #expect(client.get(MastodonTestClient.home).status == StatusCode(206))
    #expect(try client.ids("?limit=6") == [all[0], all[2], all[4]])
    client.server.quirks.partial = .empty
    #expect(try client.ids().isEmpty)
  }

  private static let resets: [(reset: MastodonQuirks.Reset?, text: String)] = [
    (nil, "2026-11-20T16:05:00.000000Z"), (.moment(decimals: 3), "2026-11-20T16:05:00.000Z"),
    (.moment(decimals: 0), "2026-11-20T16:05:00Z"), (.unixSeconds, "1795190700"),
  ]

  @Test("Rate limits are reported in every known format and are enforced", arguments: resets)
  func limits(reset: MastodonQuirks.Reset?, text: String) throws {
    var client = try client(limit: 2)
    client.server.quirks.reset = reset
    for remaining in ["1", "0"] {
      let headers = client.get(MastodonTestClient.home).headers
      #expect(headers.first("X-RateLimit-Remaining") == remaining && headers.first("X-RateLimit-Limit") == "2")
      #expect(headers.first("X-RateLimit-Reset") == text)
    }
    let met = client.get(MastodonTestClient.home)
    #expect(met.status == .tooManyRequests && met.headers.first("Retry-After") == nil)
    #expect(try MastodonTestClient.members(met)["error"] == "Too many requests")
    client.server.quirks.limitPage = .html
    #expect(client.get(MastodonTestClient.home).text.hasPrefix("<html>"))
    client.now = client.now + .seconds(300)
    #expect(client.get(MastodonTestClient.home).status == .ok)
  }

  @Test("An edited post keeps its id and gets new text")
  func edited() throws {
    var client = try client()
    let before = try MastodonTestClient.posts(client.get(MastodonTestClient.home))
    client.server.quirks.edited = (every: 1, since: client.now)
    let after = try MastodonTestClient.posts(client.get(MastodonTestClient.home))
    #expect(before.map { $0["id"] } == after.map { $0["id"] })
    #expect(before.allSatisfy { $0["edited_at"] == nil } && after.allSatisfy { $0["edited_at"] != nil })
    #expect(after.allSatisfy { $0["content"]?.contains("Edited: ") == true })
  }

  @Test("A boost of a deleted post has no content")
  func hollow() throws {
    var client = try client()
    let page = MastodonTestClient.home + "?limit=40"
    let boosts = try MastodonTestClient.posts(client.get(page)).filter { $0["reblog"] != nil }.map { $0["id"] }
    #expect(!boosts.isEmpty)
    client.server.quirks.hollowBoosts = true
    let hollow = try MastodonTestClient.posts(client.get(page)).filter { $0["content"] == "" && $0["reblog"] == nil }
    #expect(hollow.map { $0["id"] } == boosts)
  }

  @Test("Hostile text contains control characters, markup and invalid UTF-8 in valid JSON")
  func hostile() throws {
    var client = try client()
    client.server.quirks.hostile = true
    let response = client.get(MastodonTestClient.home)
    #expect(response.body.contains(0xff) && String(validating: response.body, as: UTF8.self) == nil)
    let posts = try MastodonTestClient.posts(response)
    #expect(
      posts.allSatisfy { $0["content"]?.contains("\u{1b}[2J") == true && $0["content"]?.contains("\u{fffd}") == true })
  }
}
