package import CivilTime
package import Timeline

/// When an account is asked again. Pure, and out of what is kept in the account's database: a process that is started for one
/// refresh keeps to it as well as a service that stays.
package struct Pacing: Sendable, Hashable {
  /// The next refresh, and what has gone wrong before it.
  package struct Plan: Sendable, Hashable {
    /// When the next refresh is due; `nil` when nothing is planned.
    package var due: Timestamp?
    /// How many requests have failed one after the other.
    package var failures: Int

    package init(due: Timestamp?, failures: Int) {
      self.due = due
      self.failures = failures
    }
  }

  /// Added by chance to a moment that the provider named, as others were told the same one.
  package static let told = Duration.seconds(5)

  /// How often a provider that wants money is looked at.
  package static let pausedPause = Duration.seconds(3600)

  /// The user's: the time between two refreshes.
  package let interval: Duration

  /// Whether other accounts use the same window up: then `Schedule` gives turns in it, and the account is due when its interval
  /// is over.
  let sharesWindow: Bool

  package init(interval: Duration, sharesWindow: Bool = false) {
    self.interval = interval
    self.sharesWindow = sharesWindow
  }

  /// What is planned after a request's outcome.
  ///
  /// - Parameters:
  ///   - plan: what was planned before.
  ///   - work: what the request was for: a page that fills a gap puts no refresh off unless it failed.
  ///   - limit: the account's window, this request counted.
  ///   - generator: for the jitter; it only ever adds.
  package func next(
    after outcome: RefreshOutcome, of work: Work, plan: Plan, limit: RateLimit?, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) -> Plan {
    let failures = plan.failures + 1
    let backoff = now + Backoff.pause(after: failures, using: &generator)
    let random = Backoff.random(upTo: Self.told, using: &generator)
    switch outcome {
    case .served, .unchanged:
      if work != .fill { return Plan(due: max(now + interval, window(limit, now, random)), failures: 0) }
      // The page came out of what the window has over, so the refresh stays where it is, unless others have used the window up.
      return Plan(due: latest([lastOfWindow(limit, now, random)], work, plan), failures: 0)
    case .limited(let until):
      return Plan(
        due: latest([backoff, capped(until, now) + RateLimit.margin + random], work, plan), failures: failures)
    case .transient(let until):
      let told = until.map { capped($0, now) + random } ?? now
      return Plan(
        due: latest([backoff, told, lastOfWindow(limit, now, random)], work, plan), failures: failures)
    case .paused(let until):
      let hourly = now + Self.pausedPause
      return Plan(
        due: latest([hourly, until.map { capped($0, now) } ?? hourly], work, plan).map { $0 + random }, failures: 0)
    case .budget(let until):
      return Plan(due: latest([backoff, capped(until, now) + random], work, plan), failures: 0)
    case .permanent:
      return Plan(due: nil, failures: failures)
    }
  }

  /// No plan lies further ahead than this.
  package static let furthest = Backoff.longest + RateLimit.margin + told

  /// The end of a window of which only the user's request is left; else `now`.
  private func lastOfWindow(_ limit: RateLimit?, _ now: Timestamp, _ random: Duration) -> Timestamp {
    (limit?.remaining ?? .max) <= RateLimit.spare ? window(limit, now, random) : now
  }

  /// The earliest moment that the window allows at an even pace.
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
