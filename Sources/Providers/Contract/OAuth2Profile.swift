package import HomelineOAuth

/// What a provider's OAuth 2.0 is like: its addresses, and where it leaves the common road.
package struct OAuth2Profile: Sendable, Hashable {
  /// Where its addresses are to be asked for before a login (RFC 8414, OpenID Connect Discovery).
  package struct Metadata: Sendable, Hashable {
    /// The server's name for itself, compared byte by byte.
    package let issuer: String
    /// Whether a server that adds a slash to its name is believed (Mastodon does).
    package let acceptsTrailingSlash: Bool

    package init(issuer: String, acceptsTrailingSlash: Bool = false) {
      self.issuer = issuer
      self.acceptsTrailingSlash = acceptsTrailingSlash
    }
  }

  /// Where an access token is put.
  package enum TokenPlacement: Sendable, Hashable {
    /// `Authorization: Bearer TOKEN` (RFC 6750 §2.1).
    case header
    /// A parameter of the query or the form (§2.2, §2.3).
    case parameter(String)
  }

  /// Single addresses that the account's configuration names: each of them counts before what the metadata says.
  package struct Overrides: Sendable, Hashable {
    package var authorize: RequestURL?
    package var token: RequestURL?
    package var revocation: RequestURL?
    package var deviceAuthorization: RequestURL?
    package var userInfo: RequestURL?

    init() {}

    /// The endpoints with these in the place of their own.
    package func applied(to endpoints: OAuth2Endpoints) -> OAuth2Endpoints {
      var all = endpoints
      all.authorize = authorize ?? all.authorize
      all.token = token ?? all.token
      all.revocation = revocation ?? all.revocation
      all.deviceAuthorization = deviceAuthorization ?? all.deviceAuthorization
      all.userInfo = userInfo ?? all.userInfo
      return all
    }

    /// Those that are named.
    package var all: [RequestURL] {
      [authorize, token, revocation, deviceAuthorization, userInfo].compactMap(\.self)
    }
  }

  /// What is known without asking; `nil` where only the metadata tells.
  package var endpoints: OAuth2Endpoints?
  package var overrides = Overrides()
  /// `nil` where there is none to be asked for. With endpoints known already, it only adds to them, and may be missing.
  package var metadata: Metadata?
  package var scopes: [String]
  package var scopeSeparator: String
  /// Whether a code is bound to its request (RFC 7636). A server that does not know that ignores it.
  package var usesPKCE: Bool
  /// The segment behind `callback.path` that tells this provider's redirects from others' (RFC 8252 §8.10); `nil` where an exact
  /// address is registered by the user.
  package var callbackName: String?
  package var tokenPlacement: TokenPlacement
  /// Whether its users can be shown a code to type in instead of being sent back (`urn:ietf:wg:oauth:2.0:oob`). The standard knows
  /// no such way.
  package var offersOutOfBand: Bool
  /// Whether the ID Token of a token answer says who the user is (OpenID Connect Core §2).
  package var readsIDToken = false
  /// How a client with a secret proves who it is, where the metadata does not say otherwise (RFC 6749 §2.3.1).
  package var clientAuthentication: ClientAuthentication

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
  /// Which authorisation server this is, as a short name: its issuer without the scheme, else the host of its token endpoint.
  package var serverName: String {
    if let issuer = metadata?.issuer, let url = try? RequestURL(issuer) {
      return url.path == "/" ? url.authority : url.authority + url.path
    }
    return endpoints?.token.authority ?? ""
  }
}
