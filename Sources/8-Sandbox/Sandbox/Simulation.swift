package import HTTPServer

/// A provider that `homeline sandbox --provider NAME` simulates. To add a simulation, append it to ``all`` and add its name to
/// `Command.Sandbox.Provider`.
package struct Simulation: Sendable {
  let name: String
  /// Whether tokens survive a restart, if there is a folder to store them in.
  private let storesTokens: Bool
  private let make: @Sendable (SandboxOptions, SandboxState) -> any SimulatedProvider

  static let all: [Simulation] = [
    // OAuth 1.0a and Twitter's v1.1 API.
    Simulation("twitter", storesTokens: true) {
      TwitterSandbox(key: $1.key, revokedTokens: $1.revokedTokens)
    },
    // The same API, with the responses of GNU social.
    Simulation("gnusocial", storesTokens: true) {
      var policy = SandboxPolicy()
      policy.isGNUSocial = true
      return TwitterSandbox(key: $1.key, policy: policy, revokedTokens: $1.revokedTokens)
    },
    // OAuth 2.0 with PKCE and rotating refresh tokens, and X's v2 API.
    Simulation("x") { options, _ in
      var provider = XSandbox(redirects: options.redirects)
      provider.oauth2.policy.redirectMatch = .anyLoopbackPort
      return provider
    },
    // Weibo's variant of OAuth 2.0, and its v2 API.
    Simulation("weibo") { options, _ in
      var policy = WeiboSandbox.policy
      policy.redirectMatch = .anyLoopbackPort
      return WeiboSandbox(redirects: options.redirects, policy: policy)
    },
    // Mastodon-compatible servers, where each application registers itself.
    Simulation("mastodon") { _, _ in MastodonSandbox() },
    Simulation("gotosocial") { _, _ in MastodonSandbox(.goToSocial) },
    Simulation("snac") { _, _ in MastodonSandbox(.snac) },
    // OAuth 2.0 according to the standards: PKCE, rotating refresh tokens, the device grant, metadata.
    Simulation("oauth2") { options, _ in OAuth2Sandbox(redirects: options.redirects) },
    // A cloud drive with signed requests.
    Simulation("gokuai") { _, _ in GokuaiSandbox() },
  ]

  private init(
    _ name: String, storesTokens: Bool = false,
    _ make: @escaping @Sendable (SandboxOptions, SandboxState) -> any SimulatedProvider
  ) {
    self.name = name
    self.storesTokens = storesTokens
    self.make = make
  }

  package static func named(_ name: String) -> Simulation? { all.first { $0.name == name } }

  /// Serves the provider until the server is stopped.
  /// - Parameter sockets: TCP sockets on one loopback port.
  /// - Returns: the server, and the information that a developer needs to use it.
  /// - Throws: ``SandboxError`` if the state folder or the sockets cannot be used.
  package func serve(
    on sockets: consuming ListeningSockets, _ options: SandboxOptions
  ) throws(SandboxError) -> (server: Server, guide: [GuideLine]) {
    var folder: StateFolder?
    if storesTokens, let path = options.stateFolder { folder = try StateFolder(path) }
    let provider = make(options, try folder?.state() ?? .temporary)
    let base = "http://127.0.0.1:\(sockets.port ?? 0)"
    let guide =
      [GuideLine("provider", name), GuideLine("server", base)]
      + provider.guide(base: base, redirects: options.redirects)
      + [GuideLine("user", "@\(Author.mira.screenName), who presses Authorise")]
    return (try provider.serve(on: sockets, storingIn: folder, options), guide)
  }
}
