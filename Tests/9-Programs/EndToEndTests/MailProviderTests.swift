import Folders
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time

/// The providers for mail programs, and the settings for OAuth 2.0 requests, with a server that is built on Authlib.
@Suite(.needsPeers, .timeLimit(.minutes(3))) struct MailProviderTests {
  @Test(
    "a mail provider logs in, prints its token, renews it and revokes it",
    arguments: ["google", "microsoft", "fastmail"])
  func walk(provider: String) async throws {
    let scopes = [
      "google": "https://mail.google.com/",
      "microsoft":
        "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
      "fastmail": "https://www.fastmail.com/dev/protocol-imap https://www.fastmail.com/dev/protocol-smtp",
    ]
    let isConfidential = provider == "google"
    let server = try await OAuth2PeerServer([
      "--scopes", try #require(scopes[provider]), "--client-auth", isConfidential ? "post" : "none",
    ])
    let fixture = try OAuth2PeerFixture(
      server, by: .endpoints, hasSecret: isConfidential, provider: provider)
    let login = try await fixture.logIn()
    #expect(!login.error.contains("did not grant"), "\(login.error)")
    let first = try #require(try fixture.token()["access_token"].text)
    #expect(try await fixture.home.run("token").output == first + "\n")
    let renewed = try await fixture.home.run("token", "--renew")
    #expect(renewed.code == 0 && renewed.output != first + "\n", "\(renewed.error)")
    #expect(try await fixture.status()["provider"].text == provider)
    #expect(try await fixture.home.run("logout", "key").code == 0)
    let seen = try server.seen()
    let page = try #require(seen.first { $0.path == "/oauth/authorize" })
    #expect(page.extra == (provider == "google" ? ["access_type": "offline", "prompt": "consent"] : [:]))
    #expect(seen.filter { $0.path == "/oauth/token" }.map(\.grant) == ["authorization_code", "refresh_token"])
    #expect(try await server.count("revocations") == 1)
  }

  @Test(
    "the client authenticates as client_authentication says, even if the metadata lists only a different method",
    arguments: ["basic", "post", "none"])
  func authentication(method: String) async throws {
    let server = try await OAuth2PeerServer(["--client-auth", method])
    let fixture = try OAuth2PeerFixture(
      server, hasSecret: method != "none", members: #""client_authentication": "\#(method)""#)
    try await fixture.logIn()
    #expect(try await fixture.home.run("token", "--renew").code == 0)
    #expect(try await fixture.home.run("logout", "key").code == 0)
    let sent = try server.seen().filter { ["/oauth/token", "/oauth/revoke"].contains($0.path) }.map(\.authentication)
    #expect(sent == [method, method, method])
    // The server now accepts and lists a different method, but the configuration decides.
    let other = method == "basic" ? "post" : "basic"
    try await server.control(#"{"client_auth": "\#(other)"}"#)
    let login = try await fixture.beginLogin()
    _ = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    #expect(await login.program.end().code != 0)
    #expect(try server.seen().last { $0.path == "/oauth/token" }?.authentication == method)
  }

  @Test("the authorisation request contains the account's additional parameters")
  func parameters() async throws {
    let server = try await OAuth2PeerServer()
    let fixture = try OAuth2PeerFixture(
      server,
      members: #""authorize_parameters": { "login_hint": "mira+list@example.org", "prompt": "select_account consent" }"#
    )
    try await fixture.logIn()
    let page = try #require(try server.seen().first { $0.path == "/oauth/authorize" })
    #expect(page.extra == ["login_hint": "mira+list@example.org", "prompt": "select_account consent"])
  }

  @Test("if the server's metadata has a tenant placeholder, a login accepts tokens from any tenant")
  func tenants() async throws {
    let server = try await OAuth2PeerServer([
      "--metadata", "tenants", "--issuer-path", "/common/v2.0", "--scopes",
      "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send",
    ])
    let fixture = try OAuth2PeerFixture(server, provider: "microsoft")
    try await fixture.logIn()
    #expect(try await fixture.home.run("token", "--renew").code == 0)
    try await server.control(#"{"iss": "wrong"}"#)
    let login = try await fixture.beginLogin()
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    #expect(visits.last?.text.contains("its code is not used") == true, "\(visits.last?.text ?? "")")
    login.program.signal(15)
    #expect(await login.program.end().code != 0)
  }

  @Test("a login reports the scopes that the server left out")
  func scopes() async throws {
    let server = try await OAuth2PeerServer(["--scopes", "imap"])
    let fixture = try OAuth2PeerFixture(server, members: #""scopes": ["smtp", "imap", "offline_access"]"#)
    let outcome = try await fixture.logIn()
    #expect(
      outcome.error.contains(
        "Warning: the server did not grant smtp, so programs may be refused. If you left a permission out on its page, "
          + "log in again: homeline login key"), "\(outcome.error)")
  }

  /// Logs in with the `google` provider, and changes the stored times as if the login had been that long ago.
  private func googleLogin(_ days: Double) async throws -> OAuth2PeerFixture {
    let server = try await OAuth2PeerServer(["--scopes", "https://mail.google.com/", "--client-auth", "post"])
    let fixture = try OAuth2PeerFixture(server, by: .endpoints, hasSecret: true, provider: "google")
    try await fixture.logIn()
    let environment = ProgramRun.environment(home: fixture.home.path)
    let store = TokenStore(FileLayout(try #require(BaseDirectories(environment: environment))).files(of: "key"))
    let stored = try #require(try store.read())
    let (token, now) = (try #require(stored.grant.bearer), WallClock.system.now)
    let login = now - .seconds(days * 86_400)
    let old = BearerToken(
      accessToken: token.accessToken, refreshToken: token.refreshToken, scope: token.scope, clientID: token.clientID,
      issuedAt: login + .seconds(min(days, 6.9) * 86_400), expiresAt: now - .seconds(60), renewAt: now - .seconds(100))
    try store.keep(
      StoredToken(provider: stored.provider, identity: stored.identity, grant: .oauth2(old), authorisedAt: login),
      at: now)
    try await server.control(#"{"do": "revoke_all"}"#)
    return fixture
  }

  @Test(
    "`homeline status` and `homeline token` explain that Google ended a login after 7 days, but not if it ended earlier",
    arguments: [true, false])
  func testingMode(isSevenDays: Bool) async throws {
    let fixture = try await googleLogin(isSevenDays ? 7.1 : 3)
    let token = try await fixture.home.run("token")
    #expect(token.code == 77 && token.output == "", "\(token.error)")
    let status = try await fixture.home.run("status", "-v").output
    let explanation = "Google ends logins after 7 days while the publishing status of the client's app is Testing"
    #expect(status.contains(explanation) == isSevenDays, "\(status)")
    #expect(token.error.contains(explanation) == isSevenDays, "\(token.error)")
    #expect(status.contains("homeline login key"))
  }
}
