package import CivilTime

/// The providers that are played here, by the names under which a user asks for them.
package enum SandboxKind: String, Sendable, CaseIterable {
  /// OAuth 1.0a and the API v1.1.
  case twitter = "sandbox"
  /// OAuth 2.0 and the API v2.
  case x
  /// Mastodon since 4.3, where each application registers itself.
  case mastodon
  /// Weibo's OAuth 2.0 and its API v2.
  case weibo

  /// Begins to serve it on a port of loopback.
  /// - Parameters:
  ///   - stateFolder: for what outlives the run; of the others nothing does.
  ///   - redirect: the redirect URI that is registered for the demo's application, where one is registered beforehand.
  package func serve(
    stateFolder: String, redirect: String, port: UInt16 = 0, clock: WallClock = .system
  ) throws(SandboxError) -> any RunningSandbox {
    switch self {
    case .twitter: try SandboxServer(stateFolder: stateFolder, port: port, clock: clock)
    case .x: try FakeServer(service: XSandbox(redirects: [redirect]), port: port, clock: clock)
    case .mastodon: try FakeServer(service: MastodonSandbox(), port: port, clock: clock)
    case .weibo: try FakeServer(service: WeiboSandbox(redirects: [redirect]), port: port, clock: clock)
    }
  }
}
