import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Providers
import SandboxSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// X's provider and the sandbox's v2 API, which share no code and communicate without a socket.
private struct Pair {
  let x: any Provider
  var sandbox: Faulty<TwitterSandbox>
  var now = Timestamp(seconds: 1_795_190_400)
  let token: TokenCredentials

  init(_ policy: SandboxPolicy = SandboxPolicy(), _ change: (inout V2Quirks) -> Void = { _ in }) throws {
    x = try #require(
      try ProviderRegistry.named("x", at: ProviderLocation(at: RequestURL("http://127.0.0.1:4000"))))
    sandbox = Faulty(TwitterSandbox(key: SandboxKey(bytes: [UInt8](0..<32))!, policy: policy))
    change(&sandbox.quirks)
    token = try Self.login(x, &sandbox, at: now)
  }

  /// Sends the three requests of OAuth 1.0a. The test submits the user's form.
  private static func login(
    _ x: any Provider, _ sandbox: inout Faulty<TwitterSandbox>, at now: Timestamp
  ) throws -> TokenCredentials {
    func send(_ signed: OutgoingRequest) throws -> HTTP.Response {
      respond(signed.method, try RequestURL(signed.url), signed.headers.first?.value, signed.body)
    }
    func respond(_ method: String, _ url: RequestURL, _ authorization: String?, _ body: [UInt8]) -> HTTP.Response {
      sandbox.response(to: request(method, url, authorization, body), at: now).response
    }
    func read(_ response: HTTP.Response) -> OAuthResponse {
      OAuthResponse(status: response.status.code, body: response.body)
    }
    let nonceTimestamp = { try NonceTimestamp.random(timestamp: now.seconds) }
    let consumer = TwitterSandbox.consumer
    guard case .oauth1(let strategy) = x.authorization else { throw NoVerifier() }
    let issued = try TemporaryCredentialsResponse(
      read(
        try send(
          TemporaryCredentialsRequest(
            endpoint: strategy.requestToken, callback: .url(RequestURL("http://127.0.0.1:8765/callback"))
          ).signed(by: consumer, nonceTimestamp: nonceTimestamp()))), requireCallbackConfirmation: true
    ).credentials
    let form = FormEncoding.encode([Parameter("oauth_token", issued.identifier), Parameter("action", "allow")])
    let redirect = respond("POST", strategy.authorize, nil, Array(form.utf8))
    let location = try RequestURL(try #require(redirect.headers.first("Location")))
    guard case .granted(_, let verifier) = Callback(query: location.query) else { throw NoVerifier() }
    return try TokenResponse(
      read(
        try send(
          TokenRequest(endpoint: strategy.accessToken, temporary: issued, verifier: verifier)
            .signed(by: consumer, nonceTimestamp: nonceTimestamp())))
    ).credentials
  }

  private struct NoVerifier: Error {}

  private static func request(
    _ method: String, _ url: RequestURL, _ authorization: String?, _ body: [UInt8] = []
  ) -> HTTP.Request {
    var headers: HeaderFields = [:]
    headers.set(.host, FieldValue(url.authority)!)
    if let authorization { headers.set("Authorization", FieldValue(authorization)!) }
    if !body.isEmpty { headers.set(.contentType, "application/x-www-form-urlencoded") }
    return Request(
      method: RequestMethod(method)!, target: RequestTarget(url.path + (url.query.map { "?\($0)" } ?? ""))!,
      headers: headers, body: body)
  }

  mutating func send(_ wanted: ClientRequest) throws -> ProviderResponse {
    let (method, url) = (wanted.method.name, try RequestURL(wanted.url))
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .token(token), method: .hmacSHA1)
      .sign(SignableRequest(method: method, url: url), nonceTimestamp: .random(timestamp: now.seconds))
    let response = sandbox.response(to: Self.request(method, url, authorization.headerValue), at: now).response
    return ProviderResponse(
      status: response.status.code, body: response.body, receivedAt: now, hiding: .nothing, headers: response.headers)
  }

  mutating func user() throws -> User {
    let request = try #require(x.userRequest())
    guard case .user(let user) = try x.userStep(after: try send(request)) else { throw NoVerifier() }
    return user
  }

  mutating func fetch(older: PageCursor? = nil, since: PostPosition? = nil, count: Int = 100) throws
    -> PageResponse.Fetched
  {
    let query = TimelineQuery(userID: SandboxUser.id, older: older, since: since, count: count)
    guard case .page(let fetched) = try x.page(from: try send(x.pageRequest(for: query)), for: query) else {
      throw NoVerifier()
    }
    return fetched
  }
}

@Suite("The X provider with the sandbox's v2 API")
struct XOnSandboxTests {
  @Test("the X provider identifies the user at the sandbox")
  func user() throws {
    var pair = try Pair()
    let user = try pair.user()
    #expect(user.id == SandboxUser.id && user.screenName == "mira_demo" && user.avatarURL != nil)
  }

  @Test(
    "the v2 API yields the same posts as the v1.1 API, apart from documented differences", arguments: [false, true])
  func samePosts(usesNewNames: Bool) throws {
    var pair = try Pair { $0.usesNewNames = usesNewNames }
    let new = try pair.fetch().page.entries
    let old = try #require(
      try ProviderRegistry.named("sandbox", at: ProviderLocation(at: RequestURL("http://127.0.0.1:4000"))))
    let query = TimelineQuery(count: 100)
    guard case .page(let fetched) = try old.page(from: try pair.send(old.pageRequest(for: query)), for: query) else {
      Issue.record("no page")
      return
    }
    #expect(new.count == 100)
    #expect(new.map(\.key) == fetched.page.entries.map(\.key))
    for (left, right) in zip(new.map(\.post), fetched.page.entries.map(\.post)) {
      var (left, right) = (left, right)
      // The real v1.1 API has no number of replies, and returns an address only if the server has a web site.
      left.counts.replies = right.counts.replies
      left.url = right.url
      if left.quoted != nil || right.quoted != nil {
        #expect(left.quoted?.text == right.quoted?.text && left.quoted?.author == right.quoted?.author)
        left.quoted = nil
        right.quoted = nil
      }
      #expect(left == right)
    }
  }

  @Test(
    "the X provider counts exactly those objects as billed that the sandbox reports as delivered",
    arguments: [1, 30, 100])
  func ledger(count: Int) throws {
    var pair = try Pair()
    let fetched = try pair.fetch(count: count)
    #expect(fetched.page.entries.count == count)
    let delivered = fetched.delivered
    #expect(delivered.namelessPosts == 0 && delivered.namelessUsers == 0)
    #expect(pair.sandbox.delivered.posts == delivered.posts.count)
    #expect(pair.sandbox.delivered.users == delivered.users.count)
    #expect((count...3 * count).contains(delivered.posts.count))
    let before = pair.sandbox.delivered.posts
    let empty = try pair.fetch(since: fetched.page.stretch?.upperBound)
    #expect(empty.page.entries.isEmpty && empty.delivered == Delivered() && pair.sandbox.delivered.posts == before)
  }

  static let faults: [@Sendable (inout V2Quirks) -> Void] = [
    { _ in }, { $0.tokenLeadsNowhere = true }, { $0.tokenLoops = true }, { $0.countError = 7 }, { $0.countError = -7 },
    { $0.omitsUsers = true }, { $0.losesReferences = true },
    { $0.edits = PostEdits(every: 3, after: .seconds(600)) },
  ]

  @Test(
    "the X provider reads every post exactly once, page by page, regardless of what the server says about its pages",
    arguments: faults.indices)
  func paging(fault: Int) throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 1_000
    var pair = try Pair(policy, Self.faults[fault])
    var page = try pair.fetch(count: 100).page
    var keys = page.entries.map(\.key)
    var requests = 1
    while let older = page.older, keys.count < 350 {
      page = try pair.fetch(older: older, count: 50).page
      keys += page.entries.map(\.key)
      requests += 1
    }
    #expect(requests == 6 && keys.count == 350 && Set(keys).count == 350)
  }

  @Test("the X provider replaces an edited post, and misses no post in the next request")
  func edits() throws {
    var pair = try Pair { $0.edits = PostEdits(every: 4, after: .seconds(600)) }
    var posts: [PostKey: Post] = [:]
    var spans = Spans()
    func take(_ page: Page) {
      for entry in page.entries { posts[entry.key] = entry.post }
      spans.insert(head: page)
    }
    take(try pair.fetch(count: 40).page)
    let bottom = try #require(spans.bottom?.oldest)
    for _ in 0..<30 {
      pair.now = pair.now + .seconds(120)
      let fetched = try pair.fetch(since: spans.top?.newest)
      take(fetched.page)
      #expect(spans.all.count == 1, "each page proves that it reaches the known posts")
    }
    let truth = try pair.fetch(since: bottom, count: 100).page
    for entry in truth.entries where entry.key > bottom.key {
      #expect(posts[entry.key] == entry.post)
    }
    #expect(truth.entries.contains { $0.post.text.hasPrefix("Edited: ") })
  }

  @Test("requests to X pause when the credit runs out between two pages, and continue there after a top-up")
  func credit() throws {
    var pair = try Pair()
    let first = try pair.fetch(count: 90)
    pair.sandbox.quirks.credit = 10
    let second = try pair.fetch(older: first.page.older, count: 90)
    let error = #expect(throws: ProviderFailure.self) { try pair.fetch(older: second.page.older, count: 90) }
    #expect(error?.problem.code == .paused && error?.problem.retryAt == pair.now + .seconds(3600))
    pair.sandbox.quirks.credit = 1000
    let third = try pair.fetch(older: second.page.older, count: 90)
    #expect(try #require(third.page.entries.first?.key) < (try #require(second.page.entries.last?.key)))
  }
}
