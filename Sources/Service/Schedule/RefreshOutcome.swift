package import CivilTime
package import Store
package import Timeline

/// What came of asking the provider for one page, as far as it says when to ask again.
///
/// That a provider is busy, wants money or has thrown the token away are outcomes of different kinds, not one error.
package enum RefreshOutcome: Sendable, Hashable {
  /// Posts came; and whether more are to be fetched below them: a gap, or older posts that are wanted.
  case served(hasMore: Bool)
  /// Nothing is new; and whether more is to be fetched all the same.
  case unchanged(hasMore: Bool)
  /// Too much was asked: not before this moment.
  case limited(until: Timestamp)
  /// It may work later: not before this moment where the provider named one (`Retry-After`), else after growing pauses.
  case transient(until: Timestamp?)
  /// The provider wants money first: looked at again at this moment, at most hourly.
  case paused(until: Timestamp?)
  /// The user's own limit of a day is used up.
  case budget(until: Timestamp)
  /// It will not work again by itself: nothing is asked before a login, a reload or the user's own refresh.
  case permanent(Reason)

  package enum Reason: Sendable, Hashable {
    case needsLogin
    case configuration
    case closed
    case locked
  }

  /// Whether nothing is asked any more until the user has done something.
  package var isFinal: Bool { if case .permanent = self { true } else { false } }

  /// Whether the provider answered with its timeline.
  package var isGood: Bool {
    switch self {
    case .served, .unchanged: true
    case .limited, .transient, .paused, .budget, .permanent: false
    }
  }
}

extension RefreshOutcome {
  /// What a problem means for the schedule.
  package init(_ problem: Problem) {
    let retryAt = problem.retryAt
    switch problem.code {
    case .notAuthorised: self = .permanent(.needsLogin)
    case .configuration: self = .permanent(.configuration)
    case .closed: self = .permanent(.closed)
    case .locked: self = .permanent(.locked)
    case .rateLimited: self = retryAt.map { .limited(until: $0) } ?? .transient(until: nil)
    case .paused: self = .paused(until: retryAt)
    case .budget: self = retryAt.map { .budget(until: $0) } ?? .paused(until: nil)
    // A keyring may be unlocked and a disk have room again; nobody is asked in vain meanwhile.
    case .network, .provider, .storage, .secretUnavailable: self = .transient(until: retryAt)
    }
  }

  /// What a request that met no provider, or could not be made, means for the schedule.
  package init(_ failure: Failure) {
    switch failure.kind {
    case .unavailable, .inputOutput, .cannotCreate: self = .transient(until: nil)
    case .tryAgain(let moment): self = moment.map { .limited(until: $0) } ?? .transient(until: nil)
    case .notAuthorised: self = .permanent(.needsLogin)
    case .configuration, .badContent, .bug: self = .permanent(.configuration)
    }
  }
}

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
