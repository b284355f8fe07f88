package import CivilTime
package import HTTP
package import JSON

/// The issued access and refresh tokens. The tokens of one login form a family.
struct TokenTable: Sendable {
  /// The grant behind a refresh token.
  struct Refresh: Sendable {
    let clientID: String
    let scopes: [String]
    let issuedAt: Timestamp
    let family: Int
    /// The time when the refresh token was first used and replaced.
    var usedAt: Timestamp?
  }

  /// The maximum number of logins. Beyond it, the oldest login is discarded with its tokens.
  private static let capacity = 1_000

  private var accesses: [String: TokenGrant] = [:]
  private var refreshes: [String: Refresh] = [:]
  private var clients: [Int: String] = [:]
  private var revokedFamilies: Set<Int> = []
  private var revokedTokens: Set<String> = []
  private var lastFamily = 0

  /// Starts a family for a new login.
  mutating func beginFamily(of clientID: String) -> Int {
    lastFamily += 1
    clients[lastFamily] = clientID
    forget(lastFamily - Self.capacity)
    return lastFamily
  }

  mutating func add(_ grant: TokenGrant) { accesses[grant.token] = grant }
  mutating func add(_ refresh: Refresh, as token: String) { refreshes[token] = refresh }

  /// Returns the grant of a token, even if it is revoked.
  func access(_ token: String) -> TokenGrant? { accesses[token] }
  func refresh(_ token: String) -> Refresh? { refreshes[token] }

  func isRevoked(_ grant: TokenGrant) -> Bool {
    revokedFamilies.contains(grant.family) || revokedTokens.contains(grant.token)
  }
  func isRevoked(_ token: String, _ refresh: Refresh) -> Bool {
    revokedFamilies.contains(refresh.family) || revokedTokens.contains(token)
  }

  /// Records the first use of a refresh token.
  mutating func rotate(_ token: String, at now: Timestamp) {
    if refreshes[token]?.usedAt == nil { refreshes[token]?.usedAt = now }
  }

  mutating func revoke(_ token: String) { revokedTokens.insert(token) }
  mutating func revokeFamily(_ family: Int) { revokedFamilies.insert(family) }

  /// Revokes the access tokens of a login, but not its refresh tokens.
  mutating func revokeAccess(of family: Int) {
    revokedTokens.formUnion(accesses.values.lazy.filter { $0.family == family }.map(\.token))
  }

  /// Revokes all tokens of a client, or of all clients (`nil`).
  mutating func revokeAll(of clientID: String?) {
    revokedFamilies.formUnion(clients.lazy.filter { clientID == nil || $0.value == clientID }.map(\.key))
  }

  private mutating func forget(_ family: Int) {
    guard clients.removeValue(forKey: family) != nil else { return }
    let old =
      accesses.values.filter { $0.family == family }.map(\.token)
      + refreshes.filter { $0.value.family == family }.map(\.key)
    for token in old {
      accesses[token] = nil
      refreshes[token] = nil
      revokedTokens.remove(token)
    }
    revokedFamilies.remove(family)
  }
}

/// The grant behind an access token.
package struct TokenGrant: Sendable, Equatable {
  package let token: String
  package let clientID: String
  package let userID: String
  package let scopes: [String]
  package let issuedAt: Timestamp
  /// The time when the token expires; `nil` if it never does.
  package let expiresAt: Timestamp?
  /// The number shared by all tokens that result from one login.
  let family: Int

  package func allows(_ scope: String) -> Bool { scopes.contains(scope) }
}

/// The tokens in a token endpoint's response.
package struct IssuedTokens: Sendable, Equatable {
  package let access: String
  package let refresh: String?
  /// The lifetime of the access token; `nil` if it never expires.
  package let expiresIn: Duration?
  package let scopes: [String]
  package let userID: String
  /// Whether `expires_in` is written as a string.
  package let writesExpiryAsText: Bool

  var scope: String { scopes.joined(separator: " ") }

  /// Writes the members defined in RFC 6749 §5.1 into an object.
  package func writeMembers(to writer: inout JSONWriter, tokenType: String = "Bearer") {
    writer.member("access_token", access)
    writer.member("token_type", tokenType)
    if let expiresIn {
      let seconds = expiresIn.components.seconds
      if writesExpiryAsText {
        writer.member("expires_in", String(seconds))
      } else {
        writer.member("expires_in", seconds)
      }
    }
    if let refresh { writer.member("refresh_token", refresh) }
    writer.member("scope", scope)
  }

  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writeMembers(to: &$0) }
    return writer.bytes
  }

  package var response: Response {
    var response = Response(json: json)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}

/// The reason for rejecting an access token (RFC 6750 §3.1).
package enum AccessTokenError: Error, Sendable, Equatable, CaseIterable {
  /// The request has no access token.
  case missing
  /// The request contains more than one access token.
  case ambiguous
  case unknown
  case expired
  case revoked

  /// The status and header from RFC 6750 §3, with an empty body.
  package var response: Response {
    let (status, challenge): (StatusCode, FieldValue) =
      switch self {
      case .missing: (.unauthorized, "Bearer realm=\"sandbox\"")
      case .ambiguous: (.badRequest, "Bearer realm=\"sandbox\", error=\"invalid_request\"")
      case .unknown, .revoked:
        (.unauthorized, "Bearer realm=\"sandbox\", error=\"invalid_token\", error_description=\"not valid\"")
      case .expired:
        (.unauthorized, "Bearer realm=\"sandbox\", error=\"invalid_token\", error_description=\"expired\"")
      }
    return Response(status: status, headers: ["WWW-Authenticate": challenge])
  }
}
