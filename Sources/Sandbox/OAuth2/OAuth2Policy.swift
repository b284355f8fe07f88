internal import HomelineOAuth

/// How a server of OAuth 2.0 behaves where the standards leave a choice, and where real servers leave the standards.
package struct OAuth2Policy: Sendable {
  /// What becomes of a refresh token that is used (RFC 9700 §4.14.2).
  package enum Rotation: Sendable {
    /// It stays as it is, and no new one comes.
    case none
    /// A new one comes, and the old one is refused from then on.
    case rotating
    /// The same; and whoever uses an old one has all tokens of that login revoked.
    case rotatingKillsFamily
  }

  /// Who is given a refresh token.
  package enum RefreshTokens: Sendable, Equatable {
    case never, always
    /// Only who asked for this scope.
    case withScope(String)
  }

  package enum ProofKey: Sendable {
    /// The parameters of RFC 7636 are not looked at.
    case ignored
    /// A challenge is held to, and none is asked for.
    case honoured
    /// Without a challenge there is no code.
    case required
  }

  /// Where a client may say who it is (RFC 6749 §2.3.1), and `none` for clients without a secret.
  package enum ClientAuthentication: String, Sendable, CaseIterable {
    case none
    case basic = "client_secret_basic"
    case body = "client_secret_post"
  }

  /// Where an access token may stand (RFC 6750 §2).
  package enum TokenPlace: Sendable, CaseIterable {
    /// `Authorization: Bearer …`
    case bearer
    /// `Authorization: OAuth2 …`, as Weibo has it.
    case oauth2
    /// `access_token` in the query.
    case query
    /// `access_token` in a form.
    case form
  }

  // MARK: The authorisation endpoint

  package var redirectMatch = RedirectMatch.exact
  package var proofKey = ProofKey.required
  /// X has `plain` too.
  package var allowsPlainChallenge = false
  /// Between the scopes of a request, a space by RFC 6749 §3.3.
  package var scopeSeparator: Character = " "
  /// What is granted to a request that names no scope; nil refuses it.
  package var defaultScopes: [String]?
  /// The status of the way back to the client.
  package var redirectStatus = 302
  /// The state comes back without percent-encoding, as it was after decoding.
  package var echoesStateRaw = false
  /// A refusal comes back without the state.
  package var refusesWithoutState = false
  /// `iss` stands in each answer to the client (RFC 9207).
  package var sendsIssuer = false
  /// What the issuer has behind the origin.
  package var issuerPath = ""
  /// Sent for `iss` in place of the truth.
  package var wrongIssuer: String?

  // MARK: The token endpoint

  package var clientAuthentications = Set(ClientAuthentication.allCases)
  /// The token endpoint takes its parameters from the query too.
  package var readsTokenQuery = false
  package var codeLife: Duration = .seconds(60)
  /// nil: access tokens never expire, and no `expires_in` is told.
  package var accessLife: Duration?
  /// nil: refresh tokens never expire.
  package var refreshLife: Duration?
  package var refreshTokens = RefreshTokens.never
  package var rotation = Rotation.rotatingKillsFamily
  /// How long after its first use a rotated refresh token is still taken.
  package var grace: Duration = .zero
  /// A refresh revokes the access tokens before it.
  package var refreshKillsAccess = false
  /// A login revokes what the same client was granted before.
  package var loginKillsFormer = false
  /// `expires_in` is written as a string.
  package var writesExpiryAsText = false

  // MARK: Afterwards

  package var tokenPlaces: Set<TokenPlace> = [.bearer]
  /// Revoking an access token ends its refresh token too.
  package var accessRevocationKillsFamily = false

  // MARK: The device grant (RFC 8628)

  package var deviceCodeLife: Duration = .seconds(600)
  package var deviceInterval: Duration = .seconds(5)

  package init() {}
}

/// Where the endpoints of a server are, for its metadata (RFC 8414 §2); nil for those that it has not.
package struct OAuth2Paths: Sendable {
  package var authorization: String
  package var token: String
  package var revocation: String?
  package var deviceAuthorization: String?
  /// The page on which a user types what a device shows (RFC 8628 §3.3).
  package var verification: String

  package init(
    authorization: String = "/oauth/authorize", token: String = "/oauth/token", revocation: String? = "/oauth/revoke",
    deviceAuthorization: String? = nil, verification: String = "/oauth/device"
  ) {
    self.authorization = authorization
    self.token = token
    self.revocation = revocation
    self.deviceAuthorization = deviceAuthorization
    self.verification = verification
  }
}

/// When the redirect URI of a request counts as one that was registered.
package enum RedirectMatch: Sendable {
  /// The same bytes, port included.
  case exact
  /// The same too but for the port, where both are `http` at a loopback address in digits (RFC 8252 §7.3).
  case anyLoopbackPort

  func accepts(_ given: String, registered: String) -> Bool {
    if given.utf8.elementsEqual(registered.utf8) { return true }
    guard self == .anyLoopbackPort, let one = try? RequestURL(given), let other = try? RequestURL(registered) else {
      return false
    }
    return [one, other].allSatisfy { $0.isLoopback && !$0.isHTTPS && $0.host != "localhost" }
      && one.host == other.host && one.path == other.path && one.query == other.query
  }
}
