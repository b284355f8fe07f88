import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("A played server of Mastodon's API: the home timeline")
struct MastodonTimelineTests {
  private func walk(_ flavour: MastodonFlavour = .mastodon, limit: Int = 300) throws -> MastodonWalk {
    var walk = MastodonWalk(flavour, limit: limit)
    try walk.login()
    return walk
  }

  @Test(
    "page below page the whole timeline comes, each post once, and then nothing", arguments: MastodonFlavour.allCases)
  func downwards(flavour: MastodonFlavour) throws {
    var walk = try walk(flavour)
    var all = try walk.ids("?limit=40")
    while let last = all.last {
      let page = try walk.ids("?limit=40&max_id=\(last)")
      if page.isEmpty { break }
      all += page
    }
    #expect(all.count == 400 && Set(all).count == 400)
    if flavour != .snac { #expect(all == all.sorted(by: >), "ids of one length grow with time") }
    let form = [MastodonFlavour.goToSocial: 26, .akkoma: 18, .snac: 32][flavour] ?? 19
    #expect(all.allSatisfy { $0.count == form }, "\(all[0])")
  }

  @Test(
    "min_id takes the posts just above, since_id the newest",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma])
  func upwards(flavour: MastodonFlavour) throws {
    var walk = try walk(flavour)
    let all = try walk.ids("?limit=40")
    #expect(try walk.ids("?limit=5&min_id=\(all[20])") == Array(all[15..<20]))
    #expect(try walk.ids("?limit=5&since_id=\(all[20])") == Array(all[0..<5]))
    #expect(try walk.ids("?limit=5&since_id=\(all[20])&max_id=\(all[10])") == Array(all[11..<16]))
    #expect(try walk.ids("?min_id=\(all[0])").isEmpty)
  }

  @Test("the longest page has 40 posts, but at snac, which has no bound")
  func pageSize() throws {
    for flavour in MastodonFlavour.allCases {
      var walk = try walk(flavour)
      #expect(try walk.ids("?limit=100").count == (flavour == .snac ? 100 : 40))
    }
  }

  @Test("snac knows no min_id, and takes an id that it does not find for nothing or everything")
  func snac() throws {
    var walk = try walk(.snac)
    let all = try walk.ids("?limit=40")
    #expect(try walk.ids("?limit=40&min_id=\(all[20])") == all)
    #expect(try walk.ids("?limit=40&since_id=\(all[20])") == Array(all[0..<20]))
    walk.server.oddities.deleted = [all[20]]
    #expect(try walk.ids("?limit=40&max_id=\(all[20])").isEmpty)
    #expect(try walk.ids("?limit=20&since_id=\(all[20])") == Array(all[0..<20]))
    #expect(try walk.ids("?limit=40&since_id=\(all[20])").count == 40)
    #expect(walk.get(MastodonWalk.home + "?limit=5").headers.first("Link")?.contains("since_id=\(all[0])") == true)
  }

  @Test("a deleted post is gone, and its id bounds a page all the same where ids sort")
  func deleted() throws {
    var walk = try walk()
    let all = try walk.ids("?limit=40")
    walk.server.oddities.deleted = [all[3]]
    #expect(try walk.ids("?limit=5") == [all[0], all[1], all[2], all[4], all[5]])
    #expect(try walk.ids("?limit=2&max_id=\(all[3])") == [all[4], all[5]])
  }

  @Test("the links lead to the pages above and below, or are missing, or lead to another host")
  func links() throws {
    var walk = try walk()
    let ids = try walk.ids("?limit=3")
    func link() -> String? { walk.get(MastodonWalk.home + "?limit=3").headers.first("Link") }
    let path = "/api/v1/timelines/home?limit=3&"
    #expect(
      link()
        == "<\(MastodonWalk.host)\(path)max_id=\(ids[2])>; rel=\"next\", <\(MastodonWalk.host)\(path)min_id=\(ids[0])>; rel=\"prev\""
    )
    #expect(walk.get(MastodonWalk.home + "?min_id=\(ids[0])").headers.first("Link") == nil, "none from an empty page")
    walk.server.oddities.links = .missing
    #expect(link() == nil)
    walk.server.oddities.links = .toAnotherHost
    #expect(link()?.hasPrefix("<https://else.example/") == true)
  }

  @Test("a timeline that is being put together comes with 206, empty or with holes")
  func partial() throws {
    var walk = try walk()
    let all = try walk.ids("?limit=6")
    walk.server.oddities.partial = .someMissing
    #expect(walk.get(MastodonWalk.home).status == StatusCode(206))
    #expect(try walk.ids("?limit=6") == [all[0], all[2], all[4]])
    walk.server.oddities.partial = .empty
    #expect(try walk.ids().isEmpty)
  }

  private static let resets: [(reset: MastodonFaults.Reset?, text: String)] = [
    (nil, "2026-11-20T16:05:00.000000Z"), (.moment(decimals: 3), "2026-11-20T16:05:00.000Z"),
    (.moment(decimals: 0), "2026-11-20T16:05:00Z"), (.unixSeconds, "1795190700"),
  ]

  @Test("limits are told in each of their forms, and met", arguments: resets)
  func limits(reset: MastodonFaults.Reset?, text: String) throws {
    var walk = try walk(limit: 2)
    walk.server.oddities.reset = reset
    for remaining in ["1", "0"] {
      let headers = walk.get(MastodonWalk.home).headers
      #expect(headers.first("X-RateLimit-Remaining") == remaining && headers.first("X-RateLimit-Limit") == "2")
      #expect(headers.first("X-RateLimit-Reset") == text)
    }
    let met = walk.get(MastodonWalk.home)
    #expect(met.status == .tooManyRequests && met.headers.first("Retry-After") == nil)
    #expect(try MastodonWalk.members(met)["error"] == "Too many requests")
    walk.server.oddities.limitPage = .html
    #expect(walk.get(MastodonWalk.home).text.hasPrefix("<html>"))
    walk.now = walk.now + .seconds(300)
    #expect(walk.get(MastodonWalk.home).status == .ok)
  }

  @Test("an edited post keeps its id and has another text")
  func edited() throws {
    var walk = try walk()
    let before = try MastodonWalk.posts(walk.get(MastodonWalk.home))
    walk.server.oddities.edited = (every: 1, since: walk.now)
    let after = try MastodonWalk.posts(walk.get(MastodonWalk.home))
    #expect(before.map { $0["id"] } == after.map { $0["id"] })
    #expect(before.allSatisfy { $0["edited_at"] == nil } && after.allSatisfy { $0["edited_at"] != nil })
    #expect(after.allSatisfy { $0["content"]?.contains("Edited: ") == true })
  }

  @Test("of a boost nothing is left when what was boosted is deleted")
  func hollow() throws {
    var walk = try walk()
    let page = MastodonWalk.home + "?limit=40"
    let boosts = try MastodonWalk.posts(walk.get(page)).filter { $0["reblog"] != nil }.map { $0["id"] }
    #expect(!boosts.isEmpty)
    walk.server.oddities.hollowBoosts = true
    let hollow = try MastodonWalk.posts(walk.get(page)).filter { $0["content"] == "" && $0["reblog"] == nil }
    #expect(hollow.map { $0["id"] } == boosts)
  }

  @Test("hostile texts are all that they should not be, in JSON that can be read")
  func hostile() throws {
    var walk = try walk()
    walk.server.oddities.hostile = true
    let answer = walk.get(MastodonWalk.home)
    #expect(answer.body.contains(0xff) && String(validating: answer.body, as: UTF8.self) == nil)
    let posts = try MastodonWalk.posts(answer)
    #expect(
      posts.allSatisfy { $0["content"]?.contains("\u{1b}[2J") == true && $0["content"]?.contains("\u{fffd}") == true })
  }
}
