package import Time
package import Timeline

/// The schedule for fetching pages in a gap, or below all known posts. Each window reserves one request for the user, and some for the
/// scheduled refreshes until its end. Filling uses only the remaining requests.
package enum Filling {
  /// The pause between two pages if no limits are known.
  static let politePause = Duration.seconds(10)

  /// Returns the time of the next page; `nil` if no page is wanted, or if the outcome forbids it. In that case, the next successful refresh
  /// resumes filling.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the last request.
  ///   - work: the purpose of the last request.
  ///   - plan: the plan that `Pacing` made after it.
  ///   - limit: the account's window, with this request counted.
  package static func next(
    after outcome: RefreshOutcome, of work: Work, plan: Pacing.Plan, limit: RateLimit?, interval: Duration,
    now: Timestamp
  ) -> Timestamp? {
    switch outcome {
    case .served(hasMore: true):
      guard let limit, now < limit.end, limit.reset - now <= Backoff.longest else { return now + politePause }
      let start = free(of: limit, due: plan.due, interval: interval, now: now) > 0 ? now : limit.end
      return start + Backoff.betweenPages
    // A failed page request is retried like a refresh, regardless of the interval.
    case .limited(let until) where work == .fill, .held(let until) where work == .fill:
      return max(min(until, now + Backoff.longest) + RateLimit.margin, now + Backoff.pause(after: plan.failures))
    case .transient(let until) where work == .fill:
      return max(until.map { min($0, now + Backoff.longest) } ?? now, now + Backoff.pause(after: plan.failures))
    case .unusable where work == .fill, .cancelled where work == .fill:
      return now + Backoff.pause(after: plan.failures)
    case .served, .limited, .transient, .paused, .budget, .permanent, .held, .unusable, .cancelled: return nil
    }
  }

  /// Returns the number of requests in a window that are available for filling.
  static func free(of limit: RateLimit, due: Timestamp?, interval: Duration, now: Timestamp) -> Int {
    limit.remaining - RateLimit.spare
      - refreshes(from: due.map { max($0, now) }, until: limit.end, interval: interval)
  }

  /// Returns the number of refreshes that are due before a given time, including the first one.
  static func refreshes(from due: Timestamp?, until end: Timestamp, interval: Duration) -> Int {
    guard let due, due < end else { return 0 }
    let between = (end - due).components.seconds / max(1, interval.components.seconds)
    return 1 + Int(between)
  }
}
