package import CivilTime
internal import Scheduling
package import Storage
package import Timeline

/// The stored state as the schedule reads it. Another process may have written it, with a clock that has since been set.
extension AccountState {
  /// The time of the next refresh by a clock that shows `now`; `nil` if none is scheduled.
  ///
  /// - Parameters:
  ///   - interval: the user's time between two refreshes, which may have become shorter since then.
  ///   - isFresh: whether a configuration that may have corrected a problem has just been read. With a problem that needs a login,
  ///     nothing is scheduled.
  package func due(at now: Timestamp, interval: Duration, isFresh: Bool = false) -> Timestamp? {
    guard let nextRefreshAt else {
      guard let problem, case .permanent(let reason) = RefreshOutcome(problem) else { return now }
      return isFresh && reason != .needsLogin ? now : nil
    }
    var due = nextRefreshAt - ahead(of: now)
    if problem == nil, failures == 0, let askedAt {
      let asked = askedAt - ahead(of: now)
      due = min(due, max(asked + interval, limit(at: now)?.earliest(after: asked) ?? now))
    }
    return min(due, now + Pacing.furthest)
  }

  /// The current rate limit window; `nil` if none is known or it is over.
  package func limit(at now: Timestamp) -> RateLimit? {
    guard let rateLimit else { return nil }
    let shifted = RateLimit(
      limit: rateLimit.limit, remaining: rateLimit.remaining, reset: rateLimit.reset - ahead(of: now))
    return now < shifted.end && shifted.reset - now <= Backoff.longest ? shifted : nil
  }

  /// The shortest time by which the clock must have been set back since these times were written.
  private func ahead(of now: Timestamp) -> Duration {
    askedAt.map { max(.zero, $0 - now) } ?? .zero
  }
}
