package import Settings
package import Time
package import Timeline

/// The schedule of all accounts: a value that receives events and decides which work to start and when to check again.
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

  package func moments(of account: AccountName) -> WorkTimes? { entries[account]?.moments }

  package func running(_ account: AccountName) -> Work? { entries[account]?.running }

  // MARK: Members

  /// Adds an account or changes it. An unchanged account keeps its times, unless nothing was scheduled for it.
  ///
  /// - Parameters:
  ///   - moments: the plan in the account's database; see `AccountState.due(at:interval:isFresh:)`.
  ///   - limit: the window in the account's database.
  ///   - askedAt: the time of the account's last request, for the order of the accounts that share a window.
  package mutating func put(
    _ member: Member, _ moments: WorkTimes, limit: RateLimit? = nil, askedAt: Timestamp? = nil, at now: Timestamp
  ) {
    if let limit { windows[member.window, default: SharedWindow()].learn(limit, at: now) }
    guard var entry = entries[member.account] else {
      entries[member.account] = Entry(member: member, moments: moments, refreshedAt: askedAt.map { min($0, now) })
      return
    }
    let isAnother = entry.member != member
    if entry.running != nil {
      underWay.end(in: entry.member.scopes)
      underWay.begin(in: member.scopes)
    }
    entry.become(member)
    if isAnother || entry.moments.due == nil { entry.plan(moments) }
    entries[member.account] = entry
  }

  /// Removes an account. The end of its running work then has no effect.
  package mutating func remove(_ account: AccountName) {
    guard let entry = entries.removeValue(forKey: account) else { return }
    if entry.running != nil { underWay.end(in: entry.member.scopes) }
    barriers[.token(account)] = nil
    barriers[.budget(account)] = nil
    windows[.token(account)] = nil
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
      guard let entry = entries[candidate.account],
        opening(for: entry.member, of: candidate.work, at: now, now: now, demand: &demand) == .open
      else { continue }
      if candidate.work == .user || candidate.work == .refresh, entry.moments.due.map({ $0 <= now }) ?? false {
        demand[entry.member.window]? -= 1
      }
      begin(candidate.work, of: entry.member, at: now)
      starts.append(Start(account: candidate.account, work: candidate.work))
    }
    return starts
  }

  private mutating func begin(_ work: Work, of member: Member, at now: Timestamp) {
    underWay.begin(in: member.scopes)
    entries[member.account]?.begin(work, at: now)
    guard work != .renew else { return }
    windows[member.window]?.startedAt = now
  }

  /// Ends work. Its outcome applies to all accounts that share the limit that was reached.
  package mutating func ended(
    _ account: AccountName, _ ending: Ending, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    guard var entry = entries[account] else { return }
    let member = entry.member
    let decision = Pacing(interval: member.interval).next(
      after: .ended(ending.outcome, requests: ending.requests), of: entry.running ?? .refresh, now: now)
    if entry.running != nil {
      underWay.end(in: member.scopes)
      entry.raiseFloors(decision)
    }
    entry.running = nil
    entry.plan(ending.next)
    entries[account] = entry
    if let limit = ending.limit {
      let isRefusal =
        switch ending.outcome {
        case .limited, .held: ending.requests > 0
        default: false
        }
      windows[member.window, default: SharedWindow()].learn(limit, isRefusal: isRefusal, at: now)
    } else {
      windows[member.window]?.spend(ending.requests, isGood: ending.outcome.isGood, at: now)
    }
    if let wait = decision.wait {
      block(member, wait, using: &generator)
    } else if ending.outcome.isGood, let application = member.applicationScope {
      // The payment has been made, so the other accounts need not wait until the hour is over.
      barriers[application] = nil
    }
  }

  /// Changes the plan of an account after an event without a request, for example when its disk has free space again.
  package mutating func replan(_ account: AccountName, _ next: WorkTimes) {
    guard let entry = entries[account], entry.running == nil else { return }
    entries[account]?.plan(next)
  }

  /// Returns the time to check again; `nil` if only an event can start further work. Call after `due(at:)`.
  package func nextWakeUp(after now: Timestamp) -> Timestamp? {
    var demand = Demand()
    var earliest: Timestamp?
    for entry in entries.values where entry.running == nil {
      guard let first = entry.first else { continue }
      if let earliest, earliest <= first { continue }
      for (work, moment) in entry.waiting {
        let from = max(moment, now, work == .user ? now : quietUntil ?? now)
        if let earliest, earliest <= from { continue }
        switch opening(for: entry.member, of: work, at: from, now: now, demand: &demand) {
        case .open: earliest = from
        case .closed(let until): earliest = min(earliest ?? until, until)
        case .taken: break
        }
        // Work with a higher priority takes precedence, as in `due(at:)`.
        if from == now { break }
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
      guard let first = entry.first, first <= now,
        let (work, moment) = entry.waiting.first(where: { $0.1 <= now && ($0.0 == .user || !isQuiet) })
      else { continue }
      candidates.append(
        Candidate(account: account, work: work, since: moment, refreshedAt: entry.refreshedAt))
    }
    return candidates.sorted()
  }
}

/// The user's own refreshes, which have priority but never exceed a limit.
extension Schedule {
  /// Returns when the user's own refresh of the account no longer exceeds a limit; `nil` if it may start.
  func blocked(_ account: AccountName, at now: Timestamp) -> Timestamp? {
    guard let member = entries[account]?.member else { return nil }
    var demand = Demand()
    guard case .closed(let until) = limit(for: member, of: .user, at: now, now: now, demand: &demand) else {
      return nil
    }
    return until
  }

  /// Requests a refresh for the user. `due(at:)` starts it before other work.
  package mutating func wish(_ account: AccountName, at now: Timestamp) {
    guard entries[account]?.wish == nil else { return }
    entries[account]?.wish = now
  }

  /// Withdraws the users' refreshes that would now exceed a limit, so that their users need not wait. Returns when each account's block
  /// ends.
  package mutating func declined(at now: Timestamp) -> [AccountName: Timestamp] {
    var declined: [AccountName: Timestamp] = [:]
    for (account, entry) in entries where entry.wish != nil && entry.running == nil {
      guard let until = blocked(account, at: now) else { continue }
      declined[account] = until
      entries[account]?.wish = nil
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
    if entry.running != nil { underWay.end(in: entry.member.scopes) }
    entry.running = nil
    if hasFailed {
      entry.raiseFloors(
        Pacing(interval: entry.member.interval).next(after: .ended(.transient(until: nil)), of: .renew, now: now))
    }
    if isFinal { entry.plan(WorkTimes(due: nil)) } else { entry.plan(renewal: next) }
    entries[account] = entry
  }
}
