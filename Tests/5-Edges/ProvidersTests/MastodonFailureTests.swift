import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct MastodonFailureTests {
  private func page(_ body: String, _ status: Int, _ headers: [String: String] = [:]) -> ProviderFailure? {
    #expect(throws: ProviderFailure.self) {
      try MastodonSamples.mastodon.page(
        from: Samples.respond(body, status: status, headers: headers), for: TimelineQuery(count: 40))
    }
  }

  private static let html = "<html><body>Sorry</body></html>"
  private static let refusals: [(body: String, status: Int, code: Problem.Code)] = [
    (#"{"error":"The access token is invalid"}"#, 401, .notAuthorised),
    (#"{"error":"The access token was revoked"}"#, 401, .notAuthorised), ("", 401, .provider),
    ("", 403, .provider), (#"{"error":"insufficient-permissions"}"#, 401, .configuration),
    (#"{"error":"This method requires an authenticated user"}"#, 422, .notAuthorised),
    (#"{"error":"This action is outside the authorized scopes"}"#, 403, .configuration),
    (#"{"error":"Your login is missing a confirmed e-mail address"}"#, 403, .configuration),
    (#"{"error":"Your login is currently disabled"}"#, 403, .locked),
    (#"{"error":"Your login is currently pending approval"}"#, 403, .provider),
    (#"{"error":"Record not found"}"#, 404, .closed), (#"{"error":"Gone"}"#, 410, .closed), ("", 410, .provider),
    (#"{"error":"Too many requests"}"#, 429, .rateLimited), (html, 429, .rateLimited),
    (html, 503, .provider), (#"{"error":"Remote data could not be fetched"}"#, 503, .provider), ("", 500, .provider),
  ]

  @Test("each refusal by a Mastodon server maps to its problem", arguments: refusals)
  func refused(body: String, status: Int, code: Problem.Code) { #expect(page(body, status)?.problem.code == code) }

  @Test("the problem gives the server's message, or advice on how to get the missing right")
  func message() {
    #expect(
      page(#"{"error":"The access token is invalid"}"#, 401)?.description.contains("access token is invalid") == true)
    let scopes = page(#"{"error":"This action is outside the authorized scopes"}"#, 403)
    #expect(scopes?.description.contains("outside the authorized scopes”. The token does not allow this") == true)
    #expect(scopes?.description.contains("log in with --allow posting") == true)
  }

  @Test(
    "a refusal that the user cannot change has no advice, regardless of its text",
    arguments: [
      ("Record not found", 404, "social.example returned 404 (“Record not found”) at the API's address."),
      ("Validation failed", 422, "social.example says: “Validation failed”."),
      ("This action is not allowed", 403, "social.example says: “This action is not allowed”."),
      ("Signature of the consumer's callback", 400, "social.example says: “Signature of the consumer's callback”."),
      ("Invalid token in timestamp", 200, "social.example says: “Invalid token in timestamp”."),
      (
        "Bad signature", 500,
        "The provider says: “Bad signature” (status 500). The provider is having problems; try again later."
      ),
    ])
  func advice(said: String, status: Int, message: String) {
    #expect(page(#"{"error":"\#(said)"}"#, status)?.description == message)
  }

  @Test("snac's empty 422 response to verify_credentials means that the token is unknown")
  func snac() {
    let response = Samples.respond("", status: 422)
    let error = #expect(throws: ProviderFailure.self) { try MastodonSamples.user(response) }
    #expect(error?.problem.code == .notAuthorised)
    #expect(page("", 422)?.problem.code == .provider, "the response does not concern the timeline")
  }

  @Test("a web page in place of the API is reported with advice", arguments: [200, 206])
  func parked(status: Int) {
    guard case .transient(let message, nil)? = page("\n<!DOCTYPE html><title>Domain for sale</title>", status)
    else {
      Issue.record("the web page is not recognised")
      return
    }
    #expect(message.contains("social.example sent a web page") && message.contains("Wi-Fi"))
  }

  private static let presences: [(body: String, status: Int, presence: PostPresence)] = [
    (#"{"error":"Record not found"}"#, 404, .gone), ("", 404, .unknown), (#"{"error":"Gone"}"#, 410, .gone),
    (#"{"id":"1"}"#, 200, .present), (#"{"id":"2"}"#, 200, .unknown), ("{}", 200, .unknown), (html, 404, .unknown),
    ("\n " + html, 410, .unknown), (html, 200, .unknown),
    ("", 200, .unknown), ("[]", 200, .unknown), ("", 401, .unknown), ("", 403, .unknown), ("", 429, .unknown),
    ("", 500, .unknown), ("", 503, .unknown), ("", 301, .unknown), (#"{"error":"Unprocessable"}"#, 422, .unknown),
  ]

  @Test(
    "only the server's own 404 or 410 means that a post is gone, and only the post itself that it exists",
    arguments: presences)
  func presence(body: String, status: Int, presence: PostPresence) {
    #expect(MastodonSamples.mastodon.presence(of: PostID("1"), from: Samples.respond(body, status: status)) == presence)
  }

  @Test("a single post is requested by its id, unless the id could change the address")
  func singlePosts() {
    let mastodon = MastodonSamples.mastodon
    for id in ["115600000000000200", "01JD4ZXX8RQ1M3V5W7Y9B2D4F6", "AoKx-7_b"] {
      let request = mastodon.postRequest(for: PostID(id))
      #expect(request?.method == .get && request?.url == "https://social.example/api/v1/statuses/\(id)")
    }
    for id in ["", "..", "1/../../x", "1?a=b", "1#2", "1 2", "ä", String(repeating: "1", count: 65)] {
      #expect(mastodon.postRequest(for: PostID(id)) == nil, "\(id)")
    }
  }

  @Test("a redirect to a server's new address is not followed, but the message names the address")
  func moved() {
    for status in [301, 308] {
      let error = page(Self.html, status, ["location": "https://new.example/api/v1/timelines/home?secret=1"])
      #expect(error?.problem.code == .provider)
      #expect(error?.description.contains("a redirect to new.example (status \(status))") == true)
      #expect(error?.description.contains("change the account's server") == true)
      #expect(error?.description.contains("secret") == false)
    }
    #expect(page(Self.html, 301, ["location": "https://social.example/elsewhere"])?.problem.code == .provider)
    #expect(page("", 302)?.problem.code == .provider)
  }

  @Test(
    "the time when a rate limit ends is read in every format",
    arguments: [
      "2026-11-20T16:05:00.029272Z", "2026-11-20T16:05:00.029Z", "2026-11-20T16:05:00Z", "1795190700",
    ])
  func limits(reset: String) {
    let headers = ["x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset]
    let limit = MastodonSamples.mastodon.rateLimit(from: Samples.respond("[]", headers: headers))
    #expect(limit?.limit == 300 && limit?.remaining == 0)
    #expect(limit?.reset.seconds == Timestamp(rfc3339: "2026-11-20T16:05:00Z")!.seconds)
    guard case .rateLimited(_, let until)? = page(Self.html, 429, headers) else {
      Issue.record("the response is not recognised as a rate limit")
      return
    }
    #expect(until.seconds == limit?.reset.seconds)
  }

  @Test("the Retry-After field of a 503 response is respected")
  func retryAfter() {
    guard case .transient(_, let until)? = page("", 503, ["retry-after": "30"]) else {
      Issue.record("the response is not recognised as temporary")
      return
    }
    #expect(until == Samples.now + .seconds(30))
  }

  // MARK: Servers

  @Test(
    "the server of an account is the origin of the configured address",
    arguments: ["https://social.example", "https://social.example:443/@mira?x=1", "https://SOCIAL.example/"])
  func server(text: String) throws {
    #expect(try Mastodon(at: ProviderLocation(.oauth2, at: RequestURL(text)))?.server == "https://social.example")
  }

  @Test("plain HTTP is allowed only for servers on this machine")
  func encryption() throws {
    #expect(try MastodonSamples.server("http://127.0.0.1:8080/x")?.server == "http://127.0.0.1:8080")
    #expect(try MastodonSamples.server("http://social.example") == nil)
    #expect(try Mastodon(at: ProviderLocation(.oauth2)) == nil, "Mastodon has no default server")
  }

  @Test("the OAuth 2.0 profile depends only on the server, and has its own callback path")
  func profile() throws {
    guard case .oauth2(let profile) = try #require(try MastodonSamples.server("http://[::1]:8080/x")).authorization
    else {
      Issue.record("not OAuth 2.0")
      return
    }
    #expect(profile.endpoints?.authorize?.text == "http://[::1]:8080/oauth/authorize")
    #expect(profile.endpoints?.token.text == "http://[::1]:8080/oauth/token")
    #expect(profile.endpoints?.revocation?.text == "http://[::1]:8080/oauth/revoke")
    #expect(profile.metadata == .init(issuer: "http://[::1]:8080", acceptsTrailingSlash: true))
    #expect(profile.callbackName == "---1--8080" && profile.scopes == ["read:accounts", "read:statuses"])
    #expect(profile.usesPKCE && profile.clientAuthentication == .body)
    guard case .oauth2(let other) = MastodonSamples.mastodon.authorization else { return }
    #expect(other.callbackName == "social.example")
  }

  @Test("a login requests the scopes of the account's timelines, unless the account has its own scopes")
  func scopes() throws {
    var place = ProviderLocation(.oauth2, at: try RequestURL("https://social.example"))
    place.timelines = [.home, .bookmarks]
    func scopes() throws -> [String]? {
      guard case .oauth2(let profile)? = try Mastodon(at: place)?.authorization else { return nil }
      return profile.scopes
    }
    #expect(try scopes() == ["read:accounts", "read:statuses", "read:bookmarks"])
    place.scopes = ["read:statuses"]
    #expect(try scopes() == ["read:statuses"])
  }

  // MARK: Registration

  @Test("a registration requests all scopes and is sent to the server's root")
  func registration() throws {
    let place = ProviderLocation(
      .oauth2, at: try RequestURL("https://social.example/some/page"))
    let request = try #require(
      try Mastodon(at: place)?.registrationRequest(
        redirect: "http://127.0.0.1/cb/social.example", scopes: ["read", "profile"]))
    #expect(request.method == .post && request.url == "https://social.example/api/v1/apps")
    #expect(
      request.parameters == [
        Parameter("client_name", "homeline"), Parameter("redirect_uris", "http://127.0.0.1/cb/social.example"),
        Parameter("scopes", "read profile"),
      ])
  }

  @Test("a registration yields an identifier and a secret, which is never shown")
  func registered() throws {
    let body =
      #"{"id":"563419","name":"homeline","website":null,"scopes":["read:accounts"],"redirect_uris":["x"],"#
      + #""client_id":"CID","client_secret":"made up","client_secret_expires_at":0,"vapid_key":"x"}"#
    let registration = try MastodonSamples.mastodon.registration(from: Samples.respond(body))
    #expect(registration == ClientRegistration(clientID: "CID", clientSecret: Secret("made up")))
    #expect(!"\(registration)".contains("made up"))
  }

  private static let failures: [(body: String, status: Int, code: Problem.Code, message: String)] = [
    (#"{"error":"Validation failed: Redirect URI must be an absolute URI."}"#, 422, .configuration, "absolute URI"),
    (html, 404, .closed, "does not support"), (html, 200, .provider, "web page"),
    ("{}", 200, .provider, "other content"),
    (#"{"client_id":"CID"}"#, 200, .provider, "other content"), ("", 200, .provider, "no content"),
    (#"{"error":"Too many requests"}"#, 429, .rateLimited, "Too many"), ("", 503, .provider, "503"),
    (#"{"client_id":"CID","client_secret":"x""#, 200, .provider, "other content"),
  ]

  @Test("a failed registration is reported with advice", arguments: failures)
  func notRegistered(body: String, status: Int, code: Problem.Code, message: String) {
    let error = #expect(throws: ProviderFailure.self) {
      try MastodonSamples.mastodon.registration(from: Samples.respond(body, status: status))
    }
    #expect(error?.problem.code == code)
    #expect(error?.description.contains(message) == true)
  }
}
