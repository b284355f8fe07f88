internal import Settings
internal import Time
internal import Timeline

/// The conditions for starting work: barriers, windows, and the number of running requests.
extension Schedule {
  /// Returns whether work may start at a given time, according to the data known at `now`.
  func opening(
    for member: Member, of work: Work, at moment: Timestamp, now: Timestamp, demand: inout Demand
  ) -> Opening {
    guard underWay[.host(member.host)] < Self.requestsPerHost else { return .taken }
    return limit(for: member, of: work, at: moment, now: now, demand: &demand)
  }

  /// Returns whether the provider's and the user's limits allow work, regardless of requests in progress to the host.
  func limit(
    for member: Member, of work: Work, at moment: Timestamp, now: Timestamp, demand: inout Demand
  ) -> Opening {
    var opening = Opening.open
    // A renewal does not use up any of the timeline's window.
    if work == .renew { return barrier(of: .host(member.host), for: work, at: moment) }
    if let window = windows[member.window] {
      opening = window.opening(
        for: work, underWay: underWay[member.window],
        demand: work == .user ? 0 : count(&demand, of: member, in: window, now: now), at: moment)
    }
    guard !barriers.isEmpty else { return opening }
    return member.scopes.reduce(opening) { $0.and(barrier(of: $1, for: work, at: moment)) }
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

  private func count(_ demand: inout Demand, of member: Member, in window: SharedWindow, now: Timestamp) -> Int {
    guard let end = window.reported?.end, now < end else { return 0 }
    if let known = demand[member.window] { return known }
    let sharers: [Entry] =
      member.windowOwner == .token
      ? entries[member.account].map { [$0] } ?? [] : entries.values.filter { $0.member.window == member.window }
    let count = sharers.reduce(0) { sum, entry in
      let interval = entry.member.interval
      // Running work counts as running, and is due again after its end.
      let due = entry.running == nil ? entry.moments.due.map { max($0, now) } : now + interval
      return sum + Filling.refreshes(from: due, until: end, interval: interval)
    }
    demand[member.window] = count
    return count
  }
}

extension Schedule {
  /// Blocks all accounts that a wait applies to.
  mutating func block(_ member: Member, _ wait: Pacing.Wait, using generator: inout some RandomNumberGenerator) {
    let scope: Scope =
      switch wait.sharing {
      case .window: member.window
      case .host: .host(member.host)
      case .application: member.applicationScope ?? .token(member.account)
      case .budget: .budget(member.account)
      }
    raise(wait.barrier, at: scope, using: &generator)
  }

  /// Blocks a scope until a given time, and spreads out its accounts after that time.
  private mutating func raise(
    _ barrier: Barrier, at scope: Scope, using generator: inout some RandomNumberGenerator
  ) {
    if let old = barriers[scope], old.kind == barrier.kind, old.until >= barrier.until { return }
    barriers[scope] = barrier
    let waiting = entries.filter { $0.value.member.scopes.contains(scope) }
    spread(Set(waiting.keys), overdueAt: barrier.until, from: barrier.until, using: &generator)
  }
}
