import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

extension SandboxWalk {
  /// A page of the API v2.
  fileprivate mutating func v2(_ query: String = "", by token: TokenCredentials) throws -> V2OnTheWire {
    let response = try get(.reverseChronological, query, by: token)
    #expect(response.status == .ok, "\(response.text)")
    return try V2OnTheWire(response.body)
  }
}

@Suite("The sandbox's API v2")
struct SandboxV2Tests {
  private static let all =
    "tweet.fields=created_at,author_id,referenced_tweets,entities,attachments,public_metrics,lang,note_tweet"
    + "&expansions=author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"
    + "&user.fields=profile_image_url&media.fields=url,alt_text,variants,preview_image_url"

  private func walk(_ change: (inout V2Faults) -> Void = { _ in }) throws -> (SandboxWalk, TokenCredentials) {
    var policy = SandboxPolicy()
    policy.rateLimit = 1_000
    var walk = SandboxWalk(policy)
    change(&walk.provider.faults.v2)
    let token = try walk.login()
    return (walk, token)
  }

  @Test("it tells who the user is, with an avatar when it is asked for")
  func me() throws {
    var (walk, token) = try walk()
    let plain = try walk.get(.usersMe, by: token)
    #expect(plain.headers.first("x-rate-limit-limit") == "75")
    #expect(
      try V2OnTheWire(plain.body).texts == ["id": SandboxProvider.userID, "name": "Mira Demo", "username": "mira_demo"])
    let whole = try V2OnTheWire(try walk.get(.usersMe, "?user.fields=profile_image_url", by: token).body)
    #expect(whole.texts["profile_image_url"]?.hasPrefix("https://") == true)
    #expect(walk.provider.ledger == SandboxLedger(users: 2))
  }

  @Test("only an id, a text and the versions come by default, ten posts of them")
  func defaults() throws {
    var (walk, token) = try walk()
    let page = try walk.v2(by: token)
    #expect(page.posts.count == 10 && page.meta["result_count"] == "10")
    #expect(page.posts.allSatisfy { $0.members == ["id", "text", "edit_history_tweet_ids"] })
    #expect(page.members == ["data", "meta"])
    #expect(page.meta["newest_id"] == String(page.ids[0]) && page.meta["oldest_id"] == String(page.ids[9]))
  }

  @Test("they are the posts of the API v1.1")
  func samePosts() throws {
    var (walk, token) = try walk()
    #expect(
      try walk.v2("?max_results=100", by: token).ids == Array(walk.page("?count=200", by: token).map(\.id).prefix(100)))
  }

  @Test("what is asked for comes along: authors, referenced posts with theirs, and media")
  func expansions() throws {
    var (walk, token) = try walk()
    let page = try walk.v2("?max_results=100&\(Self.all)", by: token)
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
    #expect(walk.provider.ledger == SandboxLedger(pages: 1, posts: 100 + page.included.count, users: page.users.count))
  }

  @Test(
    "until_id and since_id leave out what they name, and pages by either way tile the timeline", arguments: [7, 100])
  func tiles(count: Int) throws {
    var (walk, token) = try walk()
    let whole = try walk.v2("?max_results=100", by: token).ids
    #expect(try walk.v2("?max_results=100&until_id=\(whole[40])", by: token).ids.first == whole[41])
    #expect(try walk.v2("?max_results=100&since_id=\(whole[40])", by: token).ids == Array(whole[..<40]))
    #expect(try walk.v2("?since_id=\(whole[9])&until_id=\(whole[4])", by: token).ids == Array(whole[5..<9]))
    let between = try walk.v2("?since_id=\(whole[5])&until_id=\(whole[4])", by: token)
    #expect(between.members == ["meta"] && between.meta == ["result_count": "0"], "no data, no ids")
    for way in ["until_id", "pagination_token"] {
      var ids: [UInt64] = []
      var page = try walk.v2("?max_results=\(count)&since_id=\(whole[90])", by: token)
      while !page.ids.isEmpty {
        ids += page.ids
        guard let next = page.meta["next_token"] else { break }
        let mark = way == "until_id" ? String(page.ids.last!) : next
        page = try walk.v2("?max_results=\(count)&since_id=\(whole[90])&\(way)=\(mark)", by: token)
      }
      #expect(ids == Array(whole[..<90]), "by \(way)")
    }
  }

  @Test("beyond its reach of 3,200 posts there is no data")
  func reach() throws {
    var (walk, token) = try walk()
    var ids: [UInt64] = []
    var page = try walk.v2("?max_results=100", by: token)
    while let last = page.ids.last {
      ids += page.ids
      page = try walk.v2("?max_results=100&until_id=\(last)", by: token)
    }
    #expect(ids.count == 3_200)
    #expect(page.meta == ["result_count": "0"])
  }

  @Test(
    "what it does not take is refused with 400, naming the parameter",
    arguments: [
      "max_results=0", "max_results=101", "max_results=x", "since_id=12a", "since_id=12345678901234567890",
      "since_id=5&until_id=5", "since_id=6&until_id=5", "tweet.fields=text,nonsense", "expansions=author",
      "count=5", "max_results=5&max_results=5", "pagination_token=no",
    ])
  func badParameters(query: String) throws {
    var (walk, token) = try walk()
    let response = try walk.get(.reverseChronological, "?" + query, by: token)
    #expect(response.status == .badRequest)
    let problem = try V2OnTheWire(response.body)
    #expect(problem.texts["title"] == "Invalid Request" && problem.errors == 1)
    #expect(walk.provider.ledger == SandboxLedger())
  }

  @Test("another user's timeline is refused, and a wrong signature in the words of this version")
  func strangers() throws {
    var (walk, token) = try walk()
    let url = try RequestURL(walk.origin + "/2/users/7/timelines/reverse_chronological")
    let signer = Signer(client: SandboxProvider.consumer, token: .token(token), method: .hmacSHA1)
    let header = try signer.sign(SignableRequest(method: "GET", url: url), stamp: walk.stamp()).headerValue
    #expect(walk.send(SandboxWalk.request("GET", url, header)).status == .badRequest)
    let unsigned = walk.send(SandboxWalk.request("GET", try walk.url(.usersMe), nil))
    #expect(unsigned.status == .badRequest && unsigned.headers.first(.contentType) == "application/problem+json")
    let stolen = TokenCredentials(identifier: token.identifier, secret: Secret("no"))
    let refused = try walk.get(.usersMe, by: stolen)
    #expect(refused.status == .unauthorized)
    #expect(
      try V2OnTheWire(refused.body).texts
        == ["title": "Unauthorized", "detail": "Unauthorized", "type": "about:blank", "status": "401"])
  }

  @Test("the limit is told in headers and kept; one in 15 minutes can be all there is")
  func limit() throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 1
    var walk = SandboxWalk(policy)
    let token = try walk.login()
    let first = try walk.get(.reverseChronological, by: token)
    #expect(first.status == .ok && first.headers.first("x-rate-limit-remaining") == "0")
    #expect(try walk.get(.reverseChronological, by: token).status == .tooManyRequests)
    walk.now = walk.now + .seconds(900)
    #expect(try walk.get(.reverseChronological, by: token).status == .ok)
    #expect(SandboxPolicy().rateLimit == 180)
  }

  @Test("an edited post stands under its new id, with both ids in its history, and not under the old one")
  func edits() throws {
    var (walk, token) = try walk { $0.edits = V2Faults.Edits(every: 5, after: .seconds(600)) }
    let before = try walk.v2("?max_results=100", by: token)
    walk.now = walk.now + .seconds(600)
    let after = try walk.v2("?max_results=100&since_id=\(before.ids[0])", by: token)
    let edited = after.posts.filter { $0.history.count == 2 }
    #expect(!edited.isEmpty)
    for post in edited {
      #expect(post.history[1] == String(post.id) && post.text.hasPrefix("Edited: "))
      #expect(UInt64(post.history[0])! < post.id && !after.ids.contains(UInt64(post.history[0])!))
    }
    #expect(edited.contains { post in before.ids.contains(UInt64(post.history[0])!) }, "known posts come again")
    #expect(zip(after.ids, after.ids.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test("it can speak in the names of the next generation")
  func newNames() throws {
    var (walk, token) = try walk { $0.usesNewNames = true }
    let query = "?max_results=100&post.fields=referenced_posts&expansions=referenced_posts.id"
    let page = try walk.v2(query, by: token)
    #expect(page.members.contains("includes.posts") && !page.members.contains("includes.tweets"))
    #expect(page.posts.allSatisfy { $0.members.contains("edit_history_post_ids") })
    #expect(page.posts.contains { $0.members.contains("referenced_posts") })
  }

  @Test("it can leave out authors and referenced posts, and name the latter in errors beside the data")
  func partial() throws {
    var (walk, token) = try walk {
      $0.omitsUsers = true
      $0.losesReferences = true
    }
    let page = try walk.v2("?max_results=100&\(Self.all)", by: token)
    #expect(page.posts.count == 100 && page.users.isEmpty && page.included.isEmpty && page.errors > 0)
    #expect(walk.provider.ledger == SandboxLedger(pages: 1, posts: 100), "what did not come is not billed")
  }

  @Test("it can lie about its count, about a next page, and lead in a circle")
  func lies() throws {
    var (walk, token) = try walk {
      $0.countError = 3
      $0.tokenLeadsNowhere = true
    }
    let all = try walk.v2("?max_results=100", by: token).ids
    let page = try walk.v2("?max_results=100&since_id=\(all[5])", by: token)
    #expect(page.posts.count == 5 && page.meta["result_count"] == "8")
    let next = try walk.v2(
      "?max_results=100&since_id=\(all[5])&pagination_token=\(page.meta["next_token"] ?? "")", by: token)
    #expect(next.posts.isEmpty)
    walk.provider.faults.v2.tokenLoops = true
    let token7 = try #require(page.meta["next_token"])
    #expect(try walk.v2("?pagination_token=\(token7)", by: token).meta["next_token"] == token7)
  }

  @Test(
    "when the credit is used up it answers 402 until somebody pays", arguments: [V2Faults.CreditWords.older, .newer])
  func credit(words: V2Faults.CreditWords) throws {
    var (walk, token) = try walk {
      $0.credit = 15
      $0.creditWords = words
    }
    let first = try walk.v2("?max_results=10", by: token)
    _ = try walk.v2("?max_results=10&until_id=\(first.ids[9])", by: token)
    #expect(walk.provider.faults.v2.credit == -5, "the last page may overdraw")
    let refused = try walk.get(.reverseChronological, by: token)
    #expect(refused.status.code == 402)
    #expect(refused.text.contains(words == .older ? "\"account_id\":1890000000000000001" : "credits depleted"))
    #expect(walk.provider.ledger.posts == 20)
    walk.provider.faults.v2.credit = 100
    #expect(try walk.v2(by: token).posts.count == 10)
  }

  @Test("the known refusals come in their words")
  func known() throws {
    let known: [(SandboxFault, Int, String)] = [
      (.creditsDepleted(.older), 402, "problems/credits\""), (.creditsDepleted(.newer), 402, "credits-depleted"),
      (.usageCapped, 429, "usage-capped"), (.clientNotEnrolled, 403, "client-not-enrolled"),
      (.unauthorized, 401, "about:blank"), (.serviceUnavailable, 503, "Service Unavailable"),
      (.rateLimited(reset: 1_795_190_500), 429, "\"code\":88"),
    ]
    for (fault, status, words) in known {
      var (walk, token) = try walk()
      walk.provider.faults.add(fault, to: .reverseChronological)
      let response = try walk.get(.reverseChronological, by: token)
      #expect(response.status.code == status && response.text.contains(words))
      #expect(try walk.get(.reverseChronological, by: token).status == .ok)
    }
  }
}
