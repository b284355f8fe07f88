internal import Accounts
internal import CivilTime
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Refresh
internal import Scheduling
internal import Settings
internal import Storage
internal import Timeline

/// The account data that the schedule needs, as read from the account's files.
struct ScheduleData: Sendable {
  let member: Schedule.Member
  let moments: Schedule.Moments
  let limit: RateLimit?
  let askedAt: Timestamp?
  let refreshes: RefreshState
  /// The reason the last attempt did not fetch a timeline; `nil` if it did.
  let trouble: String?
  /// The time when a login that cannot be renewed expires; `nil` if there is no such login.
  let loginEnds: Timestamp?
}

extension Account {
  /// Returns the account's data for the schedule, after a start or a change. A refresh is due at once if the user may have fixed the
  /// account's problem. Call on the account's queue.
  func scheduleData() -> ScheduleData {
    let now = clock.now
    let state = knownState
    return ScheduleData(
      member: Schedule.Member(
        account: name, host: provider.host, application: settings.credentials.application,
        interval: settings.refreshInterval),
      moments: Schedule.Moments(
        due: dueAtStart(state, at: now),
        filling: affordable(provider.traits.hasTimeline && hasMore ? now : nil), renewal: renewalDue
      ).notBefore(starts.earliestByWall),
      limit: state.limit(at: now), askedAt: state.askedAt, refreshes: RefreshState(state),
      trouble: troubleAtStart(state),
      loginEnds: loginEnds)
  }

  /// Returns the account's problem before its first request: the last refresh's problem, or a missing login.
  private func troubleAtStart(_ state: AccountState) -> String? {
    if let problem = state.problem { return problem.message }
    // A token file that cannot be read is reported once the token is needed.
    return !needsToken || tokens.isPresent || state.nextRefreshAt != nil ? nil : Problem.notAuthorisedYet(name).message
  }

  /// Returns when the first refresh is due; `nil` for an account without a timeline, for which only token renewals are scheduled.
  private func dueAtStart(_ state: AccountState, at now: Timestamp) -> Timestamp? {
    guard provider.traits.hasTimeline else { return nil }
    // Only trying shows whether the keyring has been unlocked.
    return state.problem?.code == .secretUnavailable
      ? now : state.due(at: now, interval: pace, isFresh: true)
  }

  /// The time when the login expires, according to the server's clock; `nil` if it does not expire or is renewed. Call on the account's
  /// queue.
  var loginEnds: Timestamp? { (try? tokens.read())?.grant.loginExpiresAt }

  /// Returns how a finished round or page affects the schedule. Call on the account's queue.
  func ending(_ report: RefreshReport, of work: Work) -> Schedule.Ending {
    let now = clock.now
    let state = knownState
    let outcome: RefreshOutcome
    var due = state.nextRefreshAt
    switch report.outcome {
    case .refreshed: outcome = .served(hasMore: report.hasMore)
    case .failed(let problem): outcome = RefreshOutcome(problem)
    case .limited(let until):
      outcome = .limited(until: until)
      due = max(due ?? until, until)
    case .unable(let failure):
      // No request was sent, so another attempt costs nothing, and the user may have fixed a file.
      outcome = .transient(until: nil)
      due = now + (failure.kind == .inputOutput ? Backoff.storageRetry : lookAgain)
    case .cancelled:
      outcome = .transient(until: nil)
      due = now
    }
    guard provider.traits.hasTimeline else {
      return Schedule.Ending(
        outcome: outcome, limit: nil, requests: 0, next: Schedule.Moments(due: nil, renewal: renewalDue))
    }
    let plan = Pacing.Plan(due: due, failures: state.failures)
    let filling = Filling.next(
      after: outcome, of: work, plan: plan, limit: state.limit(at: now), interval: settings.refreshInterval, now: now)
    return Schedule.Ending(
      outcome: outcome, limit: state.limit(at: now), requests: report.pages,
      next: Schedule.Moments(due: due, filling: affordable(filling), renewal: renewalDue))
  }
}

extension AccountCredentials {
  /// The application whose accounts share rate limits.
  fileprivate var application: String? {
    switch self {
    case .builtIn, .selfRegistered: nil
    case .oauth1(let key, _): key
    case .oauth2(let client, _): client
    }
  }
}
