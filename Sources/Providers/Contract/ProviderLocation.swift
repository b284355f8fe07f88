package import HomelineOAuth

/// The account's settings that determine a provider's addresses and authorisation.
package struct ProviderLocation: Sendable, Hashable {
  package var version: OAuthVersion
  /// The base address for the provider's paths; `nil` for the provider's own server.
  package var base: RequestURL?
  /// Endpoints that replace the provider's own.
  package var endpoints: [EndpointName: RequestURL]
  /// The identifier of the authorisation server, compared byte by byte (RFC 8414 §2); `nil` if not configured.
  package var issuer: String?
  /// The scopes to request; `nil` for those required by the timeline.
  package var scopes: [String]?
  /// Parameters that are added to the authorisation request.
  package var authorizeParameters: [String: String] = [:]
  /// The method by which the client authenticates; `nil` if not configured.
  package var clientAuthentication: ClientAuthentication?
  /// The domain to which a link in each post must lead, if the provider requires one; `nil` if not configured.
  package var safeDomain: String?
  /// The user's public IP address, which Weibo requires with each post; `nil` if not configured.
  package var userAddress: String?
  /// The credential used to access a cloud drive; `nil` for other providers.
  package var driveAccess: DriveAccess?

  package init(
    _ version: OAuthVersion = .oauth1, at base: RequestURL? = nil, endpoints: [EndpointName: RequestURL] = [:],
    issuer: String? = nil, scopes: [String]? = nil
  ) {
    self.version = version
    self.base = base
    self.endpoints = endpoints
    self.issuer = issuer
    self.scopes = scopes
  }

  /// Returns the address that the account configures for an endpoint. Without one, returns the provider's own path below the base, or below
  /// the provider's server.
  /// - Parameter server: the provider's server, such as `https://api.example.org`.
  func url(_ name: EndpointName, _ path: String, below server: String) throws(RequestURLError) -> RequestURL {
    if let url = endpoints[name] { return url }
    return try RequestURL((base?.folder ?? server) + path)
  }
}

extension RequestURL {
  /// The address as text, without a trailing slash or a query, so that paths can be appended.
  var folder: String { baseStringURI.hasSuffix("/") ? String(baseStringURI.dropLast()) : baseStringURI }
}

/// The providers' endpoints, by their names in the configuration.
package enum EndpointName: String, Sendable, Hashable, CaseIterable {
  // OAuth 1.0a (RFC 5849 §2)
  case requestToken = "request_token"
  case accessToken = "access_token"
  case invalidateToken = "invalidate_token"
  // Authorisation, in either version
  case authorize
  // OAuth 2.0 (RFC 6749 §3, 7009, 8628)
  case token
  case revoke
  case deviceAuthorization = "device_authorization"
  // Resources
  case verifyCredentials = "verify_credentials"
  case usersMe = "users_me"
  case homeTimeline = "home_timeline"
  case tokenInfo = "token_info"
  case usersShow = "users_show"
  case userInfo = "userinfo"
}

/// The three endpoints of OAuth 1.0a (RFC 5849 §2), and the endpoint that revokes a token.
package struct OAuth1Endpoints: Sendable, Hashable {
  package let requestToken: RequestURL
  package let authorize: RequestURL
  package let accessToken: RequestURL
  /// The endpoint that revokes a token; `nil` if tokens cannot be revoked.
  package let invalidateToken: RequestURL?

  /// Creates the configured endpoints. Their tokens cannot be revoked.
  init(requestToken: RequestURL, authorize: RequestURL, accessToken: RequestURL) {
    self.requestToken = requestToken
    self.authorize = authorize
    self.accessToken = accessToken
    invalidateToken = nil
  }

  /// Creates the endpoints from Twitter's paths, unless the account replaces them.
  ///
  /// A token is revoked only at its own server: if `access_token` is moved to a different server, `invalidate_token` is used only if it is
  /// also configured.
  /// - Parameters:
  ///   - server: the provider's own server.
  ///   - invalidation: the path that revokes a token.
  init(_ place: ProviderLocation, below server: String, invalidation path: String) throws(RequestURLError) {
    requestToken = try place.url(.requestToken, "/oauth/request_token", below: server)
    authorize = try place.url(.authorize, "/oauth/authorize", below: server)
    accessToken = try place.url(.accessToken, "/oauth/access_token", below: server)
    let isMoved = accessToken.origin != (place.base?.origin ?? server)
    if isMoved, place.endpoints[.invalidateToken] == nil {
      invalidateToken = nil
    } else {
      invalidateToken = try place.url(.invalidateToken, path, below: server)
    }
  }
}

/// How a provider's users authorise this program.
package enum ProviderAuthorization: Sendable, Hashable {
  case oauth1(OAuth1Endpoints)
  case oauth2(OAuth2Profile)
}

/// The credential used to access a cloud drive.
package enum DriveAccess: Sendable, Hashable {
  /// A user's token.
  /// - Parameter library: the number of the library whose changes are read; `nil` for none.
  case user(library: String?)
  /// A library's key, which needs no token.
  case library
  /// An enterprise's key, which cannot read a library's changes.
  case enterprise
}
