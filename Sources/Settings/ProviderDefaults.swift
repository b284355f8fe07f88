package import HomelineOAuth

/// What the configuration has to know of a provider: what an account may say, and what holds when it does not.
package struct ProviderDefaults: Sendable, Hashable {
  /// Whether an account needs a consumer key and secret; otherwise the provider has its own and none may be given.
  package var needsKeys: Bool
  /// The names of the URLs that `endpoints` may override.
  package var endpoints: [String]
  package var refreshInterval: Duration?
  package var keepPosts: Int?
  package var signatureMethod: SignatureMethod?

  package init(
    needsKeys: Bool, endpoints: [String] = [], refreshInterval: Duration? = nil, keepPosts: Int? = nil,
    signatureMethod: SignatureMethod? = nil
  ) {
    self.needsKeys = needsKeys
    self.endpoints = endpoints
    self.refreshInterval = refreshInterval
    self.keepPosts = keepPosts
    self.signatureMethod = signatureMethod
  }

  /// The providers of this version. They stand here and not beside their addresses, since commands that load no network
  /// library check the configuration too.
  package static let known: [String: ProviderDefaults] = [
    "sandbox": ProviderDefaults(needsKeys: false),
    "twitter": ProviderDefaults(
      needsKeys: true,
      endpoints: [
        "request_token", "authorize", "access_token", "verify_credentials", "home_timeline", "invalidate_token",
      ]),
  ]
}
