package import CivilTime
package import HTTP

/// Access tokens in use (RFC 6750), and their end (RFC 7009).
extension OAuth2Server {
  /// Lets a request in by its access token, from wherever the policy lets one stand.
  package func admit(_ request: Request, at now: Timestamp) throws(TokenFault) -> TokenGrant {
    let shown = try shownTokens(request)
    guard shown.count <= 1 else { throw .ambiguous }
    guard let token = shown.first else { throw .missing }
    guard let grant = tokens.access(token) else { throw .unknown }
    if tokens.isRevoked(grant) { throw .revoked }
    if let end = grant.expiresAt, now >= end { throw .expired }
    return grant
  }

  /// What an access token stands or stood for; nil if it was never issued.
  package func grant(of token: String) -> TokenGrant? { tokens.access(token) }

  package func isRevoked(_ grant: TokenGrant) -> Bool { tokens.isRevoked(grant) }

  /// Ends a token on its client's wish. One that is not known is no mistake (RFC 7009 §2.2).
  ///
  /// A refresh token takes all tokens of its login with it.
  package mutating func revoke(_ request: Request, at now: Timestamp) throws(OAuth2Failure) {
    guard request.method == .post else { throw .badRequest("The revocation endpoint wants POST.") }
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

  /// Ends an access token, by whatever way a dialect has for that.
  package mutating func revoke(_ grant: TokenGrant) {
    if policy.accessRevocationKillsFamily { tokens.revokeFamily(grant.family) } else { tokens.revoke(grant.token) }
  }

  /// The user takes back what an application was granted, or what all were (nil).
  package mutating func revokeAll(of clientID: String? = nil) { tokens.revokeAll(of: clientID) }

  private func shownTokens(_ request: Request) throws(TokenFault) -> [String] {
    var found: [String] = []
    for header in request.headers.all("Authorization") {
      let parts = header.split(separator: " ", maxSplits: 1)
      let place: OAuth2Policy.TokenPlace? =
        switch parts.first?.lowercased() {
        case "bearer": .bearer
        case "oauth2": .oauth2
        default: nil
        }
      if let place, policy.tokenPlaces.contains(place), parts.count == 2 { found.append(String(parts[1])) }
    }
    if policy.tokenPlaces.contains(.query), let form = try? RequestForm(query: request) {
      found += try Self.accessToken(form)
    }
    if policy.tokenPlaces.contains(.form), let form = try? RequestForm(body: request) {
      found += try Self.accessToken(form)
    }
    return found
  }

  private static func accessToken(_ form: RequestForm) throws(TokenFault) -> [String] {
    do throws(RequestFormError) { return try form.value("access_token").map { [$0] } ?? [] } catch { throw .ambiguous }
  }
}
