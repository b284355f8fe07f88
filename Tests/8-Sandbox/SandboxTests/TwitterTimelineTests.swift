import HTTP
import HomelineOAuth
import SandboxSupport
import Testing

@testable import Sandbox

@Suite("Timelines of the v1.1 API beside the home timeline")
struct TwitterTimelineTests {
  private static let flavours = [false, true]

  private func client(isGNUSocial: Bool = false) throws -> (TwitterTestClient, TokenCredentials) {
    var policy = SandboxPolicy()
    policy.isGNUSocial = isGNUSocial
    policy.rateLimit = 1_000
    var client = TwitterTestClient(policy)
    return (client, try client.login())
  }

  private func page(
    _ route: TwitterRoute, _ query: String, _ client: inout TwitterTestClient, _ token: TokenCredentials
  ) throws -> [ReceivedPost] {
    let response = try client.get(route, query, by: token)
    #expect(response.status == .ok, "\(response.text)")
    return try ReceivedPost.page(response.body)
  }

  private func listID(_ index: Int, _ client: inout TwitterTestClient, _ token: TokenCredentials) throws -> String {
    try #require(try ReceivedTable(client.get(.lists, by: token))[".\(index).id_str"])
  }

  @Test("max_id is inclusive and pages miss no post; since_id is exclusive; count has a limit", arguments: flavours)
  func paging(isGNUSocial: Bool) throws {
    var (client, token) = try client(isGNUSocial: isGNUSocial)
    let list = try listID(0, &client, token)
    let timelines: [(TwitterRoute, String)] = [
      (.mentionsTimeline, "?"), (.userTimeline, "?screen_name=kai_demo&"), (.listStatuses, "?list_id=\(list)&"),
      (.favorites, "?"),
    ]
    for (route, query) in timelines {
      let all = try page(route, query + "count=200", &client, token).map(\.id)
      #expect(all == all.sorted(by: >) && Set(all).count == all.count && all.count > 20, "\(route)")
      var walked: [UInt64] = []
      var limit = ""
      while walked.count < all.count {
        let part = try page(route, query + "count=9\(limit)", &client, token).map(\.id)
        guard let last = part.last else { break }
        walked += part
        limit = "&max_id=\(last - 1)"
      }
      #expect(walked == all || all.count == 200 && Array(walked.prefix(200)) == all, "\(route)")
      #expect(try page(route, query + "count=3&max_id=\(all[5])", &client, token).map(\.id) == Array(all[5..<8]))
      #expect(try page(route, query + "since_id=\(all[5])", &client, token).map(\.id) == Array(all[0..<5]))
      #expect(try page(route, query, &client, token).count == 20)
    }
  }

  @Test("The mentions contain posts from the home timeline and from strangers")
  func mentions() throws {
    var (client, token) = try client()
    let posts = try page(.mentionsTimeline, "?count=200&tweet_mode=extended", &client, token)
    #expect(posts.allSatisfy { $0.fullText?.contains("@mira_demo") == true })
    #expect(Set(posts.map(\.author)).isSuperset(of: ["kai_demo", "comet_hunter"]))
    for post in posts.prefix(3) {
      let url = client.origin + "/1.1/statuses/show/\(post.id).json"
      let signed = try Signer(client: TwitterSandbox.consumer, token: .token(token))
        .sign(SignableRequest(method: "GET", url: RequestURL(url)), nonceTimestamp: client.nonceTimestamp())
      let shown = client.send(TwitterTestClient.request("GET", try RequestURL(url), signed.headerValue))
      #expect(shown.status == .ok)
    }
  }

  @Test("Two lists have one name and different slugs; an unknown list is not found")
  func lists() throws {
    var (client, token) = try client()
    let table = try ReceivedTable(client.get(.lists, by: token))
    #expect(table[".2.name"] == "Reading" && table[".3.name"] == "Reading" && table[".2.slug"] != table[".3.slug"])
    let id = try listID(4, &client, token)
    let posts = try page(.listStatuses, "?count=200&list_id=\(id)", &client, token)
    #expect(Set(posts.map(\.author)) == ["tide_table", "nachtradio"])
    let home = try client.page("?count=200", by: token)
    #expect(Set(home.map(\.author)).isDisjoint(with: ["tide_table", "nachtradio"]))
    #expect(try client.get(.listStatuses, "?list_id=7", by: token).code == 34)
    #expect(try client.get(.userTimeline, "?screen_name=nobody", by: token).status == .notFound)
    client.provider.timelineQuirks.lists = .deleted
    #expect(try client.get(.listStatuses, "?list_id=\(id)", by: token).status == .notFound)
    #expect(try client.get(.lists, by: token).text == "[]")
  }

  @Test("A post's author, and nobody else, is in a user's timeline")
  func user() throws {
    var (client, token) = try client()
    #expect(
      Set(try page(.userTimeline, "?screen_name=Kai_demo&count=50", &client, token).map(\.author)) == ["kai_demo"])
    #expect(Set(try page(.userTimeline, "", &client, token).map(\.author)) == ["mira_demo"])
  }

  @Test("Each endpoint has its own rate limit")
  func limits() throws {
    var (client, token) = try client()
    for route in [TwitterRoute.mentionsTimeline, .userTimeline, .lists, .favorites, .homeTimeline] {
      for remaining in ["999", "998"] {
        #expect(try client.get(route, by: token).headers.first("x-rate-limit-remaining") == remaining, "\(route)")
      }
    }
  }

  @Test("Invalid ids are refused with code 44 on every timeline")
  func invalid() throws {
    var (client, token) = try client()
    for route in [TwitterRoute.mentionsTimeline, .userTimeline, .favorites] {
      for query in ["?max_id=-1", "?since_id=x", "?max_id=99999999999999999999"] {
        #expect(try client.get(route, query, by: token).code == 44, "\(route) \(query)")
      }
    }
  }

  @Test("GNU social's older names lead to the mentions")
  func names() throws {
    for name in ["mentions", "replies", "mentions_timeline"] {
      let target = try #require(RequestTarget("/api/statuses/\(name).json"))
      #expect(TwitterRoute(Request(method: .get, target: target), isGNUSocial: true) == .mentionsTimeline)
    }
  }
}
