import HomelineOAuth
import Platform
import TestSupport
import Testing

/// Complete logins at an OAuth 2.0 server built on Authlib, for each way to specify the server and to authenticate the
/// client.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct OAuth2LoginTests {
  /// A server's options, and how the configuration specifies the server.
  struct Way: Sendable, CustomTestStringConvertible {
    let location: OAuth2PeerFixture.ServerLocation
    let authentication: String
    var options: [String] = []
    var testDescription: String { (["\(location)", authentication] + options).joined(separator: " ") }
  }

  @Test(
    "An OAuth 2.0 login shows the result page and stores a private, renewable token",
    arguments: [
      Way(location: .issuer, authentication: "none"), Way(location: .issuer, authentication: "basic"),
      Way(location: .issuer, authentication: "post"), Way(location: .endpoints, authentication: "none"),
      Way(location: .endpoints, authentication: "basic"),
      Way(location: .issuer, authentication: "none", options: ["--issuer-path", "/realm"]),
      Way(location: .issuer, authentication: "none", options: ["--iss-promised", "no", "--iss", "missing"]),
      Way(
        location: .issuer, authentication: "none", options: ["--expires-in-text", "yes", "--redirect-status", "303"]),
    ])
  func login(way: Way) async throws {
    let server = try await OAuth2PeerServer(["--client-auth", way.authentication] + way.options)
    let fixture = try OAuth2PeerFixture(server, by: way.location, hasSecret: way.authentication != "none")
    let login = try await fixture.beginLogin()
    #expect(try login.parameter("code_challenge_method") == "S256")
    #expect(try login.parameter("client_id") == server.clientID)
    let redirect = try LocalURL(login.parameter("redirect_uri"))
    #expect(redirect.authority == "127.0.0.1:\(redirect.port)")
    #expect(redirect.target == "/callback")

    // The server shows a page with two buttons, and responds to either.
    let question = try await ScriptedBrowser.visit(login.address.description)
    #expect(question.text.contains("Authorise this program?"))
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    #expect(visits.map(\.status) == [303, 200])
    let page = try #require(visits.last)
    #expect(page.text.contains("<h1>Authorised\(way.location == .endpoints ? " as @99" : "")</h1>"))
    #expect(!page.address.contains("code="))

    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("\nThe token is stored in \(fixture.tokenFile).\n"))
    #expect(try FileStatus.of(fixture.tokenFile).permissions == 0o600)
    let token = try fixture.token()
    #expect(token["kind"].text == "oauth2")
    #expect(token["client_id"].text == server.clientID)
    let secrets = [token["access_token"].text, token["refresh_token"].text, server.clientSecret]
    for secret in secrets { #expect(!(outcome.output + outcome.error).contains(try #require(secret))) }
    #expect(token["renew_at"].text != nil && token["expires_at"].text != nil)
    #expect(!File.exists(fixture.renewalFile))
    #expect(try await server.count("codes_asked") == 1)
    #expect(try await server.count("refreshes_asked") == 0)
  }

  @Test("`homeline status` lists no timeline files if the account has no timeline")
  func status() async throws {
    let fixture = try OAuth2PeerFixture(try await OAuth2PeerServer())
    try await fixture.logIn()
    let text = try await fixture.home.run("status", "-v").output
    #expect(text.contains(fixture.tokenFile))
    #expect(!text.contains("timeline"), "\(text)")
    let files = try await fixture.status()["files"]
    #expect(files["timeline"] == .null && files["database"] == .null && files["token"].text == fixture.tokenFile)
  }

  @Test("A login succeeds even if the server ignores PKCE and issues no refresh token")
  func plainServer() async throws {
    let server = try await OAuth2PeerServer(["--pkce", "ignored", "--refresh-tokens", "no"])
    let fixture = try OAuth2PeerFixture(server)
    try await fixture.logIn()
    #expect(try fixture.token()["refresh_token"] == .null)
    #expect(try fixture.token()["renew_at"] == .null)
  }

  @Test(
    "If the metadata is missing or belongs to a different issuer, the login ends before a browser is opened",
    arguments: ["foreign", "foreign-oidc", "slash", "404", "html", "redirect"])
  func metadata(kind: String) async throws {
    let server = try await OAuth2PeerServer(["--metadata", kind])
    let fixture = try OAuth2PeerFixture(server)
    let outcome = try await fixture.home.run("login", "key", "--no-browser")
    // A web page or a redirect may come from something in between, so it says nothing about the configuration.
    #expect(outcome.code == (["html", "redirect"].contains(kind) ? 69 : 78), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(server.issuer + "/.well-known/"))
    if kind.hasPrefix("foreign") { #expect(outcome.error.contains("https://attacker.example")) }
    #expect(try server.seen().allSatisfy { $0.path.contains("/.well-known/") })
    #expect(!File.exists(fixture.tokenFile))
  }

  @Test("If the server requires pushed authorisation requests, the login ends immediately, with advice")
  func pushedRequests() async throws {
    let server = try await OAuth2PeerServer(["--metadata", "par"])
    let fixture = try OAuth2PeerFixture(server)
    let outcome = try await fixture.home.run("login", "key", "--no-browser", "--timeout", "2")
    #expect(outcome.code == 78 && outcome.output.isEmpty, "\(outcome.error)")
    #expect(outcome.error.contains("RFC 9126") && outcome.error.contains("--device"), "\(outcome.error)")
    #expect(!outcome.error.contains("nobody authorised"))
    #expect(try server.seen().allSatisfy { $0.path.contains("/.well-known/") })
  }

  @Test("A server error in response to the metadata request is not reported as a configuration error")
  func metadataOutOfOrder() async throws {
    let server = try await OAuth2PeerServer(["--fault", "503", "--fault-at", "metadata", "--fault-next", "9"])
    let outcome = try await OAuth2PeerFixture(server).home.run("login", "key", "--no-browser")
    #expect(outcome.code == 75, "\(outcome.error)")
  }

  @Test("A wrong client secret is reported with the server's error code, and nothing is stored")
  func wrongSecret() async throws {
    let server = try await OAuth2PeerServer(["--client-auth", "basic", "--client-secret", "another one"])
    let fixture = try OAuth2PeerFixture(
      server, by: .endpoints, hasSecret: false, members: #""client_secret": "not the one""#)
    let login = try await fixture.beginLogin()
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    let outcome = await login.program.end()
    #expect(outcome.code == 78, "\(outcome.error)")
    #expect(outcome.error.contains("invalid_client"))
    #expect(!outcome.error.contains("not the one"))
    #expect(visits.last?.text.contains("<h1>Not authorised</h1>") == true)
    #expect(!File.exists(fixture.tokenFile))
  }
}
