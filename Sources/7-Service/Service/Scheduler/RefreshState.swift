internal import Accounts
internal import Formats
internal import PublishedFiles
internal import Storage
package import Time
package import Timeline

/// The results of the last requests for a timeline.
package struct RefreshState: Sendable, Hashable {
  /// The time when the provider last responded with the timeline.
  package let refreshedAt: Timestamp?
  /// When the timeline stops being fresh: at the end of the next refresh, unless there is a problem; `nil` while refreshes fail, or if
  /// none is scheduled.
  package let freshUntil: Timestamp?
  package let staleSince: Timestamp?
  package let problem: Problem?
  package let limit: RateLimit?

  init(of timeline: AccountTimeline, _ account: AccountState) {
    let state = account[timeline.name]
    refreshedAt = state.refreshedAt
    freshUntil = state.freshness?.refreshDue
    staleSince = state.staleSince
    problem = state.problem
    limit = timeline.knownLimit(in: account)
  }
}
