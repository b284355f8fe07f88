package import Bytes
package import HomelineOAuth

/// How a provider uses OAuth 2.0: its endpoints, and its deviations from the standard.
package struct OAuth2Profile: Sendable, Hashable {
  /// Metadata to read before a login (RFC 8414, OpenID Connect Discovery).
  package struct Metadata: Sendable, Hashable {
    /// The server's identifier, compared byte by byte.
    package let issuer: String
    /// Whether an identifier with an additional trailing slash is accepted, as sent by Mastodon.
    package let acceptsTrailingSlash: Bool

    package init(issuer: String, acceptsTrailingSlash: Bool = false) {
      self.issuer = issuer
      self.acceptsTrailingSlash = acceptsTrailingSlash
    }
  }

  /// The location of the access token in a request.
  package enum TokenPlacement: Sendable, Hashable {
    /// `Authorization: Bearer TOKEN` (RFC 6750 §2.1).
    case header
    /// A parameter in the query or form (§2.2, §2.3).
    case parameter(String)
  }

  /// Endpoints from the account's configuration, which take precedence over the metadata.
  package struct Overrides: Sendable, Hashable {
    package var authorize: RequestURL?
    package var token: RequestURL?
    package var revocation: RequestURL?
    package var deviceAuthorization: RequestURL?
    package var userInfo: RequestURL?

    init() {}

    /// Returns the endpoints with these overrides applied.
    package func applied(to endpoints: OAuth2Endpoints) -> OAuth2Endpoints {
      var all = endpoints
      all.authorize = authorize ?? all.authorize
      all.token = token ?? all.token
      all.revocation = revocation ?? all.revocation
      all.deviceAuthorization = deviceAuthorization ?? all.deviceAuthorization
      all.userInfo = userInfo ?? all.userInfo
      return all
    }

    /// The configured endpoints.
    package var all: [RequestURL] {
      [authorize, token, revocation, deviceAuthorization, userInfo].compactMap(\.self)
    }
  }

  /// The known endpoints; `nil` if only the metadata contains them.
  package var endpoints: OAuth2Endpoints?
  package var overrides = Overrides()
  /// The metadata; `nil` if the server has none. If the endpoints are known, the metadata is optional and only adds to them.
  package var metadata: Metadata?
  package var scopes: [String]
  package var scopeSeparator: String
  /// Whether requests use PKCE (RFC 7636). A server without PKCE ignores it.
  package var usesPKCE: Bool
  /// The path segment after `callback.path` that distinguishes this provider's redirects from those of other providers (RFC 8252
  /// §8.10); `nil` if the user registers an exact address.
  package var callbackName: String?
  package var tokenPlacement: TokenPlacement
  /// Whether the provider can show users a code to type in, instead of redirecting the browser (`urn:ietf:wg:oauth:2.0:oob`). The standard
  /// does not define this method.
  package var offersOutOfBand: Bool
  /// Whether users log in with a user name and a password (RFC 6749 §4.3), because the provider has no other grant.
  package var usesPassword = false
  /// Whether requests need a user's token. Otherwise, the client's key is sufficient, and no login is needed.
  package var needsToken = true
  /// Whether requests contain a signature with the client's secret (`Provider.signed`).
  package var signsRequests = false
  /// Whether the ID Token of a token response identifies the user (OpenID Connect Core §2).
  package var readsIDToken = false
  /// How a client with a secret authenticates, unless the metadata specifies a different method (RFC 6749 §2.3.1).
  package var clientAuthentication: ClientAuthentication
  /// The method that the account's configuration requires, regardless of the metadata; `nil` if not configured.
  package var configuredAuthentication: ClientAuthentication?
  /// The provider's own parameters of the authorisation request.
  package var authorizeParameters: [Parameter] = []

  package init(
    endpoints: OAuth2Endpoints?, metadata: Metadata? = nil, scopes: [String],
    scopeSeparator: String = " ", usesPKCE: Bool = true, callbackName: String? = nil,
    tokenPlacement: TokenPlacement = .header, clientAuthentication: ClientAuthentication = .basic,
    offersOutOfBand: Bool = false
  ) {
    self.endpoints = endpoints
    self.metadata = metadata
    self.scopes = scopes
    self.scopeSeparator = scopeSeparator
    self.usesPKCE = usesPKCE
    self.callbackName = callbackName
    self.tokenPlacement = tokenPlacement
    self.clientAuthentication = clientAuthentication
    self.offersOutOfBand = offersOutOfBand
  }
}

extension OAuth2Profile {
  /// A short name for the authorisation server: its issuer without the scheme, otherwise the host of its token endpoint.
  package var serverName: String {
    if let issuer = metadata?.issuer, let url = try? RequestURL(issuer) {
      return url.path == "/" ? url.authority : url.authority + url.path
    }
    return endpoints?.token.authority ?? ""
  }
}
