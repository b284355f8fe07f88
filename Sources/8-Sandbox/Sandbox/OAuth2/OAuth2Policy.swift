/// The behaviour of an OAuth 2.0 server where the standards leave a choice, or where real servers violate them.
package struct OAuth2Policy: Sendable {
  /// The handling of used refresh tokens (RFC 9700 §4.14.2).
  package enum Rotation: Sendable {
    /// The refresh token stays valid, and no new one is issued.
    case none
    /// A new refresh token is issued, and the old one becomes invalid.
    case rotating
    /// Like `rotating`, but using an old refresh token revokes all tokens of that login.
    case rotatingRevokesFamily
  }

  /// The logins that get a refresh token.
  package enum RefreshTokens: Sendable, Equatable {
    case never, always
    /// Logins with this scope.
    case withScope(String)
  }

  package enum ProofKey: Sendable {
    /// The parameters of RFC 7636 are ignored.
    case ignored
    /// A challenge is optional, and checked if there is one.
    case honoured
    /// A challenge is required.
    case required
  }

  /// Client authentication methods (RFC 6749 §2.3.1); `none` for public clients.
  package enum ClientAuthentication: String, Sendable, CaseIterable {
    case none
    case basic = "client_secret_basic"
    case body = "client_secret_post"
  }

  /// The location of the access token in a request (RFC 6750 §2).
  package enum TokenLocation: Sendable, CaseIterable {
    /// `Authorization: Bearer …`
    case bearer
    /// `Authorization: OAuth2 …`, Weibo's form.
    case oauth2
    /// `access_token` in the query.
    case query
    /// `access_token` in a form.
    case form
  }

  // MARK: Authorisation endpoint

  package var redirectMatch = RedirectMatch.exact
  package var proofKey = ProofKey.required
  /// Whether the method `plain` is supported, as on X.
  package var allowsPlainChallenge = false
  /// The separator between the scopes of a request; a space in RFC 6749 §3.3.
  package var scopeSeparator: Character = " "
  /// The scopes granted to a request that names none; `nil` refuses such a request.
  package var defaultScopes: [String]?
  /// The status code of redirects to the client.
  package var redirectStatus = 302
  /// Whether the state is returned without percent-encoding.
  package var echoesStateRaw = false
  /// Whether errors are returned without the state.
  package var errorsOmitState = false
  /// Whether authorisation responses contain `iss` (RFC 9207).
  package var sendsIssuer = false
  /// The issuer's path, which follows the origin.
  package var issuerPath = ""
  /// The value to send as `iss` instead of the correct issuer.
  package var wrongIssuer: String?

  // MARK: Token endpoint

  package var clientAuthentications = Set(ClientAuthentication.allCases)
  /// Whether the token endpoint also accepts parameters in the query.
  package var readsTokenQuery = false
  package var codeLife: Duration = .seconds(60)
  /// The lifetime of access tokens; if it is `nil`, they never expire, and responses have no `expires_in`.
  package var accessLife: Duration?
  /// The lifetime of refresh tokens; `nil` if they never expire.
  package var refreshLife: Duration?
  package var refreshTokens = RefreshTokens.never
  package var rotation = Rotation.rotatingRevokesFamily
  /// How long a rotated refresh token is still accepted after its first use.
  package var grace: Duration = .zero
  /// Whether a refresh revokes the login's earlier access tokens.
  package var refreshRevokesAccess = false
  /// Whether a login revokes the same client's earlier logins.
  package var loginRevokesEarlier = false
  /// Whether `expires_in` is written as a string.
  package var writesExpiryAsText = false

  // MARK: Access and revocation

  package var tokenLocations: Set<TokenLocation> = [.bearer]
  /// Whether revoking an access token also revokes its refresh token.
  package var accessRevocationRevokesFamily = false

  // MARK: Device grant (RFC 8628)

  package var deviceCodeLife: Duration = .seconds(600)
  package var deviceInterval: Duration = .seconds(5)

  package init() {}
}
