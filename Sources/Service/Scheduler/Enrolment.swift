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

/// What the schedule has to know of an account, as its files say.
struct Enrolment: Sendable {
  let member: Schedule.Member
  let moments: Schedule.Moments
  let limit: RateLimit?
  let askedAt: Timestamp?
  let refreshes: RefreshState
  /// Why it had no timeline when it was asked last; `nil` when it had.
  let trouble: String?
  /// When the login ends that nothing renews; `nil` where none does.
  let loginEnds: Timestamp?
}

extension Account {
  /// How the schedule takes the account up, after a start or a change: whatever the user may have put right is asked for at once.
  /// To be called on the lane's queue.
  func enrolment() -> Enrolment {
    let now = clock.now
    let state = knownState
    return Enrolment(
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

  /// What is wrong with it before anybody is asked: what was wrong the last time, or that nobody has logged in.
  private func troubleAtStart(_ state: AccountState) -> String? {
    if let problem = state.problem { return problem.message }
    // A file that cannot be read is told of when the token is wanted.
    return tokens.isPresent || state.nextRefreshAt != nil ? nil : Problem.notAuthorisedYet(name).message
  }

  /// Nothing of an account without a timeline is ever due but its token.
  private func dueAtStart(_ state: AccountState, at now: Timestamp) -> Timestamp? {
    guard provider.traits.hasTimeline else { return nil }
    // Whether a keyring is unlocked by now is seen by trying.
    return state.problem?.code == .secretUnavailable
      ? now : state.due(at: now, interval: pace, isFresh: true)
  }

  /// When the login ends, by the server's clock; `nil` where it does not, or is renewed. To be called on the lane's queue.
  var loginEnds: Timestamp? { (try? tokens.read())?.grant.loginExpiresAt }

  /// What a round, or a page, that has ended means for the schedule. To be called on the lane's queue.
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
      // Nobody was asked, so looking again costs nothing: whoever spoilt a file may have put it right.
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
  /// The application that limits are shared with.
  fileprivate var application: String? {
    switch self {
    case .builtIn, .selfRegistered: nil
    case .oauth1(let key, _): key
    case .oauth2(let client, _): client
    }
  }
}
