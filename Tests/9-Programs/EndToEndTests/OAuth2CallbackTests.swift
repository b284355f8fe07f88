import Platform
import TestSupport
import Testing

/// Invalid redirects and denials during an OAuth 2.0 login.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct OAuth2CallbackTests {
  /// Completes the login despite the invalid redirects before it.
  private func finish(_ login: PendingLogin, _ server: OAuth2PeerServer) async throws {
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
    #expect(visits.last?.text.contains("<h1>Authorised</h1>") == true)
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await server.count("codes_asked") == 1)
  }

  @Test(
    "A redirect with a wrong, missing or slightly different issuer is refused, and the correct redirect completes the login",
    arguments: [("wrong", "https://attacker.example"), ("missing", "does not contain the issuer"), ("slash", "/”")])
  func issuer(kind: String, message: String) async throws {
    let server = try await OAuth2PeerServer(["--iss", kind])
    let login = try await OAuth2PeerFixture(server).beginLogin()
    for button in ["allow", "deny"] {
      let visit = try await ScriptedBrowser.visit(login.redirect(pressing: button))
      #expect(visit.status == 400)
      #expect(visit.text.contains("<h1>This is not a response from a provider</h1>"))
      #expect(visit.text.contains(message), "\(visit.text)")
      #expect(visit.text.contains("The login is still waiting."))
    }
    try await server.control(#"{"iss": "right"}"#)
    try await finish(login, server)
  }

  /// A modification of a redirect's query.
  enum Change: CaseIterable {
    case wrongState, noState, emptyState, stateTwice, codeTwice, issuerTwice, noCode, brokenEscape, nothing
    case error, emptyError, parametersOfOAuth1, onlyParametersOfOAuth1, verifierOfOAuth1, refusalOfOAuth1,
      problemOfOAuth1

    /// Returns the modified query, and the expected response status.
    func apply(to query: String, state: String) -> (query: String, status: Int) {
      let parts = query.split(separator: "&").map { String($0) }
      func without(_ name: String) -> [String] { parts.filter { !$0.hasPrefix("\(name)=") } }
      func twice(_ name: String) -> [String] { parts + parts.filter { $0.hasPrefix("\(name)=") } }
      let (changed, status): ([String], Int) =
        switch self {
        case .wrongState: (without("state") + ["state=\(state)x"], 404)
        case .noState: (without("state"), 400)
        case .emptyState: (without("state") + ["state="], 400)
        case .stateTwice: (twice("state"), 400)
        case .codeTwice: (twice("code"), 400)
        case .issuerTwice: (twice("iss"), 400)
        case .noCode: (without("code"), 400)
        case .brokenEscape: (parts + ["x=%zz"], 400)
        case .nothing: ([], 400)
        case .error: (parts + ["error=access_denied"], 400)
        case .emptyError: (parts + ["error="], 400)
        case .parametersOfOAuth1: (parts + ["oauth_token=\(state)", "oauth_verifier=V"], 400)
        case .onlyParametersOfOAuth1: (["oauth_token=\(state)", "oauth_verifier="], 400)
        case .verifierOfOAuth1: (["oauth_token=\(state)", "oauth_verifier=V"], 400)
        case .refusalOfOAuth1: (["denied=\(state)"], 400)
        case .problemOfOAuth1: (["oauth_problem=user_refused"], 400)
        }
      return (changed.joined(separator: "&"), status)
    }
  }

  @Test(
    "Redirects with foreign, missing or repeated parameters, or with both a code and an error, do not affect the login"
  )
  func strays() async throws {
    let server = try await OAuth2PeerServer()
    let login = try await OAuth2PeerFixture(server).beginLogin()
    let redirect = try LocalURL(await login.redirect(pressing: "allow"))
    let query = String(redirect.target.dropFirst(redirect.path.count + 1))
    for change in Change.allCases {
      let (changed, status) = change.apply(to: query, state: try login.parameter("state"))
      let visit = try await ScriptedBrowser.visit("\(LocalURL(redirect, target: "\(redirect.path)?\(changed)"))")
      #expect(visit.status == status, "\(change)")
    }
    #expect(login.program.isRunning)
    #expect(try await server.count("codes_asked") == 0)
    try await finish(login, server)
  }

  @Test("If the browser repeats the redirect, the code is exchanged only once")
  func twice() async throws {
    let server = try await OAuth2PeerServer()
    let login = try await OAuth2PeerFixture(server).beginLogin()
    let redirect = try await login.redirect(pressing: "allow")
    // The first redirect is not followed, as if the user reloaded before the result page appeared.
    let visits = try await ScriptedBrowser.visitAll(from: redirect, reloads: 1)
    #expect(visits.map(\.status) == [303, 303, 200])
    #expect(visits.last?.text.contains("<h1>Authorised</h1>") == true)
    #expect(await login.program.end().code == 0)
    #expect(try await server.count("codes_asked") == 1)
    #expect(try await server.count("codes_reused") == 0)
  }

  // MARK: Refusals

  @Test("A denial on the provider is shown on the page and in the terminal, and nothing is stored")
  func refused() async throws {
    let server = try await OAuth2PeerServer()
    let fixture = try OAuth2PeerFixture(server)
    let login = try await fixture.beginLogin()
    let visits = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "deny"))
    #expect(visits.last?.text.contains("<h1>You refused</h1>") == true)
    #expect(visits.last?.text.contains("The provider says: access_denied") == true)
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("you refused (the provider says: access_denied"))
    #expect(try await server.count("codes_asked") == 0)
    #expect(!File.exists(fixture.tokenFile))
  }

  @Test("Control characters and markup in the description of a denial are removed or escaped")
  func foreignText() async throws {
    let server = try await OAuth2PeerServer()
    let login = try await OAuth2PeerFixture(server).beginLogin()
    let redirect = try await login.redirect(pressing: "deny")
    let message = "error_description=%3Cb%3Eno%3C%2Fb%3E%1B%5B31m%0Anever"
    let parts = redirect.split(separator: "&").filter { !$0.hasPrefix("error_description=") }
    let visits = try await ScriptedBrowser.visitAll(from: (parts + [Substring(message)]).joined(separator: "&"))
    #expect(visits.last?.text.contains("<b>") == false)
    let outcome = await login.program.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("access_denied: <b>no</b>"), "\(outcome.error)")
    #expect(!outcome.error.contains("\u{1B}") && !outcome.error.contains("\nnever"))
  }

  @Test("A denial without state ends the only pending login only if it is a page navigation")
  func unnamedRefusal() async throws {
    let server = try await OAuth2PeerServer(["--refusal-state", "no"])
    let login = try await OAuth2PeerFixture(server).beginLogin()
    let redirect = try await login.redirect(pressing: "deny")
    for destination in ["image", "iframe", "empty"] {
      let response = try await OwnThread.run {
        try ScriptedBrowser().get(LocalURL(redirect), fields: ["Sec-Fetch-Dest: \(destination)"])
      }
      #expect(response.status == 400, "\(destination)")
    }
    #expect(login.program.isRunning)
    let visits = try await ScriptedBrowser.visitAll(from: redirect)
    #expect(visits.last?.text.contains("<h1>The browser came back with a refusal</h1>") == true)
    let outcome = await login.program.end()
    #expect(outcome.code == 77 && !outcome.error.contains("you refused"), "\(outcome.error)")
  }
}
