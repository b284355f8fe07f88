public import Bytes
public import OAuthValues

/// The endpoints and capabilities of an authorisation server (RFC 6749 §3, RFC 8414 §2).
public struct OAuth2Endpoints: Sendable, Hashable {
  /// The issuer identifier; nil if it is unknown. If one segment of its path is `{tenantid}`, it matches the issuers of all tenants. See
  /// ``IssuerRule``.
  public var issuer: String?
  /// Whether the server announces that its redirects contain `iss` (RFC 9207 §3).
  public var promisesIssuer: Bool
  /// The authorisation endpoint; nil if only the device grant is supported.
  public var authorize: RequestURL?
  /// The token endpoint, for codes and refresh tokens.
  public var token: RequestURL
  /// The revocation endpoint (RFC 7009).
  public var revocation: RequestURL?
  /// The device authorisation endpoint (RFC 8628).
  public var deviceAuthorization: RequestURL?
  /// The user information endpoint (OpenID Connect Core §5.3).
  public var userInfo: RequestURL?
  /// The client authentication methods that the token endpoint and this library support; nil if the server does not list its methods.
  public var clientAuthentications: [ClientAuthentication]?
  /// Whether authorisation requests must be pushed first (RFC 9126 §5).
  public var requiresPushedRequests: Bool

  /// Creates the endpoints.
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
