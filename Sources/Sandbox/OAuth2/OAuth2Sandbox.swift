package import CivilTime
package import HTTP
internal import JSON

/// OAuth 2.0 as the standards say it, as a value: request in, response out, no I/O. Beside it there is one resource, `/userinfo`.
///
/// Authorisation codes need PKCE with S256 (RFC 7636), refresh tokens rotate (RFC 9700 §4.14.2), devices get their own grant
/// (RFC 8628), and the metadata (RFC 8414) names all of it. Tokens live as long as the value.
package struct OAuth2Sandbox: SandboxService {
  /// The public client that is registered here, and the confidential one; its secret is no secret.
  package static let publicClientID = "sandbox-native"
  package static let confidentialClientID = "sandbox-web"
  package static let confidentialClientSecret = "open sesame:/&=%+"
  package static let scopes = ["openid", "profile", "read", "offline_access"]

  private static let metadataPath = "/.well-known/oauth-authorization-server"
  private static let userInfoPath = "/userinfo"

  private var server: OAuth2Server

  /// - Parameter redirects: those of both clients; any port of a loopback address is let in.
  package init(redirects: [String]) {
    var policy = OAuth2Policy()
    policy.redirectMatch = .anyLoopbackPort
    policy.defaultScopes = ["read"]
    policy.sendsIssuer = true
    policy.accessLife = .seconds(3_600)
    policy.refreshTokens = .always
    policy.rotation = .rotatingKillsFamily
    server = OAuth2Server(policy: policy, paths: OAuth2Paths(deviceAuthorization: "/oauth/device_authorization"))
    for (id, secret) in [(Self.publicClientID, nil), (Self.confidentialClientID, Self.confidentialClientSecret)] {
      server.register(RegisteredClient(identifier: id, secret: secret, redirects: redirects, scopes: Self.scopes))
    }
  }

  package mutating func answer(to request: Request, at now: Timestamp) -> SandboxAnswer {
    SandboxAnswer(response: response(to: request, at: now))
  }

  private mutating func response(to request: Request, at now: Timestamp) -> Response {
    let base = "http://\(request.headers.first(.host) ?? "")"
    let paths = server.paths
    do throws(OAuth2Failure) {
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

  /// As OpenID Connect Core 1.0 §5.3.2 has it.
  private func userInfo(_ request: Request, at now: Timestamp) -> Response {
    do throws(TokenFault) { _ = try server.admit(request, at: now) } catch { return error.response }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("sub", server.user.id)
      writer.member("preferred_username", server.user.screenName)
      writer.member("name", server.user.name)
    }
    return Response(json: writer.bytes)
  }
}
