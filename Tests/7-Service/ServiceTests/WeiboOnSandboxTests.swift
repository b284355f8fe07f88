import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import JSON
import SandboxSupport
import Settings
import Testing
import Time
import Timeline

@testable import Providers
@testable import Sandbox

/// The Weibo provider and the sandbox's Weibo, without a socket. Each reads what the other writes.
@Suite struct WeiboOnSandboxTests {
  private static let callback = "http://127.0.0.1:8765/callback"
  private static let host = "127.0.0.1:4000"

  private var sandbox = Faulty(WeiboSandbox(redirects: [callback]))
  private let weibo: Weibo
  private var now = Timestamp(seconds: 1_795_190_400)
  private var token = ""

  init() throws {
    weibo = try #require(try Weibo(at: ProviderLocation(.oauth2, at: RequestURL("http://\(Self.host)"))))
    token = try login()
  }

  private mutating func send(_ method: RequestMethod, _ url: RequestURL, form: [Parameter] = []) -> ProviderResponse {
    let target = url.path + (url.query.map { "?\($0)" } ?? "")
    let headers: HeaderFields = [.host: FieldValue(url.authority)!, .contentType: "application/x-www-form-urlencoded"]
    let request = Request(
      method: method, target: RequestTarget(target)!, headers: headers, body: Array(FormEncoding.encode(form).utf8))
    let response = sandbox.response(to: request, at: now).response
    return ProviderResponse(
      status: response.status.code, body: response.body, receivedAt: now, hiding: .nothing, headers: response.headers)
  }

  /// Sends the request with the token among the parameters, as Weibo's profile requires.
  private mutating func ask(_ request: ClientRequest) throws -> ProviderResponse {
    let shown = Parameter("access_token", token)
    let authorised = try request.adding(shown)
    return send(request.method, try RequestURL(authorised.url), form: try authorised.form)
  }

  private mutating func login() throws -> String {
    guard case .oauth2(let profile) = weibo.authorization, let endpoints = profile.endpoints,
      let authorize = endpoints.authorize
    else { throw NoAnswer() }
    let question = AuthorizationRequest(
      endpoint: authorize, clientID: WeiboSandbox.clientID, redirect: Self.callback, scopes: profile.scopes,
      scopeSeparator: profile.scopeSeparator, state: "state", challenge: nil)
    let asked = try FormEncoding.decode(try question.url().query ?? "")
    let target = RequestTarget(authorize.path)!
    let word = Request(
      method: .post, target: target,
      headers: [.host: FieldValue(Self.host)!, .contentType: "application/x-www-form-urlencoded"],
      body: Array(FormEncoding.encode(asked + [Parameter("action", "allow")]).utf8))
    let location = try #require(sandbox.response(to: word, at: now).response.headers.first("Location"))
    guard case .granted("state", let code, nil) = AuthorizationResponse(query: try RequestURL(location).query) else {
      throw NoAnswer()
    }
    let client = OAuth2Client(
      identifier: WeiboSandbox.clientID, secret: Secret(WeiboSandbox.clientSecret), authentication: .body)
    let request = AccessTokenRequest(
      endpoint: endpoints.token, client: client,
      grant: .authorizationCode(code, redirect: Self.callback, verifier: nil)
    ).request
    let response = send(.post, request.url, form: request.form)
    let tokens = try AccessTokenResponse(OAuthResponse(status: response.status, body: response.body))
    #expect(tokens.expiresIn == 2_592_000 && tokens.extra["uid"] == SandboxUser.id)
    return tokens.accessToken.withExposed { String(decoding: $0, as: UTF8.self) }
  }

  private struct NoAnswer: Error {}

  private mutating func user() throws -> User {
    let first = try weibo.userStep(after: try ask(try #require(weibo.userRequest())))
    guard case .ask(let request) = first, case .user(let user) = try weibo.userStep(after: try ask(request)) else {
      throw NoAnswer()
    }
    return user
  }

  private mutating func page(_ query: TimelineQuery) throws -> PageResponse.Fetched {
    guard case .page(let fetched) = try weibo.page(from: try ask(weibo.pageRequest(for: query)), for: query) else {
      throw NoAnswer()
    }
    return fetched
  }

  private mutating func failure() throws -> ProviderFailure? {
    weibo.classify(try ask(weibo.pageRequest(for: TimelineQuery(count: 20))))
  }

  @Test("a Weibo login finds the token's user in two steps")
  mutating func owner() throws {
    let user = try user()
    #expect(user.id == SandboxUser.id && user.screenName == SandboxUser.screenName)
    #expect(user.avatarURL?.contains("/180/") == true)
  }

  @Test("every available Weibo post is read exactly once, page by page, until the end is reached")
  mutating func paging() throws {
    sandbox.quirks.silentAuthors = nil
    var ids: [PostID] = []
    var cursor: PageCursor?
    var pages = 0
    repeat {
      let fetched = try page(TimelineQuery(older: cursor, count: 40))
      #expect(fetched.skipped == 0)
      ids += fetched.page.entries.map(\.post.id)
      cursor = fetched.page.older
      pages += 1
    } while cursor != nil && pages < 10
    #expect(ids.count == 150 && Set(ids).count == 150 && pages == 5)
  }

  @Test("known ranges of the timeline still merge if some authors' posts are withheld")
  mutating func spans() throws {
    var spans = Spans()
    for _ in 0..<6 {
      let newest = try page(TimelineQuery(since: spans.top?.newest, count: 20))
      spans.insert(head: newest.page)
      if let gap = spans.gaps.first, let cursor = gap.cursor {
        let filling = try page(TimelineQuery(older: cursor, since: gap.after, count: 100))
        spans.insert(filling.page, continuing: cursor)
      }
      #expect(spans.gaps.isEmpty)
      now = now + .seconds(1200)
    }
    #expect(spans.all.count == 1)
  }

  @Test("Weibo posts are read exactly as written")
  mutating func posts() throws {
    let posts = try page(TimelineQuery(count: 100)).page.entries.map(\.post)
    #expect(posts.contains { $0.text.hasPrefix("转发微博") && $0.quoted?.text.isEmpty == false })
    #expect(posts.contains { !$0.media.isEmpty })
    #expect(posts.allSatisfy { !$0.text.contains("&amp;") && !$0.text.hasSuffix("\u{200b}") && $0.createdAt <= now })
    sandbox.quirks.deletesOriginals = 1
    sandbox.quirks.omitsUsers = 3
    let fetched = try page(TimelineQuery(count: 100))
    #expect(fetched.skipped > 0)
    #expect(fetched.page.entries.contains { $0.post.quoted?.author.id == "" && $0.post.quoted?.text != "" })
  }

  @Test("deleted Weibo posts are reported as deleted, and do not make a page shorter")
  mutating func deleted() throws {
    let before = try page(TimelineQuery(count: 100)).page
    sandbox.quirks.deletesPosts = 5
    let after = try page(TimelineQuery(count: 100)).page
    #expect((1..<before.entries.count).contains(after.deleted.count) && after.stretch == before.stretch)
    #expect(Set(after.deleted).isDisjoint(with: after.entries.map(\.mark)))
    #expect(Set(after.entries.map(\.mark) + after.deleted) == Set(before.entries.map(\.mark)))
  }

  @Test("every kind of refusal by the simulated Weibo is recognised")
  mutating func refusals() throws {
    sandbox.quirks.closesHomeTimeline = true
    #expect(try failure()?.problem.code == .closed)
    sandbox.quirks.closesHomeTimeline = false
    sandbox.quirks.isBanned = true
    #expect(try failure()?.problem.code == .paused)
    sandbox.quirks.isBanned = false
    sandbox.quirks.requestsPerDay = 1
    #expect(try failure()?.problem.code == .rateLimited)
    for fault in [SandboxFault.named(.badGateway), .named(.gbkPage)] {
      sandbox.faults.add(fault, to: WeiboRoute.homeTimeline.path)
      guard case .transient? = try failure() else { throw NoAnswer() }
    }
    let revocation = try #require(weibo.revocationRequest())
    #expect(weibo.classify(try ask(revocation)) == nil)
    #expect(try failure()?.problem.code == .notAuthorised)
    sandbox.quirks.writesCodesAsText = true
    #expect(try failure()?.problem.code == .notAuthorised)
    #expect(weibo.classify(try ask(revocation))?.problem.code == .notAuthorised)
  }

  @Test("a token requires a login once its expiry time or the server's response shows that it has expired")
  mutating func expiry() throws {
    now = now + WeiboSandbox.tokenLife
    #expect(try failure()?.problem.code == .notAuthorised)
    let response = try ask(try #require(weibo.userRequest()))
    let error = #expect(throws: ProviderFailure.self) { try weibo.userStep(after: response) }
    #expect(error?.problem.code == .notAuthorised)
  }
}
