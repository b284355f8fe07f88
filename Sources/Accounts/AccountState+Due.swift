package import CivilTime
internal import Scheduling
package import Storage
package import Timeline

/// What is kept, as the schedule takes it up: another process wrote it, perhaps by a clock that has been set since.
extension AccountState {
  /// When the next refresh is due by a clock that shows `now`; `nil` when nothing is planned.
  ///
  /// - Parameters:
  ///   - interval: the user's time between two refreshes, which may have become shorter since.
  ///   - isFresh: whether a configuration has just been read that may set right what was wrong. What only a login can set right
  ///     stays unplanned.
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

  /// The window as it is now; `nil` when nothing is known or it is over.
  package func limit(at now: Timestamp) -> RateLimit? {
    guard let rateLimit else { return nil }
    let shifted = RateLimit(
      limit: rateLimit.limit, remaining: rateLimit.remaining, reset: rateLimit.reset - ahead(of: now))
    return now < shifted.end && shifted.reset - now <= Backoff.longest ? shifted : nil
  }

  /// How far the clock has been set back at least since these moments were written.
  private func ahead(of now: Timestamp) -> Duration {
    askedAt.map { max(.zero, $0 - now) } ?? .zero
  }
}
