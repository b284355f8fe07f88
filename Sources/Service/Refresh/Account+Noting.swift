internal import CivilTime
internal import Settings
internal import Store
internal import Timeline

/// What an answer means for the account's state. To be called on the lane's queue.
extension Account {
  /// Writes down what came of asking for a page, and when to ask next.
  /// - Parameters:
  ///   - problem: why there is no page; `nil` when there is one.
  ///   - limit: what the answer said of limits; `nil` when it said nothing.
  ///   - requests: how many the provider had; none when something stood in the way before.
  func note(
    _ problem: Problem?, limit: RateLimit?, after requests: Int, of kind: PageJob.Kind, in state: inout AccountState
  ) {
    let now = clock.now
    if requests > 0 { state.askedAt = now }
    state.rateLimit = RateLimit.known(before: state.rateLimit, told: limit, requests: requests, at: now)
    let outcome = problem.map { RefreshOutcome($0) } ?? .served(hasMore: false)
    if problem == nil, kind == .newest {
      state.refreshedAt = now
      state.staleSince = nil
      state.problem = nil
    } else if let problem, kind == .newest || outcome.isFinal {
      // A page below that is missed makes no timeline stale: the next refresh is planned, and the gap is told.
      state.staleSince = state.staleSince ?? now
      state.problem = problem
    }
    var generator = Chance()
    let plan = Pacing(interval: pace).next(
      after: outcome, of: kind == .newest ? .refresh : .fill,
      plan: Pacing.Plan(due: state.nextRefreshAt, failures: state.failures), limit: state.rateLimit, now: now,
      using: &generator)
    state.nextRefreshAt = plan.due
    state.failures = plan.failures
  }

  /// Writes down why nobody can be asked, and when to look again.
  func note(unable problem: Problem, in state: inout AccountState) {
    let now = clock.now
    state.staleSince = state.staleSince ?? now
    state.problem = problem
    state.nextRefreshAt = now + (problem.code == .storage ? Backoff.storageRetry : lookAgain)
  }

  /// After how long a file that was spoilt is looked at again: nobody is asked, so that costs nothing.
  var lookAgain: Duration { max(settings.refreshInterval, Pacing.told) }

  /// Whether a page below others is missed.
  var hasMore: Bool {
    guard let spans = try? database.spans(), let known = try? database.countOfFetchedPosts(upTo: plan.wanted)
    else { return false }
    return plan.hasMore(spans, known: known)
  }

  /// Whether the provider allows no request now.
  var isExhausted: Bool {
    knownState.limit(at: clock.now).map { $0.remaining <= 0 } ?? false
  }
}
