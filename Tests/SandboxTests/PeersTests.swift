import Glibc
import HomelineOAuth
import Sandbox
import TestSupport
import Testing

@Suite("Others' clients at the sandbox")
struct PeersTests {
  /// A Python with requests-oauthlib, which `make test` sets up.
  private static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  private static let scripts = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Peers"

  @Test(
    "requests-oauthlib logs in, reads the timeline, and is refused what must be refused",
    .enabled(if: PeersTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON names no Python with requests-oauthlib"),
    arguments: ["HMAC-SHA1", "HMAC-SHA256"])
  func requestsOAuthlib(method: String) async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer(stateFolder: folder.path + "/sandbox")
    let client = SandboxProvider.consumer
    let outcome = try await ProgramRun.run(
      Self.python!,
      [
        Self.scripts + "/login_to_sandbox.py", server.baseURL, "--consumer-key", client.identifier,
        "--consumer-secret", client.secret.withExposedText { $0 }, "--signature-method", method,
      ],
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"screen_name\": \"mira_demo\""))
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
  }

  @Test(
    "requests-oauthlib logs in to X with OAuth 2.0, refreshes, revokes, and is refused what must be refused",
    .enabled(if: PeersTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON names no Python with requests-oauthlib"),
    arguments: [
      [XSandbox.publicClientID], [XSandbox.confidentialClientID, "--client-secret", XSandbox.confidentialClientSecret],
    ])
  func requestsOAuthlibAtX(client: [String]) async throws {
    let folder = TemporaryFolder()
    let redirect = "http://127.0.0.1:1/callback"
    let server = try FakeServer(service: XSandbox(redirects: [redirect]))
    let outcome = try await ProgramRun.run(
      Self.python!,
      [Self.scripts + "/login_to_x.py", server.baseURL, "--redirect", redirect, "--client-id"] + client,
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"user\": \"mira_demo\""))
    #expect(server.with { $0.ledger } == SandboxLedger(pages: 1, posts: 50, users: 2))
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
  }
}
