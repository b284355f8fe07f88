import Accounts
import HTTP
import Login
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import TestSupport
import Testing

@testable import Sandbox

/// Logins on servers that no longer know this program's registration.
@Suite("A forgotten registration", .timeLimit(.minutes(3))) struct ForgottenRegistrationTests {
  private typealias ServiceFixture = BearerFixture<MastodonSandbox>

  /// An account that has logged in, and so has registered this program. Each login has the same callback address.
  private struct Home {
    let port = try! ReservedPort()
    let fixture: ServiceFixture
    private(set) var first: Storage.RegisteredClient

    init(_ flavour: MastodonFlavour) async throws {
      fixture = try ServiceFixture(flavour, callbackPort: port.port)
      fixture.play {
        $0.oauth.policy.accessLife = .seconds(7_200)
        $0.oauth.policy.refreshTokens = .always
      }
      try await fixture.accountManager.logIn(fixture.account).get()
      let id = try fixture.token().clientID
      first = try #require(
        try fixture.storage.clients(at: "127.0.0.1:\(fixture.server.port)").client(id: id))
      fixture.server.with { $0.forgetVisits() }
    }

    var registrations: Int { fixture.visits.count { $0.path == "/api/v1/apps" } }
    var clients: any ClientStorage { fixture.storage.clients(at: "127.0.0.1:\(fixture.server.port)") }

    func logIn(_ options: LoginOptions = LoginOptions()) async -> Result<Void, OperationError> {
      await fixture.accountManager.logIn(fixture.account, options)
    }

    func forget() { fixture.play { [first] in $0.oauth.forget(client: first.identifier) } }

    /// Answers the next request for the authorisation page.
    func answer(_ fault: SandboxFault) { fixture.play { $0.faults.add(fault, to: "/oauth/authorize") } }
  }

  private static func answer(_ status: Int, _ type: FieldValue, _ text: String) -> Response {
    Response(status: StatusCode(status), headers: [.contentType: type], body: Array(text.utf8))
  }

  @Test("a login after the server has forgotten the registration registers again", arguments: MastodonFlavour.allCases)
  func forgotten(flavour: MastodonFlavour) async throws {
    let home = try await Home(flavour)
    home.forget()
    try await home.logIn().get()
    #expect(home.registrations == 1)
    let new = try home.fixture.token().clientID
    #expect(new != home.first.identifier)
    #expect(try home.clients.client(forRedirect: home.first.redirect, allowing: [])?.identifier == new)
    // The new login has replaced the last token that named the old registration only after the registration.
    #expect(try home.clients.client(id: home.first.identifier)?.forgottenAt != nil)
    try await home.logIn().get()
    #expect(home.registrations == 1)
    await home.fixture.close()
  }

  @Test("a login after a logout on a server that removes the application with its token registers again")
  func loggedOut() async throws {
    let home = try await Home(.snac)
    guard case .revoked = try await home.fixture.accountManager.logOut(home.fixture.account).get() else {
      Issue.record("not revoked")
      return
    }
    try await home.logIn().get()
    #expect(home.registrations == 1)
    await home.fixture.close()
  }

  @Test(
    "an authorisation page that refuses the client makes the login register again, in any format",
    arguments: [
      answer(
        400, "text/html; charset=utf-8",
        """
        <!DOCTYPE html>
        <html><head><title>Error</title></head>
        <body><p>This application is not known here.</p></body></html>
        """),
      answer(401, "text/html", "<!DOCTYPE html><p>Client authentication failed due to unknown client.</p>"),
      answer(401, "application/json", #"{"error":"invalid_client"}"#),
      answer(400, "application/json", #"{"error":"unauthorized_client","error_description":"Who is that?"}"#),
      answer(400, "application/json", #"{"error":"Bad Request: no such client"}"#),
      answer(400, "text/plain", "Bad Request"), answer(400, "text/html", ""),
    ])
  func refused(response: Response) async throws {
    let home = try await Home(.goToSocial)
    home.answer(.respond(response))
    try await home.logIn().get()
    #expect(home.registrations == 1)
    #expect(try home.fixture.token().clientID != home.first.identifier)
    await home.fixture.close()
  }

  @Test(
    "anything else in place of the authorisation page opens the browser with the registration",
    arguments: [
      .respond(Response(status: StatusCode(302), headers: ["Location": "https://login.example/"], body: [])),
      .respond(answer(200, "text/html", "<!DOCTYPE html><p>Sign in</p>")),
      .respond(answer(403, "text/html", "<!DOCTYPE html><p>Checking your browser</p>")),
      .respond(answer(404, "text/html", "<!DOCTYPE html><p>Gone for a moment</p>")),
      .respond(answer(400, "application/json", #"{"error":"login_required"}"#)),
      .respond(answer(401, "text/html", "")),
      .change { response in
        response = answer(401, "text/html", "<!DOCTYPE html><p>Back soon</p>")
        response.headers.set("WWW-Authenticate", "Basic realm=\"Back soon\"")
      },
      .named(.serverError), .named(.noAnswer), .delay(.seconds(60)),
    ] as [SandboxFault])
  func unclear(fault: SandboxFault) async throws {
    let home = try await Home(.goToSocial)
    home.answer(fault)
    try await home.logIn().get()
    #expect(home.registrations == 0)
    #expect(try home.fixture.token().clientID == home.first.identifier)
    await home.fixture.close()
  }

  @Test("if registering again also fails, the browser opens with the known registration")
  func unregistered() async throws {
    let home = try await Home(.goToSocial)
    home.answer(.respond(Self.answer(400, "text/html", "<!DOCTYPE html><p>Not here</p>")))
    home.fixture.play { $0.faults.add(.named(.serverError), to: "/api/v1/apps") }
    try await home.logIn().get()
    #expect(try home.fixture.token().clientID == home.first.identifier)
    #expect(try home.clients.client(id: home.first.identifier)?.forgottenAt == nil)
    await home.fixture.close()
  }

  @Test("an unfinished login says what to do if the client is unknown, and the next one registers again")
  func unanswered() async throws {
    let home = try await Home(.goToSocial)
    let session = Locked<LoginSession?>(nil)
    let result: Result<Void, OperationError> = await withCheckedContinuation { done in
      do throws(OperationError) {
        let login = try home.fixture.accountManager.login(
          home.fixture.account, LoginOptions(timeout: .milliseconds(50))
        ) { _ in
        } completion: {
          done.resume(returning: $0)
        }
        session.withLock { $0 = login }
      } catch { done.resume(returning: .failure(error)) }
    }
    guard case .failure(let failure) = result else {
      Issue.record("the login did not end")
      return
    }
    #expect(failure.kind == .notAuthorised)
    #expect(
      failure.message
        == "nobody authorised homeline within 0 s. If the page said that the client is unknown, log in again: homeline registers itself again"
    )
    #expect(home.registrations == 0)
    // The stored token can still be renewed with the registration that it names.
    home.fixture.time.pass(.seconds(7_000))
    #expect(try await home.fixture.refresh().failure == nil)
    #expect(home.fixture.renewals.map(\.status) == [200])
    try await home.logIn().get()
    #expect(home.registrations == 1)
    await home.fixture.close()
  }

  @Test("a renewal that the server refuses because of the client asks for a login, which registers again")
  func renewal() async throws {
    let home = try await Home(.mastodon)
    home.forget()
    home.fixture.time.pass(.seconds(7_300))
    let failure = try #require(try await home.fixture.refresh().failure)
    #expect(failure.kind == .notAuthorised)
    #expect(
      failure.message.contains("no longer knows homeline's registration")
        && failure.message.contains("homeline registers itself again. Run: homeline login ann"), "\(failure.message)")
    // The first page request of the login is the visitor's.
    let pages = home.fixture.visits.count { $0.path == "/oauth/authorize" }
    try await home.logIn().get()
    #expect(home.registrations == 1)
    #expect(home.fixture.visits.count { $0.path == "/oauth/authorize" } == pages + 1)
    await home.fixture.close()
  }
}
