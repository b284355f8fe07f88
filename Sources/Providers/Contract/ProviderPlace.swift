package import HomelineOAuth

/// Where a provider is asked and how its users authorise this program, as far as an account says it.
package struct ProviderPlace: Sendable, Hashable {
  /// The protocols that there are.
  package enum Scheme: Sendable, Hashable {
    /// RFC 5849.
    case oauth1
    /// RFC 6749.
    case oauth2
  }

  package var scheme: Scheme
  /// Where the provider's paths hang; `nil` for its own server.
  package var base: RequestURL?
  /// Single addresses that replace the provider's own.
  package var endpoints: [EndpointName: RequestURL]
  /// The authorisation server's name for itself, byte by byte (RFC 8414 §2); `nil` when the account says none.
  package var issuer: String?
  /// What is asked to be allowed; `nil` for what the provider's timeline needs.
  package var scopes: [String]?

  package init(
    _ scheme: Scheme = .oauth1, at base: RequestURL? = nil, endpoints: [EndpointName: RequestURL] = [:],
    issuer: String? = nil, scopes: [String]? = nil
  ) {
    self.scheme = scheme
    self.base = base
    self.endpoints = endpoints
    self.issuer = issuer
    self.scopes = scopes
  }

  /// The address that the account gives for a name, else the provider's own path below the base, or below its own server.
  /// - Parameter server: such as `https://api.example.org`.
  func url(_ name: EndpointName, _ path: String, below server: String) throws(RequestURLError) -> RequestURL {
    if let url = endpoints[name] { return url }
    return try RequestURL((base?.folder ?? server) + path)
  }
}

extension RequestURL {
  /// The same as text without a slash at its end and without a query, for paths to be put behind it.
  var folder: String { baseStringURI.hasSuffix("/") ? String(baseStringURI.dropLast()) : baseStringURI }
}

/// The addresses of providers, by their names in the configuration.
package enum EndpointName: String, Sendable, Hashable, CaseIterable {
  // OAuth 1.0a (RFC 5849 §2)
  case requestToken = "request_token"
  case accessToken = "access_token"
  case invalidateToken = "invalidate_token"
  // Where users are sent to, in either version
  case authorize
  // OAuth 2.0 (RFC 6749 §3, 7009, 8628)
  case token
  case revoke
  case deviceAuthorization = "device_authorization"
  // What tokens are good for
  case verifyCredentials = "verify_credentials"
  case usersMe = "users_me"
  case homeTimeline = "home_timeline"
  case tokenInfo = "token_info"
  case usersShow = "users_show"
  case userInfo = "userinfo"
}

/// The addresses of the three legs of OAuth 1.0a (RFC 5849 §2), and where a token is given back.
package struct OAuth1Endpoints: Sendable, Hashable {
  package let requestToken: RequestURL
  package let authorize: RequestURL
  package let accessToken: RequestURL
  /// `nil` where a token cannot be given back.
  package let invalidateToken: RequestURL?

  /// Addresses that the account names; a token cannot be given back.
  init(requestToken: RequestURL, authorize: RequestURL, accessToken: RequestURL) {
    self.requestToken = requestToken
    self.authorize = authorize
    self.accessToken = accessToken
    invalidateToken = nil
  }

  /// The paths that Twitter gave them, with single ones replaced by the account.
  ///
  /// A token is given back only where it came from: with `access_token` moved to another server, `invalidate_token` counts
  /// only when it is named too.
  /// - Parameters:
  ///   - server: the provider's own.
  ///   - invalidation: the path where a token is given back.
  init(_ place: ProviderPlace, below server: String, invalidation path: String) throws(RequestURLError) {
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
