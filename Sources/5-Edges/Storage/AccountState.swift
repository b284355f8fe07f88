internal import Settings
package import Time
package import Timeline

/// The state of an account, except its posts: identity, refresh times and the last problem.
package struct AccountState: Sendable, Hashable {
  /// The user whose timeline this is; `nil` before the first login.
  package var identity: AccountIdentity?
  /// The time when the provider last returned the timeline.
  package var refreshedAt: Timestamp?
  package var nextRefreshAt: Timestamp?
  /// The time when the timeline became stale; `nil` while it is fresh.
  package var staleSince: Timestamp?
  /// The reason the timeline is stale.
  package var problem: Problem?
  /// The entity tag of the newest page (RFC 9110 §8.8.3), as received.
  package var entityTag: String?
  package var rateLimit: RateLimit?
  /// The time when the last request ended, with or without a response. All other times in this state were computed at that time.
  package var askedAt: Timestamp?
  /// The number of consecutive failures, which determines the pause before the next attempt.
  package var failures: Int
  /// The newest post that the user has read.
  package var readUpTo: PostPosition?
  /// Posts published before this time are ignored: they were purged or are older than the retention period.
  package var keepsFrom: Timestamp?
  /// The number of posts to publish if the configuration does not say; `nil` for this version's default. An earlier version's account has
  /// that version's default.
  package var usualPosts: Int?

  package init(
    identity: AccountIdentity? = nil, refreshedAt: Timestamp? = nil, nextRefreshAt: Timestamp? = nil,
    staleSince: Timestamp? = nil, problem: Problem? = nil, entityTag: String? = nil, rateLimit: RateLimit? = nil,
    askedAt: Timestamp? = nil, failures: Int = 0, readUpTo: PostPosition? = nil, keepsFrom: Timestamp? = nil,
    usualPosts: Int? = nil
  ) {
    self.identity = identity
    self.refreshedAt = refreshedAt
    self.nextRefreshAt = nextRefreshAt
    self.staleSince = staleSince
    self.problem = problem
    self.entityTag = entityTag
    self.rateLimit = rateLimit
    self.askedAt = askedAt
    self.failures = failures
    self.readUpTo = readUpTo
    self.keepsFrom = keepsFrom
    self.usualPosts = usualPosts
  }

  /// Returns the maximum number of posts in the account's published file.
  /// - Parameter setting: the number in the configuration; `nil` if it has none.
  package func publishedPosts(_ setting: Int?) -> Int { setting ?? usualPosts ?? ProgramDefaults.keepPosts }

  /// Copies the outcome of a request to the provider, without the user's settings.
  package mutating func copyOutcome(of other: AccountState) {
    refreshedAt = other.refreshedAt
    staleSince = other.staleSince
    problem = other.problem
    entityTag = other.entityTag
    copyPacing(of: other)
  }

  /// Returns whether the states differ only in refresh times, rate limits and the entity tag, as they do after a refresh without new posts.
  package func differsOnlyInRefreshing(from other: AccountState) -> Bool {
    var same = other
    same.refreshedAt = refreshedAt
    same.entityTag = entityTag
    let failures = same.failures
    same.copyPacing(of: self)
    return failures == same.failures && same == self
  }

  /// Copies the time of the next request and the values that determine it.
  package mutating func copyPacing(of other: AccountState) {
    nextRefreshAt = other.nextRefreshAt
    rateLimit = other.rateLimit
    askedAt = other.askedAt
    failures = other.failures
  }
}
