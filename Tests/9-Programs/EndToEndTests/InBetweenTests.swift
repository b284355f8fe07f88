import HTTP
import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// Answers that do not come from the API, as a user meets them.
@Suite("Answers from something in between", .timeLimit(.minutes(4))) struct InBetweenTests {
  private static let uploads = "/api/v2/media"
  private static let user = "/api/v1/accounts/verify_credentials"

  private static func json(_ status: Int, _ body: String) -> SandboxFault {
    .respond(Response(json: Array(body.utf8), status: StatusCode(status)))
  }

  private static let notFound = json(
    404, #"{"title":"Not Found","type":"about:blank","status":404,"detail":"Not Found"}"#)
  private static let refusal = json(401, #"{"error":"The access token was revoked"}"#)

  @Test(
    "A post stays in the outbox while something else responds, and is sent once",
    arguments: [
      SandboxFault.named(.proxyUnauthorized), .named(.proxyForbidden), .respond(Response(status: .forbidden)),
      .named(.proxyNotFound), notFound, .named(.proxyRedirect), .named(.bareUnauthorized), .named(.proxyLimit),
    ])
  func post(fault: SandboxFault) async throws {
    let fixture = try await PostingHome()
    fixture.fault(fault)
    let outcome = try await fixture.post("ann", "Waits.")
    #expect(outcome.code == 0 && outcome.output.contains("http"), "\(outcome.error)")
    #expect(fixture.published == ["Waits."])
    #expect(!outcome.error.contains("not posted") && !outcome.error.contains("homeline login"), "\(outcome.error)")
  }

  @Test("A web page in response to a post is a lost response: the post is published only once")
  func lostAnswer() async throws {
    for fault in [FaultName.captivePortal, .empty] {
      let fixture = try await PostingHome()
      fixture.fault(.named(fault))
      let outcome = try await fixture.post("ann", "Once.")
      #expect(outcome.code == 0 && fixture.published == ["Once."], "\(outcome.error)")
    }
  }

  @Test(
    "If the server refuses the token, a post waits in the outbox for the login, and the command exits with 77",
    arguments: [true, false])
  func login(isEmpty: Bool) async throws {
    let fixture = try await PostingHome(isEmpty ? .snac : .mastodon)
    let daemon = try await RunningDaemon(fixture.home)
    if isEmpty {
      fixture.fault(.named(.bareUnauthorized), times: 3)
      fixture.server.withFaults { $0.add(.named(.bareUnauthorized), to: Self.user, times: 3) }
    } else {
      fixture.fault(Self.refusal, times: 3)
    }
    let outcome = try await fixture.post("ann", "After the login.")
    #expect(outcome.code == 77 && outcome.error.contains("waits in the outbox"), "\(outcome.error)")
    #expect(try await fixture.outbox().contains(" queued \"After the login.\""))
    #expect(fixture.published.isEmpty)
    fixture.server.withFaults { $0.removeAll() }
    try await fixture.home.logIn()
    #expect(try await eventually { fixture.published == ["After the login."] })
    #expect(try await eventually { try await fixture.outbox().contains(" posted \"After the login.\"") })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "A file whose upload a proxy answered is uploaded again, at the older address if the newer one is missing",
    arguments: [(FaultName.proxyNotFound, "/api/v1/media"), (.proxyForbidden, "/api/v2/media")])
  func upload(fault: FaultName, path: String) async throws {
    let paths = Locked<[String]>([])
    let fixture = try await PostingHome(scopes: "write") { request in
      if request.method == .post, request.path.hasSuffix("/media") { paths.withLock { $0.append(request.path) } }
    }
    let picture = try fixture.home.file("a.png", PostFile.picture())
    fixture.server.withFaults { $0.add(.named(fault), to: Self.uploads) }
    let outcome = try await fixture.post("ann", "With a picture.", "--media", picture)
    #expect(outcome.code == 0 && fixture.published == ["With a picture."], "\(outcome.error)")
    #expect(paths.withLock { $0 } == [Self.uploads, path])
  }

  @Test("`homeline logout` reports that the token was revoked only if the server itself confirms it")
  func logout() async throws {
    let fixture = try await PostingHome()
    fixture.server.withFaults { $0.add(.named(.captivePortal), to: "/oauth/revoke") }
    let outcome = try await fixture.home.run("logout", "ann")
    #expect(!outcome.output.contains("revoked at the provider and"), "\(outcome.output)")
    #expect((outcome.output + outcome.error).contains("web page"), "\(outcome.output)\(outcome.error)")
    #expect(!File.exists("\(fixture.home.path)/state/homeline/ann/token.json"))
  }

  @Test(
    "During a limit or an outage, `homeline login SERVER` reports this, and not that the server lacks an API",
    arguments: [
      ("proxy-limit", "limits requests (status 429)", "try again in 5 s"), ("server-error", "status 503", ""),
    ])
  func discovery(fault: String, message: String, time: String) async throws {
    let home = try TestInstallation()
    try home.configure(#"{ "callback": { "port": 0 }, "accounts": {} }"#)
    let server = try home.start(["sandbox", "--provider", "mastodon", "--port", "0", "--fault", fault])
    let line = try #require(await server.line(containing: "server:"))
    let address = String(try #require(line.split(separator: " ").last))
    let outcome = try await home.run("login", address, "--yes")
    #expect(outcome.code == 69 && outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.error.contains(time) && !outcome.error.contains("has none of these"), "\(outcome.error)")
    server.signal(15)
    _ = await server.end()
  }

  @Test("A web page instead of a drive response is temporary: no file counts as missing, and no login is needed")
  func drive() async throws {
    for fault in ["proxy-not-found", "proxy-unauthorized", "captive-portal"] {
      let test = try await DriveHome(faults: fault)
      let outcome = try await test.drive("ls", "disk:")
      #expect(outcome.code == 69 && outcome.error.contains("web page"), "\(fault): \(outcome.error)")
      #expect(!outcome.error.contains("homeline login"), "\(fault): \(outcome.error)")
      await test.end()
    }
  }
}
