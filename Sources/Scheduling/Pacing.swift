package import CivilTime
package import Timeline

/// The times at which an account is refreshed. They are calculated only from the values in the account's database, so a process for a
/// single refresh keeps to the same times as a service.
package struct Pacing: Sendable, Hashable {
  /// The next refresh, and the failures before it.
  package struct Plan: Sendable, Hashable {
    /// The time when the next refresh is due; `nil` if none is scheduled.
    package var due: Timestamp?
    /// The number of consecutive failed requests.
    package var failures: Int

    package init(due: Timestamp?, failures: Int) {
      self.due = due
      self.failures = failures
    }
  }

  /// The maximum jitter that is added to a time given by the provider, because other clients received the same time.
  package static let maximumJitter = Duration.seconds(5)

  /// The time between two checks of a provider that demands payment.
  package static let pausedPause = Duration.seconds(3600)

  /// The refresh interval set by the user.
  let interval: Duration

  /// Whether other accounts share the window. If so, `Schedule` decides their order, and an account is due when its interval has passed.
  let sharesWindow: Bool

  /// Whether requests cost money, or are counted by the user's own limits.
  let isScarce: Bool

  package init(interval: Duration, sharesWindow: Bool = false, isScarce: Bool = false) {
    self.interval = interval
    self.sharesWindow = sharesWindow
    self.isScarce = isScarce
  }

  /// Returns the plan after a request's outcome.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the request.
  ///   - work: the purpose of the request. A page that fills a gap does not postpone a refresh unless it failed.
  ///   - plan: the plan before the request.
  ///   - limit: the account's window, with this request counted.
  ///   - generator: for the jitter, which is never negative.
  package func next(
    after outcome: RefreshOutcome, of work: Work, plan: Plan, limit: RateLimit?, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) -> Plan {
    let failures = plan.failures + 1
    let backoff = now + Backoff.pause(after: failures, using: &generator)
    // A server that gives a time is asked then. Only if it goes on doing so do the pauses grow.
    let patience = now + max(Backoff.shortest, Backoff.pause(after: failures - 1, using: &generator))
    let random = Backoff.random(upTo: Self.maximumJitter, using: &generator)
    switch outcome {
    case .served, .unchanged:
      if work != .fill { return Plan(due: max(now + interval, window(limit, now, random)), failures: 0) }
      // The page used a spare request from the window, so the refresh is not moved, unless other clients have used up the window.
      return Plan(due: latest([lastOfWindow(limit, now, random)], work, plan), failures: 0)
    case .limited(let until):
      return Plan(
        due: latest([patience, capped(until, now) + RateLimit.margin + random], work, plan), failures: failures)
    case .transient(let until?):
      return Plan(
        due: latest([patience, capped(until, now) + random, lastOfWindow(limit, now, random)], work, plan),
        failures: failures)
    case .transient(nil):
      return Plan(due: latest([backoff, lastOfWindow(limit, now, random)], work, plan), failures: failures)
    case .paused(let until):
      let hourly = now + Self.pausedPause
      return Plan(
        due: latest([hourly, until.map { capped($0, now) } ?? hourly], work, plan).map { $0 + random }, failures: 0)
    case .budget(let until):
      return Plan(due: latest([backoff, capped(until, now) + random], work, plan), failures: 0)
    case .permanent:
      let pause = Backoff.pause(afterFinal: failures, isScarce: isScarce)
      return Plan(due: latest([now + pause + random], work, plan), failures: failures)
    }
  }

  /// The furthest ahead that work is scheduled.
  package static let furthest = Backoff.longest + RateLimit.margin + maximumJitter

  /// Returns the end of a window in which only the user's request is left; otherwise `now`.
  private func lastOfWindow(_ limit: RateLimit?, _ now: Timestamp, _ random: Duration) -> Timestamp {
    (limit?.remaining ?? .max) <= RateLimit.spare ? window(limit, now, random) : now
  }

  /// Returns the earliest time that the window allows at an even pace.
  private func window(_ limit: RateLimit?, _ now: Timestamp, _ random: Duration) -> Timestamp {
    guard let limit, !sharesWindow, limit.reset - now <= Backoff.longest else { return now }
    let earliest = limit.earliest(after: now)
    return earliest >= limit.end ? earliest + random : earliest
  }

  private func latest(_ moments: [Timestamp], _ work: Work, _ plan: Plan) -> Timestamp? {
    (moments + (work == .fill ? [plan.due].compactMap(\.self) : [])).max()
  }

  private func capped(_ until: Timestamp, _ now: Timestamp) -> Timestamp { min(until, now + Backoff.longest) }
}
