/// Where an authorisation server is asked what, and how it is to be asked (RFC 6749 §3, RFC 8414 §2).
public struct OAuth2Endpoints: Sendable, Hashable {
  /// Its name for itself, nil when it has told none. See ``IssuerRule``.
  public var issuer: String?
  /// Whether it has said that its redirects name it (RFC 9207 §3).
  public var promisesIssuer: Bool
  /// Where the user is sent; nil where there is only a device grant.
  public var authorize: RequestURL?
  /// Where codes and refresh tokens become access tokens.
  public var token: RequestURL
  /// Where tokens are given back (RFC 7009).
  public var revocation: RequestURL?
  /// Where a login on another device begins (RFC 8628).
  public var deviceAuthorization: RequestURL?
  /// Where it says who the user is (OpenID Connect Core §5.3).
  public var userInfo: RequestURL?
  /// What it takes of clients at the token endpoint; nil when it has not told, empty when it takes none of ours.
  public var clientAuthentications: [ClientAuthentication]?
  /// Whether the user may be sent there with a request that was pushed before only (RFC 9126 §5).
  public var requiresPushedRequests: Bool

  /// Names the endpoints.
  public init(
    issuer: String? = nil, promisesIssuer: Bool = false, authorize: RequestURL? = nil, token: RequestURL,
    revocation: RequestURL? = nil, deviceAuthorization: RequestURL? = nil, userInfo: RequestURL? = nil,
    clientAuthentications: [ClientAuthentication]? = nil, requiresPushedRequests: Bool = false
  ) {
    self.requiresPushedRequests = requiresPushedRequests
    self.issuer = issuer
    self.promisesIssuer = promisesIssuer
    self.authorize = authorize
    self.token = token
    self.revocation = revocation
    self.deviceAuthorization = deviceAuthorization
    self.userInfo = userInfo
    self.clientAuthentications = clientAuthentications
  }
}
