import HomelineOAuth
import Accounts
import Bytes
import HTTP
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import TestSupport
import Testing
import Timeline

@testable import Sandbox

/// The scopes that logins request, and tokens whose scopes do not cover a request.
@Suite("Scopes of logins", .timeLimit(.minutes(3))) struct LoginScopesTests {
  private typealias Mastodon = BearerFixture<MastodonSandbox>

  private func refusal(_ status: Int, _ body: String) -> SandboxFault {
    .respond(
      Response(
        status: StatusCode(status), headers: [.contentType: "application/json"], body: Array(body.utf8)))
  }

  @Test("on a server that knows only coarse scopes, a refused timeline names the login, which requests them")
  func coarseTimeline() async throws {
    let fixture = try Mastodon(.goToSocial)
    fixture.play { $0.quirks.hasCoarseScopes = true }
    for _ in 0..<2 {
      let failure = try #require(try await fixture.refresh().failure)
      #expect(failure.kind == .notAuthorised)
      #expect(
        failure.message
          == "the token does not cover this (127.0.0.1:\(fixture.server.port) says “out_of_scope_for_token”); homeline login asks for "
          + "read instead. Run: homeline login ann")
    }
    try await fixture.accountManager.logIn(fixture.account).get()
    #expect(try fixture.token().scope == "read")
    #expect(try await fixture.refresh().failure == nil)
    await fixture.close()
  }

  @Test("on a server that knows only coarse scopes, the second login and later ones succeed")
  func coarseLogin() async throws {
    let fixture = try Mastodon(.goToSocial)
    fixture.play { $0.quirks.hasCoarseScopes = true }
    guard case .failure(let failure) = await fixture.accountManager.logIn(fixture.account) else {
      Issue.record("the first login succeeded")
      return
    }
    #expect(failure.kind == .notAuthorised)
    #expect(failure.message.hasSuffix("homeline login asks for read instead. Log in again"), "\(failure.message)")
    for _ in 0..<2 {
      try await fixture.accountManager.logIn(fixture.account).get()
      #expect(try fixture.token().scope == "read")
    }
    await fixture.close()
  }

  @Test("a token that lacks a scope is not taken for one of a server with coarse scopes")
  func narrowToken() async throws {
    let fixture = try Mastodon(.mastodon)
    fixture.play {
      $0.faults.add(
        refusal(403, #"{"error":"This action is outside the authorized scopes"}"#), to: "/api/v1/timelines/home")
    }
    let token = try #require(try fixture.storage.tokens(of: fixture.account.name).read())
    let former = try #require(token.grant.bearer)
    let narrow = BearerToken(
      accessToken: former.accessToken, refreshToken: nil, scope: "write:statuses", clientID: former.clientID,
      issuedAt: former.issuedAt, expiresAt: nil, renewAt: nil)
    try StoredToken(
      provider: token.provider, identity: token.identity, grant: .oauth2(narrow), authorisedAt: token.authorisedAt
    ).put(into: fixture.storage.tokens(of: fixture.account.name), at: fixture.time.now)
    let failure = try #require(try await fixture.refresh().failure)
    #expect(failure.message.contains("check the account's scopes and log in again"), "\(failure.message)")
    try await fixture.accountManager.logIn(fixture.account).get()
    #expect(try fixture.token().scope != "read")
    await fixture.close()
  }

  @Test("a missing scope, even with status 401, neither renews the token nor ends the login")
  func missingScope() async throws {
    let fixture = try Mastodon(.mastodon)
    fixture.play {
      $0.oauth.policy.accessLife = .seconds(7_200)
      $0.oauth.policy.refreshTokens = .always
    }
    try await fixture.accountManager.logIn(fixture.account).get()
    let former = try fixture.token()
    fixture.play {
      $0.faults.add(
        refusal(401, #"{"error": "insufficient-permissions", "error_description": "Insufficient permissions"}"#),
        to: "/api/v1/timelines/home")
    }
    let failure = try #require(try await fixture.refresh().failure)
    #expect(
      failure.kind == .configuration && failure.message.contains("Insufficient permissions"), "\(failure.message)")
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.renewals.isEmpty)
    #expect(try fixture.token() == former)
    await fixture.close()
  }

  // MARK: Timelines

  @Test("a login requests the scopes of the account's timelines, and registers again if the registration lacks one")
  func timelines() async throws {
    let port = try ReservedPort()
    let fixture = try Mastodon(.mastodon, callbackPort: port.port)
    let clients = fixture.storage.clients(at: "127.0.0.1:\(fixture.server.port)")
    func logIn(with timelines: String...) async throws -> BearerToken {
      var account = fixture.account
      account.ownTimelines = try timelines.map { account.inherited(by: try TimelineName($0)) }
      let changed = Configuration(callback: CallbackSettings(port: port.port), accounts: [account])
      await withCheckedContinuation { done in fixture.accountManager.adopt(changed) { done.resume() } }
      try await fixture.accountManager.logIn(account).get()
      let reports = await fixture.accountManager.refreshed([account])
      #expect(reports.count == timelines.count && reports.allSatisfy { $0.failure == nil }, "\(reports)")
      return try fixture.token()
    }
    var registrations: Int { fixture.visits.count { $0.path == "/api/v1/apps" } }
    let home = try await logIn(with: "home")
    #expect(home.scope == "read:accounts read:statuses" && registrations == 1)
    let all = try await logIn(with: "home", "list:Friends", "bookmarks", "likes", "tag:trains")
    #expect(
      all.scope == "read:accounts read:statuses read:lists read:bookmarks read:favourites" && registrations == 2)
    #expect(try clients.client(id: home.clientID)?.forgottenAt == nil, "the earlier registration remains valid")
    // The registration permits more than this login needs.
    let fewer = try await logIn(with: "home", "bookmarks")
    #expect(fewer.scope == "read:accounts read:statuses read:bookmarks" && registrations == 2)
    #expect(fewer.clientID == all.clientID)
    await fixture.close()
  }

  @Test("a registration whose scopes were not recorded is not used for scopes that earlier versions did not request")
  func unrecorded() throws {
    let client = Storage.RegisteredClient(
      redirect: "http://127.0.0.1/", identifier: "1", secret: Secret("s"), registeredAt: SimulatedTime().now)
    #expect(client.serves(redirect: "http://127.0.0.1/", ["read:accounts", "read:statuses"]))
    #expect(!client.serves(redirect: "http://127.0.0.1/", ["read:accounts", "read:statuses", "read:lists"]))
    #expect(!client.serves(redirect: "http://127.0.0.1/", ["read:statuses", "write:statuses"]))
  }

  @Test("a list that is refused although its scope was granted names the login, which requests coarse scopes")
  func coarseList() async throws {
    let fixture = try Mastodon(.goToSocial, scopes: ["read:lists"], timelines: [try TimelineName("list:Friends")])
    fixture.play { $0.faults.add(refusal(403, #"{"error":"out_of_scope_for_token"}"#), to: "/api/v1/lists") }
    let reports = await fixture.accountManager.refreshed([fixture.account])
    let failure = try #require(reports.first { $0.timeline.kind == .list }?.failure)
    #expect(failure.message.contains("homeline login asks for read instead"), "\(failure.message)")
    #expect(reports.first { $0.timeline == .home }?.failure == nil)
    try await fixture.accountManager.logIn(fixture.account).get()
    #expect(try fixture.token().scope == "read")
    await fixture.close()
  }

  // MARK: OpenID providers

  private typealias OpenID = BearerFixture<PlainOpenIDServer>

  private func openID(_ scopes: [String]?, lists: [String]?, isOpenID: Bool = true) throws -> OpenID {
    try OpenID(PlainOpenIDServer(lists: lists, isOpenID: isOpenID)) { address in
      AccountSettings(
        name: AccountName("mail")!, provider: "oauth2",
        credentials: .oauth2(clientID: PlainAuthorizationServer.client.identifier, clientSecret: nil), scopes: scopes,
        issuer: address)
    }
  }

  @Test(
    "an account without scopes requests those of the OpenID provider that homeline uses",
    arguments: [
      (["openid", "email", "profile", "offline_access"], "openid profile offline_access", "consent"),
      (["openid", "mail"], "openid", nil), (nil, "openid", nil), (["mail"], nil, nil),
    ] as [([String]?, String?, String?)])
  func proposed(lists: [String]?, scope: String?, prompt: String?) async throws {
    let fixture = try openID(nil, lists: lists)
    for _ in 0..<2 {
      _ = await fixture.accountManager.logIn(fixture.account)
      let asked = try #require(fixture.play { $0.asked.last })
      #expect(asked["scope"] == scope)
      #expect(asked["prompt"] == prompt)
      #expect((asked["nonce"] != nil) == (scope != nil))
    }
    await fixture.close()
  }

  @Test("an account without scopes requests none from a server that is not an OpenID provider")
  func plain() async throws {
    let fixture = try openID(nil, lists: nil, isOpenID: false)
    _ = await fixture.accountManager.logIn(fixture.account)
    #expect(fixture.play { $0.asked.last }?["scope"] == nil)
    await fixture.close()
  }

  @Test("scopes in the configuration are requested unchanged, and an account whose server chose the scopes keeps them")
  func configured() async throws {
    let fixture = try openID(["mail"], lists: ["openid", "profile", "mail"])
    _ = await fixture.accountManager.logIn(fixture.account)
    #expect(fixture.play { $0.asked.last }?["scope"] == "mail")
    await fixture.close()
    let former = try openID(nil, lists: ["openid", "profile", "mail"])
    try former.authorise(as: PlainAuthorizationServer.client, PlainAuthorizationServer.flow)
    _ = await former.accountManager.logIn(former.account)
    #expect(former.play { $0.asked.last }?["scope"] == nil)
    await former.close()
  }
}
