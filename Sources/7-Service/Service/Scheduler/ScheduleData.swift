internal import Accounts
internal import Platform
internal import Providers
internal import Scheduling
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The account data that the schedule needs, as read from the account's files.
struct ScheduleData: Sendable {
  let member: Schedule.Member
  let known: [TimelineName: Schedule.Known]
  /// The time of the token's next renewal; `nil` for none.
  let renewal: Timestamp?
  let askedAt: Timestamp?
  let refreshes: [TimelineName: RefreshState]
  /// The reasons the last attempts did not fetch a timeline.
  let troubles: [TimelineName: String]
  /// The time when a login that cannot be renewed expires; `nil` if there is no such login.
  let loginEnds: Timestamp?
}

extension Account {
  /// Returns the account's data for the schedule, after a start or a change. A refresh is due immediately if the user may have fixed the
  /// account's problem. Call on the account's queue.
  func scheduleData() -> ScheduleData {
    let now = clock.now
    let state = store.knownState
    return ScheduleData(
      member: Schedule.Member(
        account: name, host: provider.host, application: settings.credentials.application,
        timelines: timelines.mapValues(\.terms)),
      known: timelines.mapValues { timeline in
        Schedule.Known(
          WorkTimes(
            due: dueAtStart(of: timeline.name, state, at: now),
            filling: spending.affordable(provider.hasTimeline && timeline.hasMore ? now : nil, of: timeline.settings)
          ).notBefore(starts.earliestByWall),
          limit: timeline.limit(in: state, at: now), refreshedAt: state[timeline.name].refreshedAt)
      },
      renewal: authority.renewalDue.map { max($0, starts.earliestByWall ?? $0) },
      askedAt: state.askedAt, refreshes: timelines.mapValues { RefreshState(of: $0, state) },
      troubles: timelines.compactMapValues { troubleAtStart(of: $0.name, state) },
      loginEnds: loginEnds)
  }

  /// Returns a timeline's problem before its first request: the last refresh's problem, or a missing login.
  private func troubleAtStart(of timeline: TimelineName, _ state: AccountState) -> String? {
    if let problem = state[timeline].problem { return problem.message }
    // A token file that cannot be read is reported once the token is needed.
    return !authority.needsToken || authority.tokens.isPresent || state[timeline].nextRefreshAt != nil
      ? nil : Problem.notAuthorisedYet(name).message
  }

  /// Returns when a timeline's first refresh is due; `nil` for an account without timelines, because only its token renewals are scheduled.
  private func dueAtStart(of timeline: TimelineName, _ state: AccountState, at now: Timestamp) -> Timestamp? {
    guard provider.hasTimeline else { return nil }
    // Only trying shows whether the keyring has been unlocked.
    return state[timeline].problem?.code == .secretUnavailable
      ? now : state.due(timeline, at: now, interval: spending.pace(of: settings[timeline]), isFresh: true)
  }

  /// The time when the login expires, according to the server's clock; `nil` if it does not expire or is renewed. Call on the account's
  /// queue.
  var loginEnds: Timestamp? { (try? authority.tokens.read())?.loginExpiresAt }

  /// Returns how a finished round or page affects the schedule. Call on the account's queue.
  func ending(_ report: RefreshReport, of work: Work) -> Schedule.Ending {
    let now = clock.now
    let state = store.knownState
    var outcome = report.next
    if outcome.isGood, timelines[report.timeline]?.isWalking == true { outcome = .served(hasMore: true) }
    let timeline = settings[report.timeline]
    let limit = (timelines[report.timeline] ?? home).limit(in: state, at: now)
    var plan = Pacing.Plan(due: state[report.timeline].nextRefreshAt, failures: state[report.timeline].failures)
    switch report.outcome {
    // The time was stored with the result of the request.
    case .refreshed, .failed: break
    case .notSent: plan = core.pacing.next(after: .ended(outcome, requests: 0), plan: plan, now: now).plan
    }
    guard provider.hasTimeline else {
      return Schedule.Ending(
        outcome: outcome, limit: nil, requests: 0, next: WorkTimes(due: nil), renewal: authority.renewalDue)
    }
    let filling = Filling.next(
      after: outcome, of: work, plan: plan, limit: limit, interval: timeline.refreshInterval, now: now)
    return Schedule.Ending(
      outcome: outcome, limit: limit, requests: report.pages,
      next: WorkTimes(due: plan.due, filling: spending.affordable(filling, of: timeline)), renewal: authority.renewalDue
    )
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
