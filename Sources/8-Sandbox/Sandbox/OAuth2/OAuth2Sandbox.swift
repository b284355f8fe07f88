package import HTTP
internal import JSON
package import Time

/// OAuth 2.0 according to the standards, with one resource, `/userinfo`.
///
/// Authorisation codes require PKCE with S256 (RFC 7636), refresh tokens rotate (RFC 9700 §4.14.2), and the server supports the device
/// grant (RFC 8628) and metadata (RFC 8414). Tokens stay valid as long as the value exists.
package struct OAuth2Sandbox: SimulatedProvider {
  /// The registered clients: a public one, and a confidential one whose secret is public.
  private static let publicClientID = "sandbox-native"
  private static let confidentialClientID = "sandbox-web"
  private static let confidentialClientSecret = "open sesame:/&=%+"
  private static let scopes = ["openid", "profile", "read", "offline_access"]

  private static let metadataPath = "/.well-known/oauth-authorization-server"
  private static let userInfoPath = "/userinfo"

  private var server: OAuth2Server

  /// - Parameter redirects: the redirect URIs of both clients. Any port is accepted in a loopback address.
  init(redirects: [String]) {
    var policy = OAuth2Policy()
    policy.redirectMatch = .anyLoopbackPort
    policy.defaultScopes = ["read"]
    policy.sendsIssuer = true
    policy.accessLife = .seconds(3_600)
    policy.refreshTokens = .always
    policy.rotation = .rotatingRevokesFamily
    server = OAuth2Server(policy: policy, paths: OAuth2Paths(deviceAuthorization: "/oauth/device_authorization"))
    for (id, secret) in [(Self.publicClientID, nil), (Self.confidentialClientID, Self.confidentialClientSecret)] {
      server.register(SandboxClient(identifier: id, secret: secret, redirects: redirects, scopes: Self.scopes))
    }
  }

  package mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    SimulatedResponse(routed(request, at: now))
  }

  package func guide(base: String, redirects: [String]) -> [GuideLine] {
    [
      GuideLine("metadata", base + Self.metadataPath), GuideLine("authorize", base + server.paths.authorization),
      GuideLine("token", base + server.paths.token),
      GuideLine("device", base + (server.paths.deviceAuthorization ?? "")),
      GuideLine("userinfo", base + Self.userInfoPath),
      GuideLine("client id", "\(Self.publicClientID) (public: PKCE and no secret)"),
      GuideLine("client id", "\(Self.confidentialClientID) (confidential)"),
      GuideLine("client secret", Self.confidentialClientSecret),
    ] + GuideLine.registration(scopes: Self.scopes, redirects: redirects)
  }

  private mutating func routed(_ request: Request, at now: Timestamp) -> Response {
    let base = "http://\(request.headers.first(.host) ?? "")"
    let paths = server.paths
    do throws(OAuth2Error) {
      switch request.target.path {
      case Self.metadataPath: return server.metadata(base: base)
      case paths.authorization where request.method == .get: return server.authorizePage(request)
      case paths.authorization: return server.decide(request, at: now)
      case paths.token: return try server.token(request, at: now).response
      case paths.verification: return server.verificationPage(request, at: now)
      case paths.deviceAuthorization: return try server.authorizeDevice(request, base: base, at: now)
      case paths.revocation:
        try server.revoke(request, at: now)
        return Response(status: .ok)
      case Self.userInfoPath: return userInfo(request, at: now)
      default: return Response(status: .notFound, text: "404 Not Found")
      }
    } catch { return error.response }
  }

  /// Returns the user's claims (OpenID Connect Core 1.0 §5.3.2).
  private func userInfo(_ request: Request, at now: Timestamp) -> Response {
    do throws(AccessTokenError) { _ = try server.admit(request, at: now) } catch { return error.response }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("sub", server.user.id)
      writer.member("preferred_username", server.user.screenName)
      writer.member("name", server.user.name)
    }
    return Response(json: writer.bytes)
  }
}
