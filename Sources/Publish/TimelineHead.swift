package import CivilTime
package import Timeline

/// The members of a published file apart from its posts.
package struct TimelineHead: Sendable, Hashable {
  /// The account's name in the configuration.
  package var account: String
  /// The provider's name.
  package var provider: String
  /// The user whose timeline this is; `nil` before the first login. The avatar is not published.
  package var user: User?
  /// When the provider last returned the timeline, as known at the time of writing. Refreshes that return nothing new do not update it
  /// for up to ``Freshness/replacementInterval``.
  package var refreshedAt: Timestamp?
  /// When the posts stop counting as fresh, unless the file is replaced before that; `nil` if nothing is promised because refreshes fail or
  /// none is scheduled.
  package var freshUntil: Timestamp?
  /// When refreshes began to fail; `nil` while they succeed.
  package var staleSince: Timestamp?
  package var problem: Problem?
  /// When the user has to log in again; `nil` if the login does not expire or is renewed automatically.
  package var loginNeededBy: Timestamp?
  /// The newest post that the user has read; `nil` if none was marked.
  package var readUpTo: PostID?
  /// The number of published posts that are newer.
  package var unread: Int
  /// Newest first.
  package var gaps: [PublishedGap]

  package init(
    account: String, provider: String, user: User? = nil, refreshedAt: Timestamp? = nil,
    freshUntil: Timestamp? = nil, staleSince: Timestamp? = nil, problem: Problem? = nil,
    loginNeededBy: Timestamp? = nil, readUpTo: PostID? = nil, unread: Int = 0,
    gaps: [PublishedGap] = []
  ) {
    self.account = account
    self.provider = provider
    self.user = user
    self.refreshedAt = refreshedAt
    self.freshUntil = freshUntil
    self.staleSince = staleSince
    self.problem = problem
    self.loginNeededBy = loginNeededBy
    self.readUpTo = readUpTo
    self.unread = unread
    self.gaps = gaps
  }

  /// Whether a program should show that the posts are old: refreshes fail, or the file was not replaced in time.
  package func isStale(at now: Timestamp) -> Bool {
    staleSince != nil || freshUntil.map { now > $0 } ?? false
  }

  /// Whether a file with the other head may stay in place instead of this one: they differ only in refresh times, and the file promises
  /// freshness for long enough.
  package func isCovered(by published: TimelineHead, until refreshDue: Timestamp?) -> Bool {
    var same = self
    same.copyTimes(of: published)
    guard same == published else { return false }
    guard let refreshDue, let promise = published.freshUntil else {
      return refreshDue == nil && published.freshUntil == nil
    }
    return refreshDue <= promise
  }

  /// Copies the values that change with each refresh, even if it returns nothing new.
  package mutating func copyTimes(of other: TimelineHead) {
    (refreshedAt, freshUntil) = (other.refreshedAt, other.freshUntil)
  }
}

/// The time for which a published file counts as fresh, which lets a program detect that the service has stopped.
///
/// A file is replaced when its content changes. While refreshes return nothing new, it stays for about an hour. It therefore
/// promises freshness for an hour beyond the next refresh, and is replaced by the first refresh after which the promise would be
/// too short.
package struct Freshness: Sendable, Hashable {
  /// The time for which a file stays in place while only refresh times change.
  package static let replacementInterval = Duration.seconds(3600)

  /// When the next scheduled refresh will have ended, unless there is a problem. It may be late by one refresh interval, or by a minute
  /// if that is longer.
  package let refreshDue: Timestamp

  package init(refreshedAt: Timestamp?, nextRefreshAt: Timestamp) {
    let interval = refreshedAt.map { nextRefreshAt - $0 } ?? .zero
    refreshDue = nextRefreshAt + max(interval, .seconds(60))
  }

  /// The end of freshness for a file written now.
  package var freshUntil: Timestamp { refreshDue + Self.replacementInterval }
}

/// A gap in the published file: the two posts between which others may be missing.
package struct PublishedGap: Sendable, Hashable {
  /// The newest known post below the gap.
  let after: PostID
  /// The oldest known post above the gap.
  package let before: PostID
  /// Whether the missing posts can still be requested from the provider.
  package let isFillable: Bool

  package init(after: PostID, before: PostID, isFillable: Bool) {
    self.after = after
    self.before = before
    self.isFillable = isFillable
  }

  package init(_ gap: Gap) { self.init(after: gap.after.id, before: gap.before.id, isFillable: gap.isFillable) }
}
