import HomelineOAuth
import Platform
import TestSupport
import Testing

/// Complete logins at an OAuth 2.0 server built on Authlib, with each way to find the server and to authenticate the
/// client.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct OAuth2LoginTests {
  /// A server's options, and how the configuration names it.
  struct Way: Sendable, CustomTestStringConvertible {
    let place: OAuth2Home.Place
    let authentication: String
    var options: [String] = []
    var testDescription: String { (["\(place)", authentication] + options).joined(separator: " ") }
  }

  @Test(
    "A login shows the result page and stores a private, renewable token",
    arguments: [
      Way(place: .issuer, authentication: "none"), Way(place: .issuer, authentication: "basic"),
      Way(place: .issuer, authentication: "post"), Way(place: .endpoints, authentication: "none"),
      Way(place: .endpoints, authentication: "basic"),
      Way(place: .issuer, authentication: "none", options: ["--issuer-path", "/realm"]),
      Way(place: .issuer, authentication: "none", options: ["--iss-promised", "no", "--iss", "missing"]),
      Way(place: .issuer, authentication: "none", options: ["--expires-in-text", "yes", "--redirect-status", "303"]),
    ])
  func login(way: Way) async throws {
    let server = try await OAuth2PeerServer(["--client-auth", way.authentication] + way.options)
    let home = try OAuth2Home(server, by: way.place, hasSecret: way.authentication != "none")
    let login = try await OAuth2WaitingLogin(home)
    #expect(try login.parameter("code_challenge_method") == "S256")
    #expect(try login.parameter("client_id") == server.clientID)
    let redirect = try PlainAddress(login.parameter("redirect_uri"))
    #expect(redirect.authority == "127.0.0.1:\(redirect.port)")
    #expect(redirect.target == "/callback")

    // A page with two buttons, and the response to one of them.
    let question = try await PlainBrowser.visit(login.address.description)
    #expect(question.text.contains("Authorise this program?"))
    let visits = try await PlainBrowser.walk(from: login.press("allow"))
    #expect(visits.map(\.status) == [303, 200])
    let page = try #require(visits.last)
    #expect(page.text.contains("<h1>Authorised as @\(way.place == .endpoints ? "99" : "unknown")</h1>"))
    #expect(!page.address.contains("code="))

    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output.contains("\nThe token is stored in \(home.tokenFile).\n"))
    #expect(try FileFacts.of(home.tokenFile).permissions == 0o600)
    let token = try home.token()
    #expect(token["kind"].text == "oauth2")
    #expect(token["client_id"].text == server.clientID)
    let secrets = [token["access_token"].text, token["refresh_token"].text, server.clientSecret]
    for secret in secrets { #expect(!(outcome.output + outcome.error).contains(try #require(secret))) }
    #expect(token["renew_at"].text != nil && token["expires_at"].text != nil)
    #expect(!File.exists(home.renewalFile))
    #expect(try await server.count("codes_asked") == 1)
    #expect(try await server.count("refreshes_asked") == 0)
  }

  @Test("status lists no timeline files for an account without a timeline")
  func status() async throws {
    let home = try OAuth2Home(try await OAuth2PeerServer())
    try await home.logIn()
    let text = try await home.homeline("status").output
    #expect(text.contains(home.tokenFile))
    #expect(!text.contains("timeline"), "\(text)")
    let files = try await home.status()["files"]
    #expect(files["timeline"] == .null && files["database"] == .null && files["token"].text == home.tokenFile)
  }

  @Test("Login works with a server that ignores PKCE and issues no refresh token")
  func plainServer() async throws {
    let server = try await OAuth2PeerServer(["--pkce", "ignored", "--refresh-tokens", "no"])
    let home = try OAuth2Home(server)
    try await home.logIn()
    #expect(try home.token()["refresh_token"] == .null)
    #expect(try home.token()["renew_at"] == .null)
  }

  @Test(
    "Missing or foreign metadata ends the login before a browser opens",
    arguments: ["foreign", "foreign-oidc", "slash", "404", "html", "redirect"])
  func metadata(kind: String) async throws {
    let server = try await OAuth2PeerServer(["--metadata", kind])
    let home = try OAuth2Home(server)
    let outcome = try await home.homeline("login", "key", "--no-browser")
    #expect(outcome.code == 78, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(server.issuer + "/.well-known/"))
    if kind.hasPrefix("foreign") { #expect(outcome.error.contains("https://attacker.example")) }
    #expect(try server.seen().allSatisfy { $0.path.contains("/.well-known/") })
    #expect(!File.exists(home.tokenFile))
  }

  @Test("A server that requires pushed authorisation requests ends the login at once, with advice")
  func pushedRequests() async throws {
    let server = try await OAuth2PeerServer(["--metadata", "par"])
    let home = try OAuth2Home(server)
    let outcome = try await home.homeline("login", "key", "--no-browser", "--timeout", "2")
    #expect(outcome.code == 78 && outcome.output.isEmpty, "\(outcome.error)")
    #expect(outcome.error.contains("RFC 9126") && outcome.error.contains("--device"), "\(outcome.error)")
    #expect(!outcome.error.contains("nobody came back"))
    #expect(try server.seen().allSatisfy { $0.path.contains("/.well-known/") })
  }

  @Test("A server error at the metadata is not reported as a configuration error")
  func metadataOutOfOrder() async throws {
    let server = try await OAuth2PeerServer(["--fault", "503", "--fault-at", "metadata", "--fault-next", "9"])
    let outcome = try await OAuth2Home(server).homeline("login", "key", "--no-browser")
    #expect(outcome.code == 69, "\(outcome.error)")
  }

  @Test("A wrong client secret is reported with the server's error code, and nothing is stored")
  func wrongSecret() async throws {
    let server = try await OAuth2PeerServer(["--client-auth", "basic", "--client-secret", "another one"])
    let home = try OAuth2Home(server, by: .endpoints, hasSecret: false, members: #""client_secret": "not the one""#)
    let login = try await OAuth2WaitingLogin(home)
    let visits = try await PlainBrowser.walk(from: login.press("allow"))
    let outcome = await login.program.end()
    #expect(outcome.code == 78, "\(outcome.error)")
    #expect(outcome.error.contains("invalid_client"))
    #expect(!outcome.error.contains("not the one"))
    #expect(visits.last?.text.contains("<h1>Not authorised</h1>") == true)
    #expect(!File.exists(home.tokenFile))
  }
}
