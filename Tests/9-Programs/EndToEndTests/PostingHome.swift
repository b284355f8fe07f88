import Platform
import Sandbox
import SandboxSupport
import TestSupport

/// An account with permission to post on a simulated Mastodon-compatible server.
final class PostingHome: Sendable {
  static let path = "/api/v1/statuses"

  let home: TestInstallation
  let server: SandboxServer<MastodonSandbox>

  /// Logs in with a separate command, without a service.
  /// - Parameters:
  ///   - more: additional members of the configuration.
  ///   - onRequest: called for each request before its response is sent.
  init(
    _ flavour: MastodonFlavour = .mastodon, scopes: String? = "write:statuses", more: String = "",
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) async throws {
    home = try TestInstallation()
    server = try SandboxServer(MastodonSandbox(flavour), onRequest: onRequest)
    let scopes = scopes.map { #", "scopes": ["read:accounts", "read:statuses", "\#($0)"]"# } ?? ""
    let more = more.isEmpty ? "" : ", " + more
    try home.configure(
      """
      { "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon",
        "server": "\(server.baseURL)", "refresh_seconds": 86400, "keep_posts": 20\(scopes) } }\(more) }
      """)
    try await home.logIn()
  }

  deinit { server.stop() }

  /// The text of each post that the server has published.
  var published: [String] { server.with { $0.publishedTexts } }

  func fault(_ fault: SandboxFault, times: Int = 1) { server.withFaults { $0.add(fault, to: Self.path, times: times) } }

  func post(_ arguments: String..., input: ProgramRun.Input = .nothing) async throws -> ProgramRun.Outcome {
    try await home.start(["post"] + arguments, input: input).end()
  }

  func outbox() async throws -> String { try await home.run("outbox").output }
}
