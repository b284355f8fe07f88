import Bytes
import Cryptography
import Glibc
import HomelineOAuth
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

@Suite("Interoperability of the sandbox with client libraries")
struct InteroperabilityTests {
  /// A Python interpreter with the client libraries, which `make test` sets up.
  private static var python: String? { getenv("HOMELINE_PEERS_PYTHON").map { String(cString: $0) } }

  private static let scripts = Repository.path("Tests/Peers")

  @Test(
    "requests-oauthlib logs in with OAuth 1.0a and reads the timeline, and its invalid requests are refused",
    .enabled(if: InteroperabilityTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON is not set"),
    arguments: ["HMAC-SHA1", "HMAC-SHA256"])
  func requestsOAuthlib(method: String) async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer(stateFolder: folder.path + "/sandbox")
    let client = TwitterSandbox.consumer
    let outcome = try await ProgramRun.run(
      Self.python!,
      [
        Self.scripts + "/login_to_sandbox.py", server.baseURL, "--consumer-key", client.identifier,
        "--consumer-secret", client.secret.withExposedText { $0 }, "--signature-method", method,
      ],
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"screen_name\": \"mira_demo\""))
    await server.stopAndWait()
  }

  @Test(
    "requests-oauthlib logs in to X with OAuth 2.0, refreshes and revokes tokens, and its invalid requests are refused",
    .enabled(if: InteroperabilityTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON is not set"),
    arguments: [
      [XSandbox.publicClientID], [XSandbox.confidentialClientID, "--client-secret", XSandbox.confidentialClientSecret],
    ])
  func requestsOAuthlibAtX(client: [String]) async throws {
    let folder = TemporaryFolder()
    let redirect = "http://127.0.0.1:1/callback"
    let server = try SandboxServer(XSandbox(redirects: [redirect]))
    let outcome = try await ProgramRun.run(
      Self.python!,
      [Self.scripts + "/login_to_x.py", server.baseURL, "--redirect", redirect, "--client-id"] + client,
      environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"user\": \"mira_demo\""))
    #expect(server.delivered == DeliveryCount(pages: 1, posts: 50, users: 2))
    await server.stopAndWait()
  }

  @Test(
    "Mastodon.py registers, logs in, reads the timeline in both directions, and revokes its token",
    .enabled(if: InteroperabilityTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON is not set"),
    arguments: MastodonFlavour.allCases)
  func mastodonPy(flavour: MastodonFlavour) async throws {
    let folder = TemporaryFolder()
    // The clock is stopped so that no new posts appear.
    let begun = WallClock.system.now
    let server = try SandboxServer(MastodonSandbox(flavour), clock: WallClock { begun })
    var arguments = [Self.scripts + "/mastodon_walk.py", server.baseURL]
    switch flavour {
    // The registered port differs from the port in use.
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
    await server.stopAndWait()
  }

  @Test(
    "Mastodon.py and toot read the same entries of every timeline, in the same order and without gaps",
    .enabled(if: InteroperabilityTests.python != nil, "skipped: HOMELINE_PEERS_PYTHON is not set"),
    arguments: [MastodonFlavour.mastodon, .goToSocial])
  func timelines(flavour: MastodonFlavour) async throws {
    let folder = TemporaryFolder()
    // The hour decides which posts the sandbox has.
    let begun = try #require(Timestamp(rfc3339: "2026-11-24T12:00:00Z"))
    let server = try SandboxServer(MastodonSandbox(flavour, limit: 10_000), clock: WallClock { begun })
    var arguments = [Self.scripts + "/timelines_walk.py", server.baseURL]
    if flavour == .goToSocial { arguments.append("--no-unread") }
    let outcome = try await ProgramRun.run(
      Self.python!, arguments, environment: ProgramRun.environment(home: folder.path, ["NO_PROXY": "127.0.0.1"]))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.contains("\"bookmarks\": 60") && outcome.output.contains("\"favourites\": 50"))
    await server.stopAndWait()
  }
}
