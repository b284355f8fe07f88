internal import Settings
internal import Time
internal import Timeline

/// The conditions for starting work: barriers, windows, and the number of running requests.
extension Schedule {
  /// Returns whether work may start at a given time, according to the data known at `now`.
  func opening(
    for member: Member, of work: Work, _ timeline: TimelineName?, at moment: Timestamp, now: Timestamp,
    demand: inout Demand
  ) -> Opening {
    guard underWay[.host(member.host)] < Self.requestsPerHost else { return .taken }
    return limit(for: member, of: work, timeline, at: moment, now: now, demand: &demand)
  }

  /// Returns whether the provider's and the user's limits allow work, regardless of requests in progress to the host.
  func limit(
    for member: Member, of work: Work, _ timeline: TimelineName?, at moment: Timestamp, now: Timestamp,
    demand: inout Demand
  ) -> Opening {
    var opening = Opening.open
    // A renewal does not use up any of the timeline's window.
    guard let timeline else { return barrier(of: .host(member.host), for: work, at: moment) }
    let scope = member.window(of: timeline)
    if let window = windows[scope] {
      opening = window.opening(
        for: work, underWay: underWay[scope],
        demand: work == .user ? 0 : count(&demand, of: member.account, in: scope, window, now: now), at: moment)
    }
    guard !barriers.isEmpty else { return opening }
    return member.scopes(of: timeline).reduce(opening) { $0.and(barrier(of: $1, for: work, at: moment)) }
  }

  private func barrier(of scope: Scope, for work: Work, at moment: Timestamp) -> Opening {
    guard let barrier = barriers[scope] else { return .open }
    switch barrier.kind {
    case .limit: return moment < barrier.until ? .closed(until: barrier.until) : .open
    case .pause:
      if work == .user { return .open }
      if moment < barrier.until { return .closed(until: barrier.until) }
      // A single request finds out whether the payment has been made.
      return underWay[scope] == 0 ? .open : .taken
    }
  }

  /// Counts the refreshes that are due before a window's end.
  /// - Parameter account: one of the accounts that share the window.
  private func count(
    _ demand: inout Demand, of account: AccountName, in scope: Scope, _ window: SharedWindow, now: Timestamp
  ) -> Int {
    guard let end = window.reported?.end, now < end else { return 0 }
    if let known = demand[scope] { return known }
    let count =
      switch scope {
      case .kind, .token: entries[account].map { refreshes(of: $0, in: scope, until: end, now: now) } ?? 0
      case .application, .host, .budget:
        entries.values.reduce(0) { $0 + refreshes(of: $1, in: scope, until: end, now: now) }
      }
    demand[scope] = count
    return count
  }

  private func refreshes(of entry: Entry, in scope: Scope, until end: Timestamp, now: Timestamp) -> Int {
    entry.plans.reduce(0) { sum, plan in
      guard entry.member.window(of: plan.timeline) == scope else { return sum }
      let interval = plan.terms.interval
      // Running work counts as running, and is due again after its end.
      let isRunning = entry.running.map { $0.timeline ?? plan.timeline == plan.timeline } ?? false
      let due = isRunning ? now + interval : plan.moments.due.map { max($0, now) }
      return sum + Filling.refreshes(from: due, until: end, interval: interval)
    }
  }
}

extension Schedule {
  /// Blocks everything that a wait applies to.
  /// - Parameter timeline: the timeline whose refresh has met the limit.
  mutating func block(
    _ member: Member, _ timeline: TimelineName, _ wait: Pacing.Wait, using generator: inout some RandomNumberGenerator
  ) {
    let scope: Scope =
      switch wait.sharing {
      case .window: member.window(of: timeline)
      case .host: .host(member.host)
      case .application: member.applicationScope ?? .token(member.account)
      case .budget: .budget(member.account)
      }
    raise(wait.barrier, at: scope, using: &generator)
  }

  /// Blocks a scope until a given time, and spreads out its accounts, if there are several, after that time.
  private mutating func raise(
    _ barrier: Barrier, at scope: Scope, using generator: inout some RandomNumberGenerator
  ) {
    if let old = barriers[scope], old.kind == barrier.kind, old.until >= barrier.until { return }
    barriers[scope] = barrier
    let waiting = entries.filter { $0.value.member.scopes.contains(scope) }
    spread(Set(waiting.keys), overdueAt: barrier.until, from: barrier.until, using: &generator)
  }
}
