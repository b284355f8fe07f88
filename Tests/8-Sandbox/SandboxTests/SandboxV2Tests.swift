import Bytes
import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

extension TwitterTestClient {
  /// Requests a page from the v2 API.
  fileprivate mutating func v2(_ query: String = "", by token: TokenCredentials) throws -> ReceivedV2Page {
    let response = try get(.reverseChronological, query, by: token)
    #expect(response.status == .ok, "\(response.text)")
    return try ReceivedV2Page(response.body)
  }
}

@Suite("The sandbox's v2 API")
struct SandboxV2Tests {
  private static let all =
    "tweet.fields=created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet"
    + "&expansions=author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"
    + "&user.fields=profile_image_url&media.fields=url,alt_text,variants,preview_image_url"

  private func app(_ change: (inout V2Quirks) -> Void = { _ in }) throws -> (TwitterTestClient, TokenCredentials) {
    var policy = SandboxPolicy()
    policy.rateLimit = 1_000
    var app = TwitterTestClient(policy)
    change(&app.provider.quirks)
    let token = try app.login()
    return (app, token)
  }

  @Test("users/me returns the user, with an avatar on request")
  func me() throws {
    var (app, token) = try app()
    let plain = try app.get(.usersMe, by: token)
    #expect(plain.headers.first("x-rate-limit-limit") == "75")
    #expect(
      try ReceivedV2Page(plain.body).texts == [
        "id": SandboxUser.id, "name": "Mira Demo", "username": "mira_demo",
      ])
    let whole = try ReceivedV2Page(try app.get(.usersMe, "?user.fields=profile_image_url", by: token).body)
    #expect(whole.texts["profile_image_url"]?.hasPrefix("https://") == true)
    #expect(app.provider.delivered == DeliveryCount(users: 2))
  }

  @Test("By default, a v2 page has ten posts with their id, text and edit history")
  func defaults() throws {
    var (app, token) = try app()
    let page = try app.v2(by: token)
    #expect(page.posts.count == 10 && page.meta["result_count"] == "10")
    #expect(page.posts.allSatisfy { $0.members == ["id", "text", "edit_history_tweet_ids"] })
    #expect(page.members == ["data", "meta"])
    #expect(page.meta["newest_id"] == String(page.ids[0]) && page.meta["oldest_id"] == String(page.ids[9]))
  }

  @Test("The v2 API returns the same posts as the v1.1 API")
  func samePosts() throws {
    var (app, token) = try app()
    #expect(
      try app.v2("?max_results=100", by: token).ids == Array(app.page("?count=200", by: token).map(\.id).prefix(100)))
  }

  @Test("Authors, referenced posts and media are included on request")
  func expansions() throws {
    var (app, token) = try app()
    let page = try app.v2("?max_results=100&\(Self.all)", by: token)
    let known = Set(page.included.map { String($0.id) })
    for post in page.posts {
      #expect(post.members.isSuperset(of: ["author_id", "created_at", "lang", "public_metrics"]))
      #expect(Set(post.references.values).isSubset(of: known))
      #expect(Set(post.mediaKeys).isSubset(of: Set(page.mediaKeys)))
    }
    #expect(Set((page.posts + page.included).compactMap(\.author)) == Set(page.users))
    let kinds = Set(page.posts.flatMap(\.references.keys))
    #expect(kinds == ["retweeted", "quoted", "replied_to"])
    #expect(!page.mediaKeys.isEmpty)
    #expect(
      page.posts.contains { $0.references["retweeted"] != nil && $0.text.hasPrefix("RT @") && $0.text.hasSuffix("…") })
    #expect(page.posts.contains { $0.members.contains("note_tweet") || $0.text.count <= 280 })
    #expect(
      app.provider.delivered == DeliveryCount(pages: 1, posts: 100 + page.included.count, users: page.users.count))
  }

  @Test(
    "until_id and since_id are exclusive, and pages by id or by token cover the timeline without gaps",
    arguments: [7, 100])
  func tiles(count: Int) throws {
    var (app, token) = try app()
    let whole = try app.v2("?max_results=100", by: token).ids
    #expect(try app.v2("?max_results=100&until_id=\(whole[40])", by: token).ids.first == whole[41])
    #expect(try app.v2("?max_results=100&since_id=\(whole[40])", by: token).ids == Array(whole[..<40]))
    #expect(try app.v2("?since_id=\(whole[9])&until_id=\(whole[4])", by: token).ids == Array(whole[5..<9]))
    let between = try app.v2("?since_id=\(whole[5])&until_id=\(whole[4])", by: token)
    #expect(
      between.members == ["meta"] && between.meta == ["result_count": "0"], "an empty page has no data and no ids")
    for way in ["until_id", "pagination_token"] {
      var ids: [UInt64] = []
      var page = try app.v2("?max_results=\(count)&since_id=\(whole[90])", by: token)
      while !page.ids.isEmpty {
        ids += page.ids
        guard let next = page.meta["next_token"] else { break }
        let mark = way == "until_id" ? String(page.ids.last!) : next
        page = try app.v2("?max_results=\(count)&since_id=\(whole[90])&\(way)=\(mark)", by: token)
      }
      #expect(ids == Array(whole[..<90]), "by \(way)")
    }
  }

  @Test("After 3,200 posts, pages of the v2 API contain no data")
  func reach() throws {
    var (app, token) = try app()
    var ids: [UInt64] = []
    var page = try app.v2("?max_results=100", by: token)
    while let last = page.ids.last {
      ids += page.ids
      page = try app.v2("?max_results=100&until_id=\(last)", by: token)
    }
    #expect(ids.count == 3_200)
    #expect(page.meta == ["result_count": "0"])
  }

  @Test(
    "A v2 request with an invalid parameter is refused with 400, and the error names the parameter",
    arguments: [
      "max_results=0", "max_results=101", "max_results=x", "since_id=12a", "since_id=12345678901234567890",
      "since_id=5&until_id=5", "since_id=6&until_id=5", "tweet.fields=text,nonsense", "expansions=author",
      "count=5", "max_results=5&max_results=5", "pagination_token=no",
    ])
  func badParameters(query: String) throws {
    var (app, token) = try app()
    let response = try app.get(.reverseChronological, "?" + query, by: token)
    #expect(response.status == .badRequest)
    let problem = try ReceivedV2Page(response.body)
    #expect(problem.texts["title"] == "Invalid Request" && problem.errors == 1)
    #expect(app.provider.delivered == DeliveryCount())
  }

  @Test("A request for another user's timeline or with a wrong signature fails with a problem document")
  func strangers() throws {
    var (app, token) = try app()
    let url = try RequestURL(app.origin + "/2/users/7/timelines/reverse_chronological")
    let signer = Signer(client: TwitterSandbox.consumer, token: .token(token), method: .hmacSHA1)
    let header = try signer.sign(SignableRequest(method: "GET", url: url), nonceTimestamp: app.nonceTimestamp())
      .headerValue
    #expect(app.send(TwitterTestClient.request("GET", url, header)).status == .badRequest)
    let unsigned = app.send(TwitterTestClient.request("GET", try app.url(.usersMe), nil))
    #expect(unsigned.status == .badRequest && unsigned.headers.first(.contentType) == "application/problem+json")
    let stolen = TokenCredentials(identifier: token.identifier, secret: Secret("no"))
    let refused = try app.get(.usersMe, by: stolen)
    #expect(refused.status == .unauthorized)
    #expect(
      try ReceivedV2Page(refused.body).texts
        == ["title": "Unauthorized", "detail": "Unauthorized", "type": "about:blank", "status": "401"])
  }

  @Test("The v2 API sends the rate limit in headers and enforces it")
  func limit() throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 1
    var app = TwitterTestClient(policy)
    let token = try app.login()
    let first = try app.get(.reverseChronological, by: token)
    #expect(first.status == .ok && first.headers.first("x-rate-limit-remaining") == "0")
    #expect(try app.get(.reverseChronological, by: token).status == .tooManyRequests)
    app.now = app.now + .seconds(900)
    #expect(try app.get(.reverseChronological, by: token).status == .ok)
    #expect(SandboxPolicy().rateLimit == 180)
  }

  @Test("An edited post appears on the timeline with its new id, and with both ids in its history")
  func edits() throws {
    var (app, token) = try app { $0.edits = PostEdits(every: 5, after: .seconds(600)) }
    let before = try app.v2("?max_results=100", by: token)
    app.now = app.now + .seconds(600)
    let after = try app.v2("?max_results=100&since_id=\(before.ids[0])", by: token)
    let edited = after.posts.filter { $0.history.count == 2 }
    #expect(!edited.isEmpty)
    for post in edited {
      #expect(post.history[1] == String(post.id) && post.text.hasPrefix("Edited: "))
      #expect(UInt64(post.history[0])! < post.id && !after.ids.contains(UInt64(post.history[0])!))
    }
    #expect(edited.contains { post in before.ids.contains(UInt64(post.history[0])!) }, "known posts appear again")
    #expect(zip(after.ids, after.ids.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test("Responses from the v2 API can use the new member names")
  func newNames() throws {
    var (app, token) = try app { $0.usesNewNames = true }
    let query = "?max_results=100&post.fields=referenced_posts&expansions=referenced_posts.id"
    let page = try app.v2(query, by: token)
    #expect(page.members.contains("includes.posts") && !page.members.contains("includes.tweets"))
    #expect(page.posts.allSatisfy { $0.members.contains("edit_history_post_ids") })
    #expect(page.posts.contains { $0.members.contains("referenced_posts") })
  }

  @Test("Authors and referenced posts can be missing; `errors` then lists them")
  func partial() throws {
    var (app, token) = try app {
      $0.omitsUsers = true
      $0.losesReferences = true
    }
    let page = try app.v2("?max_results=100&\(Self.all)", by: token)
    #expect(page.posts.count == 100 && page.users.isEmpty && page.included.isEmpty && page.errors > 0)
    #expect(app.provider.delivered == DeliveryCount(pages: 1, posts: 100), "missing objects are not billed")
  }

  @Test("A response's count and next-page token can be wrong, and pages can repeat forever")
  func wrongResponses() throws {
    var (app, token) = try app {
      $0.countError = 3
      $0.tokenLeadsNowhere = true
    }
    let all = try app.v2("?max_results=100", by: token).ids
    let page = try app.v2("?max_results=100&since_id=\(all[5])", by: token)
    #expect(page.posts.count == 5 && page.meta["result_count"] == "8")
    let next = try app.v2(
      "?max_results=100&since_id=\(all[5])&pagination_token=\(page.meta["next_token"] ?? "")", by: token)
    #expect(next.posts.isEmpty)
    app.provider.quirks.tokenLoops = true
    let token7 = try #require(page.meta["next_token"])
    #expect(try app.v2("?pagination_token=\(token7)", by: token).meta["next_token"] == token7)
  }

  @Test(
    "Without credit, requests to the v2 API fail with 402 until credit is added",
    arguments: [V2Quirks.CreditError.older, .newer])
  func credit(error: V2Quirks.CreditError) throws {
    var (app, token) = try app {
      $0.credit = 15
      $0.creditError = error
    }
    let first = try app.v2("?max_results=10", by: token)
    _ = try app.v2("?max_results=10&until_id=\(first.ids[9])", by: token)
    #expect(app.provider.quirks.credit == -5, "the last page may exceed the credit")
    let refused = try app.get(.reverseChronological, by: token)
    #expect(refused.status.code == 402)
    #expect(refused.text.contains(error == .older ? "\"account_id\":1890000000000000001" : "credits depleted"))
    #expect(app.provider.delivered.posts == 20)
    app.provider.quirks.credit = 100
    #expect(try app.v2(by: token).posts.count == 10)
  }

}
