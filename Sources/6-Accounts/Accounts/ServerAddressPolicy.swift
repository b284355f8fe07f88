internal import HomelineOAuth
internal import Bytes
internal import Dispatch
internal import HTTPClient
package import Providers
internal import Time

/// The addresses that an account's requests may use. The user, or a provider's own file, may specify any address. An address specified only
/// in the server's metadata (RFC 8414) must not be in a private network or on this machine, unless the server itself is there.
package struct ServerAddressPolicy: Sendable {
  private let hosts: Set<String>
  private let issuer: String

  /// - Parameter host: the provider's scheme, host and port.
  /// - Returns: the policy; `nil` if no address was obtained from metadata.
  package init?(_ profile: OAuth2Profile, provider host: String) {
    guard let metadata = profile.metadata, let issuer = try? RequestURL(metadata.issuer) else { return nil }
    let known = profile.endpoints
    let named =
      [known?.authorize, known?.token, known?.revocation, known?.deviceAuthorization, known?.userInfo]
      + profile.overrides.all
    hosts = Set(([issuer, try? RequestURL(host)] + named).compactMap { $0?.host })
    self.issuer = issuer.host
  }

  /// Returns the policy for requests to a URL.
  /// - Returns: the policy; `nil` if any address is allowed.
  func reach(of url: String) -> AddressPolicy? {
    if let parsed = try? RequestURL(url), hosts.contains(parsed.host) { return nil }
    return AddressPolicy(trusting: issuer)
  }
}
