package import Bytes
package import HomelineOAuth
package import Posting
package import Timeline

/// The account's settings that determine a provider's addresses and authorisation.
package struct ProviderLocation: Sendable, Hashable {
  package var version: OAuthVersion
  /// The base address for the provider's paths; `nil` means the provider's own server.
  package var base: RequestURL?
  /// Endpoints that replace the provider's own.
  package var endpoints: [EndpointName: RequestURL]
  /// The identifier of the authorisation server, compared byte by byte (RFC 8414 §2); `nil` if not configured.
  package var issuer: String?
  /// The scopes to request; `nil` for the scopes that the timelines require.
  package var scopes: [String]?
  /// The kinds of the account's timelines. They determine the scopes.
  package var timelines: Set<TimelineName.Kind> = [.home]
  /// The account's other uses of the API, which need scopes too.
  package var uses: [APIScopes.Use] = []
  /// Parameters that are added to the authorisation request.
  package var authorizeParameters: [String: String] = [:]
  /// How the client authenticates; `nil` if not configured.
  package var clientAuthentication: ClientAuthentication?
  /// The domain that a link in each post must lead to, if the provider requires one; `nil` if not configured.
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
