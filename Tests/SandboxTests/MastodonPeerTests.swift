import CivilTime
import Glibc
import Sandbox
import TestSupport
import Testing

@Suite("Mastodon.py at the sandbox")
struct MastodonPeerTests {
  /// A Python with Mastodon.py, which `make test` sets up.
  private static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  private static let script =
    #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Peers/mastodon_walk.py"

  @Test(
    "Mastodon.py registers, logs in, reads the timeline both ways, and gives its token back",
    .enabled(if: MastodonPeerTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON names no Python with Mastodon.py"),
    arguments: MastodonFlavour.allCases)
  func walk(flavour: MastodonFlavour) async throws {
    let folder = TemporaryFolder()
    // A post that appears on the way would be a newer one than the newest.
    let begun = WallClock.system.now
    let server = try FakeServer(service: MastodonSandbox(flavour), clock: WallClock { begun })
    var arguments = [Self.script, server.baseURL]
    switch flavour {
    // The port that is registered is another one than the port that is used.
    case .mastodon, .oldMastodon: arguments += ["--registered", "http://127.0.0.1/callback"]
    case .goToSocial: break
    case .akkoma: arguments.append("--refresh")
    case .snac: arguments.append("--unsorted")
    }
    let outcome = try await ProgramRun.run(
      Self.python!, arguments, environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"user\": \"mira_demo\""))
    #expect(
      outcome.output.contains("\"code twice\": true") && outcome.output.contains("\"works after its end\": false"))
    #expect(outcome.output.contains("\"iss\": \"\(server.baseURL)/\"") == (flavour == .mastodon))
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
  }
}
