package import CivilTime
package import Timeline

/// What an account's database knows besides posts: whose it is, when it was and will be asked, and what went wrong.
package struct AccountState: Sendable, Hashable {
  /// Whose timeline this is; `nil` before the first login.
  package var identity: AccountIdentity?
  /// When the provider last answered with the timeline.
  package var refreshedAt: Timestamp?
  package var nextRefreshAt: Timestamp?
  /// Since when the timeline is older than it should be; `nil` while it is fresh.
  package var staleSince: Timestamp?
  /// Why it is stale.
  package var problem: Problem?
  /// The entity tag of the newest page (RFC 9110 §8.8.3), as received.
  package var entityTag: String?
  package var rateLimit: RateLimit?
  /// When a request was last answered, or found nobody: what the other moments of this state were told relative to.
  package var askedAt: Timestamp?
  /// How many attempts have failed one after the other, for the growing pauses between them.
  package var failures: Int
  /// Up to which post everything is read.
  package var readUpTo: PostPosition?
  /// What was published before this moment is not taken any more: it was removed, or is too old to be kept.
  package var keepsFrom: Timestamp?

  package init(
    identity: AccountIdentity? = nil, refreshedAt: Timestamp? = nil, nextRefreshAt: Timestamp? = nil,
    staleSince: Timestamp? = nil, problem: Problem? = nil, entityTag: String? = nil, rateLimit: RateLimit? = nil,
    askedAt: Timestamp? = nil, failures: Int = 0, readUpTo: PostPosition? = nil, keepsFrom: Timestamp? = nil
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
  }

  /// Takes over what came of asking the provider, and leaves what the user has set.
  package mutating func takeOutcome(of other: AccountState) {
    refreshedAt = other.refreshedAt
    staleSince = other.staleSince
    problem = other.problem
    entityTag = other.entityTag
    takePacing(of: other)
  }

  /// Whether nothing is different but when the provider was asked, when it will be, and what it said of limits: as after each refresh that
  /// brings nothing new.
  package func differsOnlyInRefreshing(from other: AccountState) -> Bool {
    var same = other
    same.refreshedAt = refreshedAt
    same.entityTag = entityTag
    let failures = same.failures
    same.takePacing(of: self)
    return failures == same.failures && same == self
  }

  /// Takes over when to ask next, and what that follows from.
  package mutating func takePacing(of other: AccountState) {
    nextRefreshAt = other.nextRefreshAt
    rateLimit = other.rateLimit
    askedAt = other.askedAt
    failures = other.failures
  }
}
