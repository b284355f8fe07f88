internal import CivilTime
internal import Dispatch
internal import HomelineOAuth
internal import HTTPClient
package import Providers

/// Where an account's requests may go: anywhere the user, or a provider's own file, has named; where only the server's metadata (RFC 8414)
/// names an address, not into private networks and not to this machine, unless the server is there itself.
package struct ServerAddressPolicy: Sendable {
  private let hosts: Set<String>
  private let issuer: String

  /// - Parameter host: the provider's scheme, host and port.
  /// - Returns: `nil` where no address comes out of metadata.
  package init?(_ profile: OAuth2Profile, provider host: String) {
    guard let metadata = profile.metadata, let issuer = try? RequestURL(metadata.issuer) else { return nil }
    let known = profile.endpoints
    let named =
      [known?.authorize, known?.token, known?.revocation, known?.deviceAuthorization, known?.userInfo]
      + profile.overrides.all
    hosts = Set(([issuer, try? RequestURL(host)] + named).compactMap { $0?.host })
    self.issuer = issuer.host
  }

  /// - Returns: `nil` for anywhere.
  func reach(of url: String) -> AddressPolicy? {
    if let parsed = try? RequestURL(url), hosts.contains(parsed.host) { return nil }
    return AddressPolicy(trusting: issuer)
  }
}
