package import CivilTime
package import Timeline

/// When the next page of a gap, or below everything, may be asked for: only out of what the window has left after the scheduled
/// refreshes until its end, and one request for the user.
package enum Filling {
  /// Between two pages where the provider tells its limits.
  package static let pause = Duration.seconds(2)
  /// Between two pages where nothing is known of limits.
  static let politePause = Duration.seconds(10)

  /// The moment of the next page; `nil` when none is wanted, or an outcome forbids it: then the next refresh that is served
  /// takes it up again.
  ///
  /// - Parameters:
  ///   - outcome: that of the last request, and `work` what it was for.
  ///   - plan: what `Pacing` has planned after it.
  ///   - limit: the account's window, this request counted.
  package static func next(
    after outcome: RefreshOutcome, of work: Work, plan: Pacing.Plan, limit: RateLimit?, interval: Duration,
    now: Timestamp
  ) -> Timestamp? {
    switch outcome {
    case .served(hasMore: true), .unchanged(hasMore: true):
      guard let limit, now < limit.end, limit.reset - now <= Backoff.longest else { return now + politePause }
      return free(of: limit, due: plan.due, interval: interval, now: now) > 0 ? now + pause : limit.end + pause
    // A page that met no provider is tried again as a refresh would be, however long the interval is.
    case .limited(let until) where work == .fill:
      return max(min(until, now + Backoff.longest) + RateLimit.margin, now + Backoff.pause(after: plan.failures))
    case .transient(let until) where work == .fill:
      return max(until.map { min($0, now + Backoff.longest) } ?? now, now + Backoff.pause(after: plan.failures))
    case .served, .unchanged, .limited, .transient, .paused, .budget, .permanent: return nil
    }
  }

  /// What is left of a window for filling.
  static func free(of limit: RateLimit, due: Timestamp?, interval: Duration, now: Timestamp) -> Int {
    limit.remaining - RateLimit.spare
      - refreshes(from: due.map { max($0, now) }, until: limit.end, interval: interval)
  }

  /// How many refreshes are due from a first one on, before a moment.
  static func refreshes(from due: Timestamp?, until end: Timestamp, interval: Duration) -> Int {
    guard let due, due < end else { return 0 }
    let between = (end - due).components.seconds / max(1, interval.components.seconds)
    return 1 + Int(between)
  }
}
