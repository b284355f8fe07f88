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
