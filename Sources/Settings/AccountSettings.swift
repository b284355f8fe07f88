package import HomelineOAuth
package import Timeline

/// The settings of one account. Each value comes from the account or, failing that, from its provider's defaults or the program's defaults.
package struct AccountSettings: Sendable, Hashable {
  package var name: AccountName
  package var provider: String
  /// Whether the service refreshes the account. An account that is not enabled is still checked, and commands can use it.
  package var isEnabled: Bool
  package var credentials: AccountCredentials
  /// The OAuth 2.0 scopes to request; `nil` for those that the provider needs. Never empty.
  package var scopes: [String]?
  /// The origin of the account's server, if its provider has many servers.
  package var server: RequestURL?
  /// The identifier of the authorisation server as written, because it is compared byte by byte (RFC 8414 §3.3).
  package var issuer: String?
  package var signatureMethod: SignatureMethod
  /// The time between two refreshes.
  package var refreshInterval: Duration
  /// The maximum number of posts in the published file.
  package var keepPosts: Int
  /// The number of posts that an empty account fetches first; `nil` for as many as it keeps.
  package var firstFillPosts: Int?
  /// The spending limits; none if reading is free.
  package var budget: Budget
  /// The cost in millionths of a US dollar beyond which the user must confirm a post; `nil` if no confirmation is needed.
  package var confirmAboveMicroUSD: Int64?
  /// URLs that replace the provider's own, by endpoint name. Each uses https or stays on this machine, so PLAINTEXT signatures need no
  /// further check.
  package var endpoints: [String: RequestURL]
  /// Whether a response without `oauth_callback_confirmed=true` is rejected. RFC 5849 §2.1 requires this parameter, but some servers
  /// omit it.
  package var requiresCallbackConfirmation: Bool
  /// The formats published in addition to `home_timeline.json`, without duplicates.
  package var publish: [PublishedFormat] = []
  /// The maximum number of posts in a feed, which contains the newest ones.
  package var feedPosts = ProgramDefaults.feedPosts
  /// The number of days to keep posts in the archive; `nil` means forever.
  package var keepDays: Int?
  /// Whether the archive keeps posts that are no longer published.
  package var keepsArchive = true
  /// The number of days to keep the text of a post that was deleted at its server; 0 to keep none.
  package var eraseDeletedDays = ProgramDefaults.eraseDeletedDays
  /// A program and its arguments, to run with the new posts as JSON Lines on its standard input.
  package var onNewPosts: [String]?
  /// Whether files without a description are rejected.
  package var requiresAltText = false
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
    refreshInterval: Duration = ProgramDefaults.refreshInterval, keepPosts: Int = ProgramDefaults.keepPosts,
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

/// An account's name: 1 to 64 of `a-z 0-9 - _ .`, beginning with a letter or digit.
///
/// Folders are named after accounts, so characters with a special meaning in paths are not allowed. Names that begin with `_` are reserved
/// for the program.
package struct AccountName: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let text: String

  /// The rule as text, for error messages.
  package static let rule = "1 to 64 of the characters a-z 0-9 . - _, beginning with a letter or digit"

  package init?(_ text: String) {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count), let first = bytes.first, Self.isLetterOrDigit(first),
      bytes.allSatisfy({ Self.isLetterOrDigit($0) || "-_.".utf8.contains($0) })
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  package static func < (left: AccountName, right: AccountName) -> Bool { left.text < right.text }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
