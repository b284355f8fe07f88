internal import CivilTime
internal import Settings
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

  /// Returns whether the limits of the provider and the user allow work, regardless of the running requests at the host.
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
      // One request finds out whether the payment has been made.
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
      // Running work is counted as running, and is due again after its end.
      let due = entry.running == nil ? entry.moments.due.map { max($0, now) } : now + interval
      return sum + Filling.refreshes(from: due, until: end, interval: interval)
    }
    demand[member.window] = count
    return count
  }
}

extension Schedule {
  /// Applies an outcome to all accounts that share its scope.
  mutating func block(
    _ member: Member, after ending: Ending, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    let latest = now + Backoff.longest
    switch ending.outcome {
    case .served, .unchanged:
      // The payment has been made, so the other accounts need not wait for the rest of the hour.
      if let application = member.applicationScope { barriers[application] = nil }
    case .limited(let until):
      raise(.limit, at: member.window, until: min(until, latest) + RateLimit.margin, using: &generator)
    case .transient(let until?): raise(.limit, at: .host(member.host), until: min(until, latest), using: &generator)
    case .paused(let until):
      let next = until.map { min($0, latest) } ?? now
      raise(
        .pause, at: member.applicationScope ?? .token(member.account), until: max(next, now + Pacing.pausedPause),
        using: &generator)
    case .budget(let until): raise(.limit, at: .budget(member.account), until: min(until, latest), using: &generator)
    case .transient(nil), .permanent: break
    }
  }

  /// Blocks a scope until a given time, and spreads out its accounts after that time.
  private mutating func raise(
    _ kind: Barrier.Kind, at scope: Scope, until: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    if let old = barriers[scope], old.kind == kind, old.until >= until { return }
    barriers[scope] = Barrier(kind: kind, until: until)
    let waiting = entries.filter { $0.value.member.scopes.contains(scope) }
    spread(Set(waiting.keys), overdueAt: until, from: until, using: &generator)
  }
}
