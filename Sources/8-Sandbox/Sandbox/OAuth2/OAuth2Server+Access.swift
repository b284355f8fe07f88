package import HTTP
package import Time

/// The use (RFC 6750) and revocation (RFC 7009) of access tokens.
extension OAuth2Server {
  /// Authenticates a request by its access token, which may be in any location that the policy allows.
  package func admit(_ request: Request, at now: Timestamp) throws(AccessTokenError) -> SandboxGrant {
    let found = try accessTokens(request)
    guard found.count <= 1 else { throw .ambiguous }
    guard let token = found.first else { throw .missing }
    guard let grant = tokens.access(token) else { throw .unknown }
    if tokens.isRevoked(grant) { throw .revoked }
    if let end = grant.expiresAt, now >= end { throw .expired }
    return grant
  }

  /// Returns the grant of an access token, even if the token is no longer valid.
  /// - Returns: `nil` if it was never issued.
  package func grant(of token: String) -> SandboxGrant? { tokens.access(token) }

  package func isRevoked(_ grant: SandboxGrant) -> Bool { tokens.isRevoked(grant) }

  /// Handles a request to the revocation endpoint. Unknown tokens are not an error (RFC 7009 §2.2).
  ///
  /// Revoking a refresh token revokes all tokens of its login.
  package mutating func revoke(_ request: Request, at now: Timestamp) throws(OAuth2Error) {
    guard request.method == .post else { throw .badRequest("The revocation endpoint requires POST.") }
    let form = try clientForm(request)
    let client = try client(ClientClaim(request, form))
    let token = try required("token", in: form)
    if let grant = tokens.access(token) {
      guard grant.clientID == client.identifier else { throw .notOwnToken }
      revoke(grant)
    } else if let refresh = tokens.refresh(token) {
      guard refresh.clientID == client.identifier else { throw .notOwnToken }
      tokens.revokeFamily(refresh.family)
    }
  }

  /// Revokes an access token.
  package mutating func revoke(_ grant: SandboxGrant) {
    if policy.accessRevocationRevokesFamily { tokens.revokeFamily(grant.family) } else { tokens.revoke(grant.token) }
  }

  private func accessTokens(_ request: Request) throws(AccessTokenError) -> [String] {
    var found: [String] = []
    for header in request.headers.all("Authorization") {
      let parts = header.split(separator: " ", maxSplits: 1)
      let place: OAuth2Policy.TokenLocation? =
        switch parts.first?.lowercased() {
        case "bearer": .bearer
        case "oauth2": .oauth2
        default: nil
        }
      if let place, policy.tokenLocations.contains(place), parts.count == 2 { found.append(String(parts[1])) }
    }
    if policy.tokenLocations.contains(.query), let form = try? RequestForm(query: request) {
      found += try Self.accessToken(form)
    }
    if policy.tokenLocations.contains(.form), let form = try? RequestForm(body: request) {
      found += try Self.accessToken(form)
    }
    return found
  }

  private static func accessToken(_ form: RequestForm) throws(AccessTokenError) -> [String] {
    do throws(RequestFormError) { return try form.value("access_token").map { [$0] } ?? [] } catch { throw .ambiguous }
  }
}
