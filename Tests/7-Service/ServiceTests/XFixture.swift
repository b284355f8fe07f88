import Bytes
import HomelineOAuth
import Platform
import SandboxSupport
import Settings
import Storage
import Time

@testable import Sandbox

/// An X account with OAuth 2.0, authorised for two hours.
typealias XFixture = BearerFixture<XSandbox>

extension BearerFixture<XSandbox> {
  static let client = OAuth2Client(identifier: XSandbox.publicClientID, secret: nil, authentication: .none)
  static let flow = OAuth2Flow(
    authorize: XRoute.authorizePage.path, token: XRoute.token.path,
    scopes: ["tweet.read", "users.read", "offline.access"])

  /// - Parameter change: changes the provider before it issues the token.
  static func ofX(
    in store: StoreChoice = .standard, _ change: (inout XSandbox) -> Void = { _ in }
  ) throws -> XFixture {
    var policy = SandboxPolicy()
    policy.rateLimit = 1_000
    var simulated = XSandbox(redirects: [OAuth2Flow.redirect], policy: policy)
    change(&simulated)
    let fixture = try XFixture(simulated, in: store) { address in
      AccountSettings(
        name: AccountName("x")!, provider: "x",
        credentials: .oauth2(clientID: XSandbox.publicClientID, clientSecret: nil), refreshInterval: .seconds(900),
        keepPosts: 20, firstFillPosts: 20, endpoints: try endpoints(at: address))
    }
    try fixture.authorise(as: client, flow)
    return fixture
  }

  static func endpoints(at address: String) throws -> [String: RequestURL] {
    [
      "authorize": try RequestURL(address + XRoute.authorizePage.path),
      "token": try RequestURL(address + XRoute.token.path), "revoke": try RequestURL(address + XRoute.revocation.path),
      "users_me": try RequestURL(address + "/2/users/me"),
      "home_timeline": try RequestURL(address + "/2/users/{id}/timelines/reverse_chronological"),
    ]
  }

  /// Revokes an access token at the provider before it expires. The refresh token remains valid.
  func endAccess() throws {
    let access = try token().accessToken.withExposedText { $0 }
    play { x in if let grant = x.oauth2.grant(of: access) { x.oauth2.revoke(grant) } }
  }

  /// Runs a closure once, while the provider handles the next renewal.
  func onceDuringRenewal(_ body: @escaping @Sendable () -> Void) {
    let left = Locked(true)
    server.with {
      $0.beforeAnswer = { path in
        guard path == XRoute.token.path else { return }
        let isFirst = left.withLock { left in
          defer { left = false }
          return left
        }
        if isFirst { body() }
      }
    }
  }

  /// The number of access tokens that are still valid.
  var tokensAlive: Int {
    let now = time.now
    return server.with { watched in
      watched.ends.keys.filter { token in
        guard let grant = watched.simulated.oauth2.grant(of: token) else { return false }
        return !watched.simulated.oauth2.isRevoked(grant) && grant.expiresAt.map { now < $0 } ?? true
      }.count
    }
  }
}
