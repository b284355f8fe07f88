package import Time
package import Timeline

/// The state of one timeline, except its posts: refresh times, the last problem and the read position.
package struct TimelineState: Sendable, Hashable {
  /// The time when the provider last returned the timeline.
  package var refreshedAt: Timestamp?
  package var nextRefreshAt: Timestamp?
  /// The time when the timeline became stale; `nil` while it is fresh.
  package var staleSince: Timestamp?
  /// The reason the timeline is stale.
  package var problem: Problem?
  /// The entity tag of the newest page (RFC 9110 §8.8.3), as received.
  package var entityTag: String?
  /// The number of consecutive failures, which determines the pause before the next attempt.
  package var failures: Int
  /// The newest post that the user has read.
  package var readUpTo: PostPosition?
  /// What the provider calls the timeline, such as a list's id, as the server gave it; `nil` if it is not known or not needed.
  package var reference: String?
  /// When the last walk through the user's marks on the server ended; `nil` if none was due yet, or for other timelines.
  package var walkedAt: Timestamp?

  package init(
    refreshedAt: Timestamp? = nil, nextRefreshAt: Timestamp? = nil, staleSince: Timestamp? = nil,
    problem: Problem? = nil, entityTag: String? = nil, failures: Int = 0, readUpTo: PostPosition? = nil,
    reference: String? = nil
  ) {
    self.refreshedAt = refreshedAt
    self.nextRefreshAt = nextRefreshAt
    self.staleSince = staleSince
    self.problem = problem
    self.entityTag = entityTag
    self.failures = failures
    self.readUpTo = readUpTo
    self.reference = reference
  }

  /// Copies the outcome of a request to the provider, without the user's read position.
  mutating func copyOutcome(of other: TimelineState) {
    let readUpTo = readUpTo
    self = other
    self.readUpTo = readUpTo
  }

  /// Copies what a refresh without new posts changes.
  mutating func copyRefreshing(of other: TimelineState) {
    refreshedAt = other.refreshedAt
    nextRefreshAt = other.nextRefreshAt
    entityTag = other.entityTag
  }

  /// Copies the time of the next request and the number of failures, which determines it.
  mutating func copyPacing(of other: TimelineState) {
    nextRefreshAt = other.nextRefreshAt
    failures = other.failures
  }
}
