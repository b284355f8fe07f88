package import Time
package import Timeline

/// When a timeline is asked for next, and why then. Only ``next(after:of:plan:limit:now:using:)`` decides this.
///
/// The times are calculated only from the values in the account's database, so a process for a single refresh keeps to the same times as a
/// service.
package struct Pacing: Sendable, Hashable {
  /// The next refresh, and the failures before it.
  package struct Plan: Sendable, Hashable {
    /// The time when the next refresh is due; `nil` if none is scheduled.
    package var due: Timestamp?
    /// The number of consecutive failed requests.
    package var failures: Int
    /// Whether the failures are answers that only the user can change. The pauses after these and after other failures grow independently
    /// of each other.
    var isFinal: Bool

    package init(due: Timestamp?, failures: Int, isFinal: Bool = false) {
      self.due = due
      self.failures = failures
      self.isFinal = isFinal
    }
  }

  /// What has happened to an account.
  package enum Event: Sendable, Hashable {
    /// Work has started.
    case started
    /// Work has ended.
    /// - Parameter requests: the number of requests sent; 0 if the outcome was known without a request.
    case ended(RefreshOutcome, requests: Int = 1)
    /// Data was stored late, because it could not be stored when it arrived.
    /// - Parameter askedAt: the end of the last request.
    case stored(askedAt: Timestamp?)
  }

  /// What determines the time of the next refresh.
  package enum Reason: Sendable, Hashable {
    /// The plan before the event; the event did not change it.
    case plan
    /// The user's interval.
    case interval
    /// The pace that the rate-limit window allows.
    case window
    /// The end of the limit that was reached.
    case limit
    /// The time that the server gave after an error.
    case retryAfter
    /// The growing pauses after failures.
    case failures
    /// The pause between two checks of a provider that demands payment.
    case payment
    /// The end of the user's own limit.
    case budget
    /// The pause after an answer that only the user can change.
    case user
    /// The next attempt to use an unusable file.
    case file
    /// The work was cancelled, and is repeated.
    case repetition

    /// Whether the time is published with the problem: it is if the provider gave the time, or the next refresh is far away.
    package var isPublished: Bool {
      switch self {
      case .limit, .retryAfter, .user: true
      case .plan, .interval, .window, .failures, .payment, .budget, .file, .repetition: false
      }
    }
  }

  /// A pause of all accounts that share something.
  struct Wait: Sendable, Hashable {
    /// What the waiting accounts share.
    enum Sharing: Sendable, Hashable {
      case window
      case host
      case application
      /// Only the account itself waits.
      case budget
    }

    let sharing: Sharing
    let barrier: Barrier

    init(_ kind: Barrier.Kind, _ sharing: Sharing, until: Timestamp) {
      self.sharing = sharing
      barrier = Barrier(kind: kind, until: until)
    }
  }

  /// What follows from an event.
  package struct Decision: Sendable, Hashable {
    /// The next refresh.
    package var plan: Plan
    package var reason: Reason
    /// For each kind of the timeline's work, the earliest time of its next start, whatever is planned.
    var floors = WorkTimes(due: nil)
    /// The earliest time of the token's next renewal, whatever is planned.
    var renewalFloor: Timestamp?
    /// Who else waits; `nil` if nobody does.
    var wait: Wait?
  }

  /// The maximum jitter that is added to a time given by the provider, because other clients received the same time.
  static let maximumJitter = Duration.seconds(5)

  /// The time between two checks of a provider that demands payment.
  static let pausedPause = Duration.seconds(3600)

  /// The furthest ahead that work is scheduled.
  package static let furthest = Backoff.longest + RateLimit.margin + maximumJitter

  /// The refresh interval set by the user.
  let interval: Duration

  /// Whether other timelines share the window. `Schedule` then decides their order, and a timeline is due when its interval has passed.
  let sharesWindow: Bool

  /// Whether requests cost money, or are counted by the user's own limits.
  let isScarce: Bool

  package init(interval: Duration, sharesWindow: Bool = false, isScarce: Bool = false) {
    self.interval = interval
    self.sharesWindow = sharesWindow
    self.isScarce = isScarce
  }

  /// Returns what follows from an event.
  ///
  /// - Parameters:
  ///   - work: the purpose of the work. A page that fills a gap postpones a refresh only if it failed.
  ///   - plan: the plan before the event.
  ///   - limit: the account's window, with this work's requests counted.
  ///   - generator: for the jitter, which is never negative.
  package func next(
    after event: Event, of work: Work = .refresh, plan: Plan, limit: RateLimit? = nil, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) -> Decision {
    decision(after: event, work, plan, limit, now) { Backoff.random(upTo: $0, using: &generator) }
  }

  /// Returns what follows from an event without jitter, for events and values that need none.
  package func next(
    after event: Event, of work: Work = .refresh, plan: Plan = Plan(due: nil, failures: 0), limit: RateLimit? = nil,
    now: Timestamp
  ) -> Decision {
    decision(after: event, work, plan, limit, now) { _ in .zero }
  }

  /// - Parameter jitter: returns a duration of at most the given one.
  private func decision(
    after event: Event, _ work: Work, _ plan: Plan, _ limit: RateLimit?, _ now: Timestamp,
    jitter: (Duration) -> Duration
  ) -> Decision {
    switch event {
    case .started:
      return Decision(
        plan: plan, reason: .plan, floors: floors(afterStartOf: work, now),
        renewalFloor: work == .renew ? now + Backoff.shortest : nil)
    case .stored(let askedAt):
      let due = max(askedAt.map { $0 + interval } ?? now, now)
      return Decision(plan: Plan(due: due, failures: 0), reason: .interval)
    case .ended(let outcome, let requests):
      var result = decision(after: outcome, work, plan, limit, now, jitter: jitter)
      // If no request was sent, only the user or a file can change the outcome: for example, no token is stored, or the token has expired.
      if outcome.isFinal, requests == 0 { result.plan.due = nil }
      if !outcome.isGood {
        let next = now + Backoff.shortest
        if work == .renew {
          result.renewalFloor = next
        } else {
          result.floors = WorkTimes(due: next, filling: next)
        }
      }
      result.wait = wait(after: outcome, now)
      return result
    }
  }

  private func decision(
    after outcome: RefreshOutcome, _ work: Work, _ plan: Plan, _ limit: RateLimit?, _ now: Timestamp,
    jitter: (Duration) -> Duration
  ) -> Decision {
    let failures = (plan.isFinal == outcome.isFinal ? plan.failures : 0) + 1
    let backoff = now + Backoff.pause(after: failures, jitter: jitter)
    // A server that gives a time is asked at that time. The pauses grow only if it keeps giving times.
    let patience = now + max(Backoff.shortest, Backoff.pause(after: failures - 1, jitter: jitter))
    let random = jitter(Self.maximumJitter)
    /// Plans a refresh at the latest of these times.
    func decide(_ reason: Reason, failures: Int, _ moments: Timestamp...) -> Decision {
      let due = (moments + (work == .fill ? [plan.due].compactMap(\.self) : [])).max()
      return Decision(plan: Plan(due: due, failures: failures, isFinal: outcome.isFinal), reason: reason)
    }
    switch outcome {
    case .served:
      let regular = now + interval
      if work != .fill {
        let paced = window(limit, now, random)
        return Decision(
          plan: Plan(due: max(regular, paced), failures: 0), reason: paced > regular ? .window : .interval)
      }
      // The page used a spare request from the window, so the refresh is not moved, unless other clients have used up the window.
      let end = lastOfWindow(limit, now, random)
      return decide((plan.due ?? now) < end ? .window : .plan, failures: 0, end)
    case .limited(let until):
      return decide(.limit, failures: failures, patience, capped(until, now) + RateLimit.margin + random)
    case .transient(let until?):
      return decide(
        .retryAfter, failures: failures, patience, capped(until, now) + random, lastOfWindow(limit, now, random))
    case .transient(nil):
      return decide(.failures, failures: failures, backoff, lastOfWindow(limit, now, random))
    case .paused(let until):
      let hourly = now + Self.pausedPause + random
      return decide(.payment, failures: 0, hourly, until.map { capped($0, now) + random } ?? hourly)
    case .budget(let until):
      return decide(.budget, failures: 0, backoff, capped(until, now) + random)
    case .permanent:
      let pause = Backoff.pause(afterFinal: failures, isScarce: isScarce)
      return decide(.user, failures: failures, now + pause + random)
    case .held(let until):
      return Decision(plan: Plan(due: max(plan.due ?? until, until), failures: plan.failures), reason: .limit)
    case .unusable(let isDisk):
      let pause = isDisk ? Backoff.storageRetry : max(interval, Self.maximumJitter)
      return Decision(plan: Plan(due: now + pause, failures: plan.failures), reason: .file)
    case .cancelled: return Decision(plan: Plan(due: now, failures: plan.failures), reason: .repetition)
    }
  }

  // MARK: Other work

  /// Returns the earliest times of the next starts, whether the work that has started succeeds or fails.
  private func floors(afterStartOf work: Work, _ now: Timestamp) -> WorkTimes {
    switch work {
    case .renew: WorkTimes(due: nil)
    case .fill: WorkTimes(due: nil, filling: now + Backoff.betweenPages)
    case .user, .refresh:
      WorkTimes(due: now + min(interval, Backoff.shortest), filling: now + Backoff.betweenPages)
    }
  }

  private func wait(after outcome: RefreshOutcome, _ now: Timestamp) -> Wait? {
    switch outcome {
    case .limited(let until), .held(let until):
      Wait(.limit, .window, until: capped(until, now) + RateLimit.margin)
    case .transient(let until?): Wait(.limit, .host, until: capped(until, now))
    case .paused(let until):
      Wait(.pause, .application, until: max(until.map { capped($0, now) } ?? now, now + Self.pausedPause))
    case .budget(let until): Wait(.limit, .budget, until: capped(until, now))
    case .served, .transient(nil), .permanent, .unusable, .cancelled: nil
    }
  }

  // MARK: Windows

  /// Returns the end of the window if only the user's request is left in it; otherwise `now`.
  private func lastOfWindow(_ limit: RateLimit?, _ now: Timestamp, _ random: Duration) -> Timestamp {
    (limit?.remaining ?? .max) <= RateLimit.spare ? window(limit, now, random) : now
  }

  /// Returns the earliest time that the window allows at an even pace.
  private func window(_ limit: RateLimit?, _ now: Timestamp, _ random: Duration) -> Timestamp {
    guard let limit, !sharesWindow, limit.reset - now <= Backoff.longest else { return now }
    let earliest = limit.earliest(after: now)
    return earliest >= limit.end ? earliest + random : earliest
  }

  private func capped(_ until: Timestamp, _ now: Timestamp) -> Timestamp { min(until, now + Backoff.longest) }
}
