package import Time
package import Timeline

/// The members of a published file, except its posts.
package struct TimelineHead: Sendable, Hashable {
  /// The account's name in the configuration.
  package var account: String
  /// Which of the account's timelines this is. A view has the name of a home timeline.
  package var timeline: TimelineName
  /// The provider's name.
  package var provider: String
  /// The user whose timeline this is; `nil` before the first login. The avatar is not published.
  package var user: User?
  /// The time when the provider last returned the timeline, as known at the time of writing. Refreshes that return no new posts do not
  /// update this for up to ``Freshness/replacementInterval``.
  package var refreshedAt: Timestamp?
  /// When the posts stop being fresh, unless the file is replaced before then; `nil` while refreshes fail, or if none is
  /// scheduled.
  package var freshUntil: Timestamp?
  /// The time when refreshes began to fail; `nil` while they succeed.
  package var staleSince: Timestamp?
  package var problem: Problem?
  /// The time when the login expires; `nil` if it does not expire or is renewed automatically.
  package var loginNeededBy: Timestamp?
  /// The newest post that the user has read; `nil` if none was marked.
  package var readUpTo: PostID?
  /// The number of published posts that are newer than `readUpTo`.
  package var unread: Int
  /// The gaps, newest first.
  package var gaps: [PublishedGap]

  package init(
    account: String, timeline: TimelineName = .home, provider: String, user: User? = nil,
    refreshedAt: Timestamp? = nil, freshUntil: Timestamp? = nil, staleSince: Timestamp? = nil, problem: Problem? = nil,
    loginNeededBy: Timestamp? = nil, readUpTo: PostID? = nil, unread: Int = 0,
    gaps: [PublishedGap] = []
  ) {
    self.account = account
    self.timeline = timeline
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

  /// The account's name for its home timeline and for a view, otherwise `ACCOUNT/TIMELINE`.
  package var name: String { timeline == .home ? account : "\(account)/\(timeline)" }

  /// Returns whether a program should show that the posts are old, because refreshes fail or the file was not replaced in time.
  package func isStale(at now: Timestamp) -> Bool {
    staleSince != nil || freshUntil.map { now > $0 } ?? false
  }

  /// Returns whether a published file with the given head may remain in place of one with this head: the heads differ only in refresh
  /// times, and the file stays fresh for long enough.
  package func isCovered(by published: TimelineHead, until refreshDue: Timestamp?) -> Bool {
    var same = self
    same.copyTimes(of: published)
    guard same == published else { return false }
    guard let refreshDue, let promise = published.freshUntil else {
      return refreshDue == nil && published.freshUntil == nil
    }
    return refreshDue <= promise
  }

  /// Copies the values that change with each refresh, even if it returns no new posts.
  package mutating func copyTimes(of other: TimelineHead) {
    (refreshedAt, freshUntil) = (other.refreshedAt, other.freshUntil)
  }
}
