internal import Scheduling
package import Storage
package import Time
package import Timeline

/// The stored state as the schedule reads it. It may have been written by another process, before the clock was set back.
extension AccountState {
  /// Returns when a timeline's next refresh is due if the clock shows `now`; `nil` if none is scheduled.
  ///
  /// - Parameters:
  ///   - interval: the configured time between two refreshes. It may have been longer when the state was written.
  ///   - isFresh: whether the configuration has just been read. The user may then have solved the problem that stopped the refreshes.
  ///     Nothing is scheduled while a login is needed.
  package func due(
    _ timeline: TimelineName, at now: Timestamp, interval: Duration, isFresh: Bool = false
  ) -> Timestamp? {
    let timeline = self[timeline]
    if let problem = timeline.problem, case .permanent(let reason) = RefreshOutcome(problem) {
      if isFresh, reason != .needsLogin { return now }
      if timeline.nextRefreshAt == nil { return nil }
    }
    guard let nextRefreshAt = timeline.nextRefreshAt else { return now }
    var due = nextRefreshAt - ahead(of: now)
    if timeline.problem == nil, timeline.failures == 0, let askedAt {
      let asked = askedAt - ahead(of: now)
      due = min(due, max(asked + interval, limit(at: now)?.earliest(after: asked) ?? now))
    }
    return min(due, now + Pacing.furthest)
  }

  /// Returns the current rate limit window; `nil` if none is known or it has ended.
  package func limit(at now: Timestamp) -> RateLimit? {
    guard let rateLimit else { return nil }
    let shifted = RateLimit(
      limit: rateLimit.limit, remaining: rateLimit.remaining, reset: rateLimit.reset - ahead(of: now))
    return now < shifted.end && shifted.reset - now <= Backoff.longest ? shifted : nil
  }

  /// Returns how far, at least, the clock has been set back since the state was written.
  private func ahead(of now: Timestamp) -> Duration {
    askedAt.map { max(.zero, $0 - now) } ?? .zero
  }
}
