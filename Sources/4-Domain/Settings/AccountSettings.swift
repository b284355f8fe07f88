package import Bytes
package import OAuthValues
package import Timeline

/// The settings of one account, whose timelines inherit them. A value that the account lacks comes from its provider's defaults, or from the program's.
package struct AccountSettings: Sendable, Hashable {
  package var name: AccountName
  package var provider: String
  /// The timelines that the account fetches, with their own settings; `nil` for its home timeline alone.
  package var ownTimelines: [TimelineSettings]?
  /// Whether the service refreshes the account. An account that is not enabled is still checked, and commands can use it.
  package var isEnabled: Bool
  package var credentials: AccountCredentials
  /// The OAuth 2.0 scopes to request; `nil` for the scopes that the provider needs. Never empty.
  package var scopes: [String]?
  /// The origin of the account's server, if its provider has many servers.
  package var server: RequestURL?
  /// The identifier of the authorisation server as written, because it is compared byte by byte (RFC 8414 §3.3).
  package var issuer: String?
  package var signatureMethod: SignatureMethod
  /// The time between two refreshes.
  package var refreshInterval: Duration
  /// The maximum number of posts in the published file; `nil` for the default, which depends on the version that created the account.
  package var keepPosts: Int?
  /// The number of posts that an empty account fetches first; `nil` for the default.
  package var firstFillPosts: Int?
  /// The spending limits; none if reading is free.
  package var budget: Budget
  /// The cost in millionths of a US dollar beyond which the user must confirm a post; `nil` if no confirmation is needed.
  package var confirmAboveMicroUSD: Int64?
  /// URLs that replace the provider's own, by endpoint name. Each uses https or stays on this machine, so PLAINTEXT signatures need no
  /// further check.
  package var endpoints: [String: RequestURL]
  /// Whether a response without `oauth_callback_confirmed=true` is refused. RFC 5849 §2.1 requires this parameter, but some servers omit
  /// it.
  package var requiresCallbackConfirmation: Bool
  /// The formats published in addition to `home_timeline.json`, without duplicates.
  package var publish: [PublishedFormat] = []
  /// The maximum number of posts in a feed. The feed contains the newest posts.
  package var feedPosts = ProgramDefaults.feedPosts
  /// The number of days to keep posts in the archive; `nil` means forever.
  package var keepDays: Int?
  /// Whether the archive keeps posts that are no longer published.
  package var keepsArchive = true
  /// The number of days to keep the text of a post deleted on its server; 0 to keep none.
  package var eraseDeletedDays = ProgramDefaults.eraseDeletedDays
  /// A program and its arguments, to run with the new posts as JSON Lines on its standard input.
  package var onNewPosts: [String]?
  /// Whether files without a description are refused.
  package var requiresAltText = false
  /// Whether the filters that the user has set up on the server apply to the timeline.
  package var appliesServerFilters = true
  /// Whether the read marks of the home timeline and of notifications are shared with the user's other clients, through the server.
  package var syncsMarks = false
  /// Whether new posts cause desktop notifications.
  package var notifies = false
  /// The settings of a cloud drive; `nil` for other accounts.
  package var drive: DriveSettings?
  /// How the account's OAuth 2.0 requests are made.
  package var oauth2 = OAuth2Settings()
  /// The settings that Weibo requires for publishing posts.
  package var weibo = WeiboSettings()

  package init(
    name: AccountName, provider: String, isEnabled: Bool = true, credentials: AccountCredentials,
    scopes: [String]? = nil, server: RequestURL? = nil, issuer: String? = nil,
    signatureMethod: SignatureMethod = ProgramDefaults.signatureMethod,
    refreshInterval: Duration = ProgramDefaults.refreshInterval, keepPosts: Int? = nil,
    firstFillPosts: Int? = nil, budget: Budget = Budget(), endpoints: [String: RequestURL] = [:],
    requiresCallbackConfirmation: Bool = true
  ) {
    self.name = name
    self.provider = provider
    self.isEnabled = isEnabled
    self.credentials = credentials
    self.scopes = scopes
    self.server = server
    self.issuer = issuer
    self.signatureMethod = signatureMethod
    self.refreshInterval = refreshInterval
    self.keepPosts = keepPosts
    self.firstFillPosts = firstFillPosts
    self.budget = budget
    self.endpoints = endpoints
    self.requiresCallbackConfirmation = requiresCallbackConfirmation
  }

  /// The timelines that the account fetches. The first is its home timeline.
  package var timelines: [TimelineName] { ownTimelines?.map(\.name) ?? [.home] }

  package var kindsOfTimelines: Set<TimelineName.Kind> { Set(timelines.map(\.kind)) }

  /// A timeline's settings. A timeline that the account does not fetch has those of the account.
  package subscript(timeline: TimelineName) -> TimelineSettings {
    ownTimelines?.first { $0.name == timeline } ?? inherited(by: timeline)
  }

  /// Returns the settings of a timeline that has none of its own. A private timeline is shown to others, such as feed readers and programs,
  /// only by its own settings.
  package func inherited(by timeline: TimelineName) -> TimelineSettings {
    TimelineSettings(
      name: timeline, refreshInterval: refreshInterval, keepPosts: keepPosts, firstFillPosts: firstFillPosts,
      keepDays: keepDays, keepsArchive: keepsArchive, publish: timeline.isPrivate ? [] : publish, feedPosts: feedPosts,
      onNewPosts: timeline.isPrivate ? nil : onNewPosts, notifies: !timeline.isPrivate && notifies,
      appliesServerFilters: appliesServerFilters)
  }

  /// The provider's prices; `nil` if reading is free.
  package var prices: Prices? { ProviderDefaults.known[provider]?.prices }

  /// Returns whether the user must confirm a post.
  /// - Parameter microUSD: the cost of the post in millionths of a US dollar.
  package func mustConfirm(_ microUSD: Int64) -> Bool { confirmAboveMicroUSD.map { microUSD > $0 } ?? false }

  /// Returns whether the account has posts.
  package func hasTimeline(knowing providers: [String: ProviderDefaults] = ProviderDefaults.known) -> Bool {
    providers[provider]?.hasTimeline != false && drive?.feedObjection == nil
  }
}
