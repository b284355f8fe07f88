package import Transport

/// The simulated providers, by the names under which a user asks for them.
package enum SandboxKind: String, Sendable, CaseIterable {
  /// OAuth 1.0a and Twitter's API v1.1.
  case twitter
  /// The same, as GNU social answers.
  case gnuSocial = "gnusocial"
  /// X: OAuth 2.0 with PKCE and rotating refresh tokens, and the API v2.
  case x
  /// Weibo's OAuth 2.0 and its API v2.
  case weibo
  /// Mastodon since 4.3, where each application registers itself.
  case mastodon
  case goToSocial = "gotosocial"
  case snac
  /// OAuth 2.0 alone, as the standards say it: PKCE, rotating refresh tokens, the device grant, metadata.
  case oauth2

  /// Begins to serve the provider on these sockets.
  /// - Throws: ``SandboxError`` when the state folder or the sockets cannot be used.
  package func serve(on sockets: consuming ListeningSockets, _ options: SandboxOptions) throws(SandboxError)
    -> any RunningSandbox
  {
    switch self {
    case .twitter, .gnuSocial:
      var policy = SandboxPolicy()
      policy.isGNUSocial = self == .gnuSocial
      let folder = try options.stateFolder.map { path throws(SandboxError) in try SandboxFolder(path) }
      return try FakeServer(SandboxProvider(keptIn: folder, policy: policy), keepingIn: folder, on: sockets, options)
    case .x:
      var provider = XSandbox(redirects: options.redirects)
      provider.oauth2.policy.redirectMatch = .anyLoopbackPort
      return try FakeServer(provider, on: sockets, options)
    case .weibo:
      var policy = WeiboSandbox.policy
      policy.redirectMatch = .anyLoopbackPort
      return try FakeServer(WeiboSandbox(redirects: options.redirects, policy: policy), on: sockets, options)
    case .mastodon: return try FakeServer(MastodonSandbox(), on: sockets, options)
    case .goToSocial: return try FakeServer(MastodonSandbox(.goToSocial), on: sockets, options)
    case .snac: return try FakeServer(MastodonSandbox(.snac), on: sockets, options)
    case .oauth2: return try FakeServer(OAuth2Sandbox(redirects: options.redirects), on: sockets, options)
    }
  }
}
