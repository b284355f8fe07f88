package import Settings
package import Time
package import Timeline

/// The schedule of all accounts and their timelines: a value that receives events and decides which work to start and when to check again.
///
/// It has no clock. The clock that provides `now` keeps running during a suspend, and should not be set. If it is set, `shift` moves all
/// times. Known limits apply to all accounts that share them, and no work is started that could exceed a limit.
package struct Schedule: Sendable {
  /// The maximum number of simultaneous requests to one host.
  package static let requestsPerHost = 6

  /// The number of refreshes that are due before the end of a shared window, counted once for all decisions at one time.
  typealias Demand = [Scope: Int]

  var entries: [AccountName: Entry] = [:]
  var barriers: [Scope: Barrier] = [:]
  var windows: [Scope: SharedWindow] = [:]
  var underWay = UnderWay()
  /// No scheduled work starts before this time, because the network may not be available yet.
  var quietUntil: Timestamp?

  package init() {}

  package func moments(of account: AccountName, _ timeline: TimelineName) -> WorkTimes? {
    entries[account]?.plan(of: timeline)?.moments
  }

  /// Returns when the account's next refresh is due; `nil` if none is scheduled.
  package func due(of account: AccountName) -> Timestamp? { entries[account]?.plans.compactMap(\.moments.due).min() }

  package func running(_ account: AccountName) -> Work? { entries[account]?.running?.work }

  // MARK: Members

  /// Adds an account or changes it. Unchanged timelines keep their times, unless nothing was scheduled for them.
  ///
  /// - Parameters:
  ///   - known: what is known of each timeline of the member.
  ///   - renewal: the time of the token's next renewal; `nil` for none.
  ///   - askedAt: the time of the account's last request, for the order of the accounts that share a window.
  package mutating func put(
    _ member: Member, _ known: [TimelineName: Known], renewal: Timestamp? = nil, askedAt: Timestamp? = nil,
    at now: Timestamp
  ) {
    for (timeline, known) in known {
      if let limit = known.limit { windows[member.window(of: timeline), default: SharedWindow()].learn(limit, at: now) }
    }
    guard var entry = entries[member.account] else {
      entries[member.account] = Entry(
        member: member, known, renewal: renewal, refreshedAt: askedAt.map { min($0, now) })
      return
    }
    if let running = entry.running {
      underWay.end(in: entry.member.scopes(of: running.timeline))
      underWay.begin(in: member.scopes(of: running.timeline))
    }
    entry.become(member, known, renewal: renewal)
    entries[member.account] = entry
  }

  /// Removes an account. The end of its running work then has no effect.
  package mutating func remove(_ account: AccountName) {
    guard let entry = entries.removeValue(forKey: account) else { return }
    if let running = entry.running { underWay.end(in: entry.member.scopes(of: running.timeline)) }
    forgetLimits(of: entry.member)
  }

  /// Forgets when an account's work is due, because its user may have solved its problem. Its data, which `put` adds, then determine this. Its
  /// running work and the user's requests remain. The failure of that work no longer determines what is due.
  package mutating func restart(_ account: AccountName) {
    guard let member = entries[account]?.member else { return }
    entries[account]?.restart()
    forgetLimits(of: member)
  }

  /// Forgets the limits that apply only to one account.
  private mutating func forgetLimits(of member: Member) {
    let kinds = member.timelines.keys.map { Scope.kind(member.account, $0.kind) }
    for scope in [.token(member.account), .budget(member.account)] + kinds {
      barriers[scope] = nil
      windows[scope] = nil
    }
  }

  // MARK: Work

  /// Returns the work to start now: first the users' refreshes, then renewals, then the scheduled refreshes in turn, and then filling. From
  /// now on, the schedule treats the work as running.
  package mutating func due(at now: Timestamp) -> [Start] {
    if let quietUntil, quietUntil <= now { self.quietUntil = nil }
    barriers = barriers.filter { $0.value.kind == .pause || now < $0.value.until }
    var demand = Demand()
    var starts: [Start] = []
    for candidate in candidates(at: now) {
      let (work, timeline) = (candidate.work, candidate.timeline)
      guard let entry = entries[candidate.account], entry.running == nil,
        opening(for: entry.member, of: work, timeline, at: now, now: now, demand: &demand) == .open
      else { continue }
      if work == .user || work == .refresh, let timeline,
        entry.plan(of: timeline)?.moments.due.map({ $0 <= now }) ?? false
      {
        demand[entry.member.window(of: timeline)]? -= 1
      }
      begin(work, of: timeline, entry.member, at: now)
      starts.append(Start(account: candidate.account, work: work, timeline: timeline))
    }
    return starts
  }

  private mutating func begin(_ work: Work, of timeline: TimelineName?, _ member: Member, at now: Timestamp) {
    underWay.begin(in: member.scopes(of: timeline))
    entries[member.account]?.begin(work, of: timeline, at: now)
    if let timeline { windows[member.window(of: timeline)]?.startedAt = now }
  }

  /// Ends work for a timeline. Its outcome applies to everything that shares the limit that was reached.
  package mutating func ended(
    _ key: TimelineKey, _ ending: Ending, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    guard var entry = entries[key.account] else { return }
    let (member, timeline, running) = (entry.member, key.timeline, entry.running)
    if let running { underWay.end(in: member.scopes(of: running.timeline)) }
    entry.end()
    guard let terms = member.timelines[timeline] else {
      entries[key.account] = entry
      return
    }
    let window = member.window(of: timeline)
    let decision = Pacing(interval: terms.interval).next(
      after: .ended(ending.outcome, requests: ending.requests), of: running?.work ?? .refresh, now: now)
    if ending.outcome.isGood || running?.isOutdated != true {
      if running != nil { entry.raiseFloors(decision, of: timeline) }
      entry.plan(ending.next, of: timeline)
      entry.plan(renewal: ending.renewal)
    }
    entries[key.account] = entry
    if let limit = ending.limit {
      let isRefusal =
        switch ending.outcome {
        case .limited, .held: ending.requests > 0
        default: false
        }
      windows[window, default: SharedWindow()].learn(limit, isRefusal: isRefusal, at: now)
    } else {
      windows[window]?.spend(ending.requests, isGood: ending.outcome.isGood, at: now)
    }
    if let wait = decision.wait {
      block(member, timeline, wait, using: &generator)
    } else if ending.outcome.isGood, let application = member.applicationScope {
      // The payment has been made, so the other accounts need not wait until the hour is over.
      barriers[application] = nil
    }
  }

  /// Changes the plans of an account after an event without a request, for example when its disk has free space again.
  package mutating func replan(_ account: AccountName, _ next: [TimelineName: WorkTimes], renewal: Timestamp?) {
    guard let entry = entries[account], entry.running == nil else { return }
    for (timeline, next) in next { entries[account]?.plan(next, of: timeline) }
    entries[account]?.plan(renewal: renewal)
  }

  /// Returns the time to check again; `nil` if only an event can start further work. Call after `due(at:)`.
  package func nextWakeUp(after now: Timestamp) -> Timestamp? {
    var demand = Demand()
    var earliest: Timestamp?
    for entry in entries.values where entry.running == nil {
      guard let first = entry.first else { continue }
      if let earliest, earliest <= first { continue }
      for turn in entry.waiting {
        let from = max(turn.at, now, turn.work == .user ? now : quietUntil ?? now)
        if let earliest, earliest <= from { continue }
        switch opening(for: entry.member, of: turn.work, turn.timeline, at: from, now: now, demand: &demand) {
        case .open: earliest = from
        case .closed(let until): earliest = min(earliest ?? until, until)
        case .taken: break
        }
      }
    }
    return earliest
  }

  /// Moves all times as far as the clock was set.
  package mutating func shift(by duration: Duration) {
    quietUntil = quietUntil.map { $0 + duration }
    for account in entries.keys { entries[account]?.shift(by: duration) }
    barriers = barriers.mapValues { Barrier(kind: $0.kind, until: $0.until + duration) }
    for scope in windows.keys { windows[scope]?.shift(by: duration) }
  }

  private func candidates(at now: Timestamp) -> [Candidate] {
    let isQuiet = quietUntil.map { now < $0 } ?? false
    var candidates: [Candidate] = []
    for (account, entry) in entries where entry.running == nil {
      guard let first = entry.first, first <= now else { continue }
      candidates += Candidate.all(
        of: account, entry, entry.waiting.filter { $0.at <= now && ($0.work == .user || !isQuiet) })
    }
    return candidates.sorted()
  }
}

/// The user's own refreshes, which have priority but never exceed a limit.
extension Schedule {
  /// Returns when the user's own refresh of a timeline no longer exceeds a limit; `nil` if it may start.
  func blocked(_ key: TimelineKey, at now: Timestamp) -> Timestamp? {
    guard let member = entries[key.account]?.member else { return nil }
    var demand = Demand()
    guard case .closed(let until) = limit(for: member, of: .user, key.timeline, at: now, now: now, demand: &demand)
    else {
      return nil
    }
    return until
  }

  /// Requests a refresh for the user. `due(at:)` starts it before other work.
  package mutating func wish(_ key: TimelineKey, at now: Timestamp) {
    guard entries[key.account]?.plan(of: key.timeline)?.wish == nil else { return }
    entries[key.account]?.wish(key.timeline, at: now)
  }

  /// Withdraws the users' refreshes that would now exceed a limit, so that their users need not wait. Returns when each timeline's
  /// block ends.
  package mutating func declined(at now: Timestamp) -> [TimelineKey: Timestamp] {
    var declined: [TimelineKey: Timestamp] = [:]
    for (account, entry) in entries where entry.running == nil {
      for plan in entry.plans where plan.wish != nil {
        let key = TimelineKey(account: account, timeline: plan.timeline)
        guard let until = blocked(key, at: now) else { continue }
        declined[key] = until
        entries[account]?.wish(plan.timeline, at: nil)
      }
    }
    return declined
  }
}

extension Schedule {
  /// Ends a renewal. The rest of the plan does not change, unless the account needs a new login.
  /// - Parameters:
  ///   - next: the time of the next renewal.
  ///   - hasFailed: whether the renewal failed to obtain a new token.
  ///   - isFinal: whether no request should be sent before a login.
  package mutating func renewed(
    _ account: AccountName, next: Timestamp?, hasFailed: Bool = false, isFinal: Bool, at now: Timestamp
  ) {
    guard var entry = entries[account] else { return }
    let isOutdated = entry.running?.isOutdated ?? false
    if let running = entry.running { underWay.end(in: entry.member.scopes(of: running.timeline)) }
    entry.end()
    if isOutdated, hasFailed || isFinal {
      entries[account] = entry
      return
    }
    if hasFailed {
      entry.raiseFloor(Pacing(interval: .zero).next(after: .ended(.transient(until: nil)), of: .renew, now: now))
    }
    if isFinal { entry.planNothing() } else { entry.plan(renewal: next) }
    entries[account] = entry
  }
}
