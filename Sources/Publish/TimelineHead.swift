package import CivilTime
package import Timeline

/// What the published file says besides its posts.
package struct TimelineHead: Sendable, Hashable {
  /// The account's name in the configuration.
  package var account: String
  /// The name of its provider.
  package var provider: String
  /// Whose timeline it is; `nil` before the first login. Its avatar is not published.
  package var user: User?
  /// When the provider last answered with the timeline.
  package var refreshedAt: Timestamp?
  /// When it will be asked again; `nil` when nothing is planned, as after a logout.
  package var nextRefreshAt: Timestamp?
  /// Since when refreshes have failed; `nil` while they succeed.
  package var staleSince: Timestamp?
  package var problem: Problem?
  /// By when its user has to log in again; `nil` where the login does not end, or is renewed without its user.
  package var loginNeededBy: Timestamp?
  /// Up to which post everything is read; `nil` before the first mark.
  package var readUpTo: PostID?
  /// How many of the published posts are newer than that.
  package var unread: Int
  /// Newest first.
  package var gaps: [PublishedGap]

  package init(
    account: String, provider: String, user: User? = nil, refreshedAt: Timestamp? = nil,
    nextRefreshAt: Timestamp? = nil, staleSince: Timestamp? = nil, problem: Problem? = nil,
    loginNeededBy: Timestamp? = nil, readUpTo: PostID? = nil, unread: Int = 0,
    gaps: [PublishedGap] = []
  ) {
    self.account = account
    self.provider = provider
    self.user = user
    self.refreshedAt = refreshedAt
    self.nextRefreshAt = nextRefreshAt
    self.staleSince = staleSince
    self.problem = problem
    self.loginNeededBy = loginNeededBy
    self.readUpTo = readUpTo
    self.unread = unread
    self.gaps = gaps
  }

  /// Whether a reader should say that the posts are old: refreshes fail, or the planned one is overdue.
  ///
  /// Overdue is what is late by a minute or by the refresh interval (the time from the last refresh to the planned one),
  /// whichever is more: a service that died cannot say so itself.
  package func isStale(at now: Timestamp) -> Bool {
    staleSince != nil || overdueAfter.map { now > $0 } ?? false
  }

  /// Until when a planned refresh can still be awaited; `nil` when none is planned.
  package var overdueAfter: Timestamp? {
    guard let nextRefreshAt else { return nil }
    let interval = refreshedAt.map { nextRefreshAt - $0 } ?? .zero
    return nextRefreshAt + max(interval, .seconds(60))
  }
}
