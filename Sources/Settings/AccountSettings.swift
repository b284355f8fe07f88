package import HomelineOAuth

/// What holds for one account: each value from the account, else from its provider's defaults, else from the program's.
package struct AccountSettings: Sendable, Hashable {
  package var name: AccountName
  package var provider: String
  /// Whether the service looks after it. One that is not enabled is still checked and can be named in a command.
  package var isEnabled: Bool
  package var credentials: AccountCredentials
  package var signatureMethod: SignatureMethod
  /// How long to wait between two refreshes.
  package var refreshInterval: Duration
  /// How many posts the published file holds at most.
  package var keepPosts: Int
  /// How many posts an empty account takes at first; `nil` for as many as it keeps.
  package var firstFillPosts: Int?
  /// How many posts may be fetched on one day (UTC) where each costs money; `nil` for no limit.
  package var postsPerDay: Int?
  /// URLs that replace the provider's own, by the name of the endpoint. Each is https, or stays on this machine: so
  /// PLAINTEXT needs no check of its own.
  package var endpoints: [String: RequestURL]
  /// Whether an answer without `oauth_callback_confirmed=true` is refused (RFC 5849 §2.1 demands it; some servers leave it out).
  package var requiresCallbackConfirmation: Bool

  package init(
    name: AccountName, provider: String, isEnabled: Bool = true, credentials: AccountCredentials,
    signatureMethod: SignatureMethod = ProgramDefaults.signatureMethod,
    refreshInterval: Duration = ProgramDefaults.refreshInterval, keepPosts: Int = ProgramDefaults.keepPosts,
    firstFillPosts: Int? = nil, postsPerDay: Int? = nil,
    endpoints: [String: RequestURL] = [:], requiresCallbackConfirmation: Bool = true
  ) {
    self.name = name
    self.provider = provider
    self.isEnabled = isEnabled
    self.credentials = credentials
    self.signatureMethod = signatureMethod
    self.refreshInterval = refreshInterval
    self.keepPosts = keepPosts
    self.firstFillPosts = firstFillPosts
    self.postsPerDay = postsPerDay
    self.endpoints = endpoints
    self.requiresCallbackConfirmation = requiresCallbackConfirmation
  }
}
