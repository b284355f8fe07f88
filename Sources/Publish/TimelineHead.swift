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
  /// When the provider had last answered with the timeline when this was written. Refreshes that bring nothing new do not change it for
  /// up to ``Freshness/replacementInterval``.
  package var refreshedAt: Timestamp?
  /// Until when the posts count as fresh, unless the file is replaced before; `nil` when nothing is promised: refreshes fail, or none is
  /// planned.
  package var freshUntil: Timestamp?
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

  /// Whether a reader should say that the posts are old: refreshes fail, or the file was not replaced in time.
  package func isStale(at now: Timestamp) -> Bool {
    staleSince != nil || freshUntil.map { now > $0 } ?? false
  }

  /// Whether a file with the other head may stay although this one is newer: it says the same but for the times of refreshes, and promises
  /// freshness for long enough.
  package func isCovered(by published: TimelineHead, until refreshDue: Timestamp?) -> Bool {
    var same = self
    same.takeTimes(of: published)
    guard same == published else { return false }
    guard let refreshDue, let promise = published.freshUntil else {
      return refreshDue == nil && published.freshUntil == nil
    }
    return refreshDue <= promise
  }

  /// Takes over what changes with each refresh, whether it brings anything or not.
  package mutating func takeTimes(of other: TimelineHead) {
    (refreshedAt, freshUntil) = (other.refreshedAt, other.freshUntil)
  }
}

/// How long a published file counts as fresh, so that a reader can tell that a service died without asking it.
///
/// A file is replaced when its content changes; while refreshes succeed and bring nothing new it stays, for about an hour. So it promises
/// freshness for an hour beyond the next refresh, and is replaced by the first refresh after which it would promise too little.
package struct Freshness: Sendable, Hashable {
  /// How long a file stays while nothing but the times of refreshes changes.
  package static let replacementInterval = Duration.seconds(3600)

  /// The next planned refresh has ended by then, unless something is wrong: it may be late by the time between two refreshes, or by a
  /// minute where that is more.
  package let refreshDue: Timestamp

  package init(refreshedAt: Timestamp?, nextRefreshAt: Timestamp) {
    let interval = refreshedAt.map { nextRefreshAt - $0 } ?? .zero
    refreshDue = nextRefreshAt + max(interval, .seconds(60))
  }

  /// What a file that is written now promises.
  package var freshUntil: Timestamp { refreshDue + Self.replacementInterval }
}

/// A gap as readers of the file see it: between which two posts others may be missing.
package struct PublishedGap: Sendable, Hashable {
  /// The newest known post below.
  let after: PostID
  /// The oldest known post above.
  package let before: PostID
  /// Whether the provider can still be asked for what lies between.
  package let isFillable: Bool

  package init(after: PostID, before: PostID, isFillable: Bool) {
    self.after = after
    self.before = before
    self.isFillable = isFillable
  }

  package init(_ gap: Gap) { self.init(after: gap.after.id, before: gap.before.id, isFillable: gap.isFillable) }
}
