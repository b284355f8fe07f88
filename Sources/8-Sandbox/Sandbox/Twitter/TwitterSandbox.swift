internal import Bytes
package import HTTP
internal import HomelineOAuth
package import Time

/// An OAuth 1.0a provider with Twitter's v1.1 API and X's v2 API.
///
/// Tokens are derived from the key, and posts from the timeline's seed, so another process with the same key and timeline accepts the same
/// tokens and has the same posts. Nonces, used request tokens and rate limits are lost with the value; the caller stores `revokedTokens`.
package struct TwitterSandbox: SimulatedProvider {
  /// The registered application. Its secret is public. It contains characters that must be percent-encoded in the signing key, so clients
  /// that forget to encode it are refused.
  static let consumer = ClientCredentials(identifier: "sandbox", secret: Secret("open+sesame/&=%"))
  /// The application's name on the authorisation page.
  static let applicationName = "homeline"

  /// How far the provider's clock is ahead in `Date`, in timestamp checks and in rate limits. Posts keep the actual time.
  var clockOffset: Duration = .zero
  var latePosts: LatePosts?
  /// The v1.1 API's quirks.
  var timelineQuirks = TimelineQuirks()
  /// The v2 API's quirks.
  var quirks = V2Quirks()
  private var authenticator: RequestAuthenticator
  private var oauth: OAuth1Server
  var api: TwitterAPI
  private(set) var v2: V2API
  private let isGNUSocial: Bool

  /// - Parameter revokedTokens: the revoked tokens from earlier runs.
  package init(key: SandboxKey, policy: SandboxPolicy = SandboxPolicy(), revokedTokens: Set<String> = []) {
    authenticator = RequestAuthenticator(
      seal: Seal(key), consumer: Self.consumer, userID: Author.mira.id, tolerance: policy.timestampTolerance,
      revoked: revokedTokens)
    isGNUSocial = policy.isGNUSocial
    oauth = OAuth1Server(applicationName: Self.applicationName, user: .mira, life: policy.requestTokenLife)
    v2 = V2API(timeline: policy.timeline, user: .mira, limit: policy.rateLimit, window: policy.window)
    api = TwitterAPI(
      timeline: policy.timeline, user: .mira, isGNUSocial: policy.isGNUSocial,
      limiter: RateLimiter(limit: policy.rateLimit, length: policy.window))
  }

  /// The access tokens that have been invalidated.
  package var revokedTokens: Set<String> { authenticator.revoked }

  package func uploadedFile(_ key: String) -> UploadedFile? {
    api.publications.uploads.store.file(key) ?? v2.publications.uploads.store.file(key)
  }

  package var bodyLimit: Int { 16 << 20 }

  package func clock(at now: Timestamp) -> Timestamp { now + clockOffset }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    let clock = clock(at: now)
    let info = isGNUSocial ? NodeInfo(software: "gnusocial", version: "2.0.1-beta0") : nil
    if let response = info?.response(to: request, user: Author.mira.screenName) { return SimulatedResponse(response) }
    var response = response(to: request, TwitterRoute(request, isGNUSocial: isGNUSocial), at: clock, time: now)
    if let date = FieldValue(clock.imfFixdate) { response.headers.set("Date", date) }
    return SimulatedResponse(response)
  }

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("request token", base + TwitterRoute.requestToken.path),
      GuideLine("authorize", base + TwitterRoute.authorize.path),
      GuideLine("access token", base + TwitterRoute.accessToken.path),
      GuideLine("home timeline", base + TwitterRoute.homeTimeline.path),
      GuideLine("consumer key", Self.consumer.identifier),
      GuideLine("consumer secret", Self.consumer.secret.withExposed { String(decoding: $0, as: UTF8.self) }),
      GuideLine("signature", "OAuth 1.0a (RFC 5849): HMAC-SHA1, HMAC-SHA256, HMAC-SHA512 or PLAINTEXT"),
    ]
  }

  private mutating func response(
    to request: Request, _ route: TwitterRoute?, at now: Timestamp, time: Timestamp
  ) -> Response {
    if let route, route.isV2 {
      do throws(V2Error) {
        let token = try v2Token(request, at: now)
        return try v2.response(to: request, route, from: token, at: now, time: time, quirks: &quirks)
      } catch { return error.response }
    }
    do throws(TwitterError) {
      switch route {
      case nil:
        guard
          let page = PostPage.response(
            to: request, post: { api.post($0, at: time) })
        else { throw .notFound }
        return page
      case .requestToken: return try oauth.requestToken(request, authenticator: &authenticator, at: now)
      case .authorize where request.method == .get:
        return try oauth.authorizePage(request, authenticator: authenticator, at: now)
      case .authorize: return try oauth.authorize(request, authenticator: authenticator, at: now)
      case .accessToken: return try oauth.accessToken(request, authenticator: &authenticator, at: now)
      case .siteConfiguration:
        guard isGNUSocial else { throw .notFound }
        return GNUSocialWriter.configuration()
      case .some(let route):
        return try api.response(
          to: request, route, authenticator: &authenticator, at: now, time: time, late: latePosts,
          quirks: timelineQuirks)
      }
    } catch {
      return error.response
    }
  }

  /// Authenticates a signed request to the v2 API.
  /// - Returns: its access token.
  private mutating func v2Token(_ request: Request, at now: Timestamp) throws(V2Error) -> String {
    do throws(TwitterError) { return try authenticator.admit(request, as: .user, at: now).token } catch {
      throw V2Error(error)
    }
  }
}

/// The web page of a post, at `/NAME/status/ID`, the `url` of a published post.
enum PostPage {
  /// Returns the response to a request for a post's page.
  /// - Parameter post: finds a post by its id.
  /// - Returns: `nil` if the path does not belong to a post.
  static func response(to request: Request, post: (UInt64) -> SandboxPost?) -> Response? {
    let parts = request.target.path.split(separator: "/", omittingEmptySubsequences: false)
    guard request.method == .get, parts.count == 4, parts[0].isEmpty, parts[2] == "status", let id = UInt64(parts[3])
    else { return nil }
    guard let post = post(id), post.author.screenName == parts[1] else {
      return SandboxPage.response(
        title: "There is no such post", status: .notFound, body: "<p>It does not exist, or does not exist yet.</p>")
    }
    let pictures = post.attachments.map { attachment -> Markup in
      "<p>[\(attachment.isVideo ? "video" : "picture")] \(attachment.alternativeText ?? "")</p>"
    }
    return SandboxPage.response(
      title: "\(post.author.name) (@\(post.author.screenName))",
      body: """
        <p>\(post.pieces.map(\.text).joined())</p>
        \(pictures.joined(separator: "\n"))
        <p><time datetime="\(post.createdAt.rfc3339)">\(post.createdAt.rfc3339)</time></p>
        """)
  }
}
