import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Posting
import Testing
import Time
import Timeline

@testable import Providers

/// Successful responses to a new post that are something else. Robin (id 1) posts; Kim has the id 2.
@Suite struct NotThePostTests {
  /// The dialects of the APIs that homeline posts with.
  enum Dialect: CaseIterable {
    case mastodon, twitter, x, weibo

    var provider: any PostingProvider {
      switch self {
      case .mastodon: try! Mastodon(at: ProviderLocation(.oauth2, at: RequestURL("https://social.example")))!
      case .twitter:
        try! Twitter(
          at: ProviderLocation(
            endpoints: [.homeTimeline: try! RequestURL("https://social.example/api/statuses/home_timeline.json")]))!
      case .x: try! X(at: ProviderLocation(.oauth2))!
      case .weibo: try! Weibo(at: ProviderLocation(.oauth2))!
      }
    }

    /// A post that was written at most a day before `now`.
    func post(
      _ author: String? = "1", _ text: String = "Good morning.", secondsAgo: Int64 = 1, id: String? = nil
    ) -> String {
      let time = now - .seconds(secondsAgo)
      let id = id ?? self.id(secondsAgo)
      let clock = time.rfc3339.dropFirst(11).prefix(8)
      let day = secondsAgo > 43_200 ? "Wed Nov 25" : "Thu Nov 26"
      let user = author.map { #""user":{"id":\#($0),"idstr":"\#($0)","screen_name":"robin","name":"Robin"},"# } ?? ""
      switch self {
      case .mastodon:
        let account = author.map { #""account":{"id":"\#($0)","username":"robin","acct":"robin"},"# } ?? ""
        return #"{"id":"\#(id)","created_at":"\#(time.rfc3339)","#
          + #""content":"<p>\#(text)</p>",\#(account)"url":"https://social.example/@robin/\#(id)","visibility":"public"}"#
      case .twitter:
        return #"{"id":\#(id),"created_at":"\#(day) \#(clock) +0000 2026",\#(user)"text":"\#(text)"}"#
      case .weibo:
        return #"{"idstr":"\#(id)","created_at":"\#(day) \#(clock) +0000 2026",\#(user)"text":"\#(text)"}"#
      case .x:
        let author = author.map { #","author_id":"\#($0)""# } ?? ""
        return #"{"data":{"id":"\#(id)","text":"\#(text)"\#(author)}}"#
      }
    }

    /// The id of a post, which contains the time on X.
    func id(_ secondsAgo: Int64) -> String {
      self == .x ? String((now.milliseconds - secondsAgo * 1000 - 1_288_834_974_657) << 22) : "\(100_000 - secondsAgo)"
    }

    func object(_ members: String) -> String { self == .x ? #"{"data":{\#(members)}}"# : "{\(members)}" }
  }

  private static let now = Timestamp(rfc3339: "2026-11-26T12:00:00Z")!

  private func judged(
    _ dialect: Dialect, _ body: String, _ text: String = "Good morning.", known: Set<String>? = [],
    claimed: Set<String> = [], headers: [String: String] = [:]
  ) -> PostedResponse {
    let response = ProviderResponse(
      status: 200, body: Array(body.utf8), receivedAt: Self.now, hiding: .nothing, headers: HeaderFields(headers))
    return dialect.provider.posted(
      from: response, PostDraft(text: text),
      in: PostingContext(
        author: User(id: "1", screenName: "robin", name: "Robin"), knownBefore: known, claimed: claimed,
        sentAt: Self.now - .seconds(1)))
  }

  /// Returns whether a response leaves the outcome open.
  /// - Parameter named: the id to look for.
  private func isLost(_ response: PostedResponse, named: String? = nil) -> Bool {
    guard case .unanswered(let reason, nil, let id) = response.result else { return false }
    return response.entry == nil && id == named && !reason.contains("@kim")
  }

  @Test("the user's new post with the text or the time of the attempt is the post", arguments: Dialect.allCases)
  func posted(dialect: Dialect) throws {
    for body in [dialect.post(), dialect.post("1", "Good morning. "), dialect.post("1", "Changed by the server.")] {
      let response = judged(dialect, body)
      guard case .posted(let post) = response.result else {
        Issue.record("\(dialect) \(body): \(response.result)")
        continue
      }
      #expect(post.id == dialect.id(1) && response.entry?.post.id.text == post.id)
    }
    let late = judged(dialect, dialect.post(secondsAgo: 7200))
    guard case .posted = late.result else {
      Issue.record("\(dialect), a server with a wrong time: \(late.result)")
      return
    }
  }

  @Test("another user's post with any content is a lost response", arguments: Dialect.allCases)
  func stranger(dialect: Dialect) {
    #expect(isLost(judged(dialect, dialect.post("2", "Something else.", secondsAgo: 7200))))
    #expect(isLost(judged(dialect, dialect.post("2"))), "the same text at the same time, under the same name")
    #expect(isLost(judged(dialect, dialect.post("2", "Something else."), known: nil)))
  }

  @Test("the user's other posts are lost responses", arguments: Dialect.allCases)
  func ownOther(dialect: Dialect) {
    #expect(isLost(judged(dialect, dialect.post("1", "Something else.", secondsAgo: 7200))))
    #expect(isLost(judged(dialect, dialect.post(secondsAgo: 7200), known: [dialect.id(7200)])), "yesterday's greeting")
    #expect(isLost(judged(dialect, dialect.post(), known: nil, claimed: [dialect.id(1)])), "another intent's post")
    let link = "https://example.org/"
    #expect(
      isLost(judged(dialect, dialect.post("1", "https://short.example/x", secondsAgo: 7200), link)),
      "a text that consists of a link proves nothing")
  }

  @Test("a post without an author is looked up, except on X, which names no authors", arguments: Dialect.allCases)
  func withoutAuthor(dialect: Dialect) {
    let same = judged(dialect, dialect.post(nil))
    if dialect == .x {
      guard case .posted = same.result else {
        Issue.record("\(same.result)")
        return
      }
    } else {
      #expect(isLost(same, named: dialect.id(1)))
    }
    #expect(isLost(judged(dialect, dialect.post(nil, "Something else.")), named: dialect.id(1)))
  }

  @Test("an id alone is looked up", arguments: Dialect.allCases)
  func bareID(dialect: Dialect) {
    for body in [#""id":"3010""#, #""id":3010"#] {
      #expect(isLost(judged(dialect, dialect.object(body)), named: "3010"), "\(body)")
    }
  }

  @Test("accounts, notifications, messages and empty objects are lost responses", arguments: Dialect.allCases)
  func otherObjects(dialect: Dialect) {
    let time = dialect == .mastodon ? "2026-11-26T11:59:59Z" : "Thu Nov 26 11:59:59 +0000 2026"
    let own =
      #"{"id":"1","id_str":"1","idstr":"1","screen_name":"robin","name":"Robin","username":"robin","acct":"robin"}"#
    let others = [
      #""id":"1","username":"robin","acct":"robin","screen_name":"robin","name":"Robin","created_at":"\#(time)""#,
      // A notification about the user's own poll.
      #""id":"88","type":"poll","created_at":"\#(time)","account":\#(own),"user":\#(own),"status":\#(dialect.post())"#,
      #""id":"7","created_at":"\#(time)","sender":\#(own),"recipient":\#(own)"#,
      #""id":"9","media_key":"3_9","size":5,"type":"image","url":"https://social.example/1.png""#, "",
    ]
    for body in others {
      let response = judged(dialect, dialect.object(body))
      guard case .unanswered = response.result, response.entry == nil else {
        Issue.record("\(dialect) \(body): \(response.result)")
        continue
      }
    }
    let kim = #"{"id":"2","username":"kim","acct":"kim","url":"https://social.example/@kim"}"#
    let mention = #""id":"88","type":"mention","created_at":"2026-11-26T11:59:00.000Z","account":\#(kim)"#
    if dialect == .mastodon {
      #expect(isLost(judged(dialect, "{\(mention),\"status\":\(dialect.post("2"))}")))
      #expect(isLost(judged(dialect, dialect.object(others[0]))), "no post has the id of the account")
    }
  }

  @Test("the time of a post is compared on the server's own clock", arguments: Dialect.allCases)
  func clock(dialect: Dialect) {
    // The server is two hours behind.
    let date = ["date": "Thu, 26 Nov 2026 10:00:00 GMT"]
    let response = judged(dialect, dialect.post("1", "Changed.", secondsAgo: 7201), headers: date)
    guard case .posted(let post) = response.result else {
      Issue.record("\(response.result)")
      return
    }
    #expect(post.createdAt == Self.now - .seconds(1))
    #expect(isLost(judged(dialect, dialect.post("1", "Changed."), headers: date)))
  }

  @Test("the post that the response names counts only if its author is the user")
  func named() {
    let provider = Dialect.mastodon.provider
    func named(_ body: String) -> SentPost? {
      provider.namedPost(
        from: ProviderResponse(status: 200, body: Array(body.utf8), receivedAt: Self.now, hiding: .nothing)
      )
    }
    #expect(provider.namedPostRequest(id: "3010")?.address.path == "/api/v1/statuses/3010")
    #expect(provider.namedPostRequest(id: "../3010") == nil)
    #expect(named(Dialect.mastodon.post())?.authorID == "1" && named(Dialect.mastodon.post("2"))?.authorID == "2")
    #expect(named(#"{"id":"3010"}"#) == nil && named(#"{"error":"Record not found"}"#) == nil && named("<html>") == nil)
  }
}

extension NotThePostTests {
  /// Returns a page of the home timeline.
  private func page(_ posts: String, _ dialect: Dialect) -> String {
    switch dialect {
    case .mastodon, .twitter: "[\(posts)]"
    case .weibo: #"{"statuses":[\#(posts)],"hasvisible":false,"previous_cursor":0,"next_cursor":0,"total_number":1}"#
    case .x:
      #"{"data":[\#(posts.dropFirst(#"{"data":"#.count).dropLast())],"includes":{"users":"#
        + #"[{"id":"1","username":"robin","name":"Robin"}]},"meta":{"result_count":1}}"#
    }
  }

  @Test("the user's posts in the home timeline are compared with posts in doubt", arguments: Dialect.allCases)
  func homeTimeline(dialect: Dialect) throws {
    let fetched = try Samples.fetched(
      page(dialect.post("1", "Good &amp; bad."), dialect), TimelineQuery(userID: "1", count: 20), by: dialect.provider)
    let entry = try #require(fetched.page.entries.first)
    let post = try #require(dialect.provider.sentPost(in: entry, ahead: .seconds(60)))
    #expect(post.id == dialect.id(1) && post.authorID == "1" && post.replyTo == nil)
    #expect(post.text == "Good & bad." && post.createdAt == Self.now - .seconds(61))
  }
}
