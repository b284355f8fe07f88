import Glibc
import HomelineOAuth
import Sandbox
import TestSupport
import Testing

@Suite("Others' clients at the sandbox")
struct PeersTests {
  /// A Python with requests-oauthlib, which `make test` sets up.
  private static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  private static let script =
    #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Peers/login_to_sandbox.py"

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
        Self.script, server.baseURL, "--consumer-key", client.identifier,
        "--consumer-secret", client.secret.withExposedText { $0 }, "--signature-method", method,
      ],
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"screen_name\": \"mira_demo\""))
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
  }
}
