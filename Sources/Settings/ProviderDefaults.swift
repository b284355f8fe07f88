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
  /// How many posts an empty account takes at first; `nil` for as many as it keeps.
  package var firstFillPosts: Int?
  /// How many posts may be fetched on one day, where each costs money; `nil` where none does, and then no account may say it.
  package var postsPerDay: Int?

  package init(
    needsKeys: Bool, endpoints: [String] = [], refreshInterval: Duration? = nil, keepPosts: Int? = nil,
    signatureMethod: SignatureMethod? = nil, firstFillPosts: Int? = nil, postsPerDay: Int? = nil
  ) {
    self.needsKeys = needsKeys
    self.endpoints = endpoints
    self.refreshInterval = refreshInterval
    self.keepPosts = keepPosts
    self.signatureMethod = signatureMethod
    self.firstFillPosts = firstFillPosts
    self.postsPerDay = postsPerDay
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
    // What a day and a first fill cost at X's price stands in docs/x.md. Its requests are not worth more than one in 15 minutes: on
    // some plans there are no more, and an answer without posts is free, but brings nothing either.
    "x": ProviderDefaults(
      needsKeys: true,
      endpoints: ["request_token", "authorize", "access_token", "users_me", "home_timeline", "invalidate_token"],
      refreshInterval: .seconds(900), firstFillPosts: 50, postsPerDay: 200),
  ]
}
