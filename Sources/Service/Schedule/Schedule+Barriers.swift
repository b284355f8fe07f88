internal import CivilTime
internal import Settings
internal import Timeline

extension Schedule {
  /// What an outcome means for those who share its scope.
  mutating func block(
    _ member: Member, after ending: Ending, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    let latest = now + Backoff.longest
    switch ending.outcome {
    case .served, .unchanged:
      // Money has come: the others need not wait for their hour.
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

  /// Nobody in the scope is asked before a moment, and then not all at once.
  private mutating func raise(
    _ kind: Barrier.Kind, at scope: Scope, until: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    if let old = barriers[scope], old.kind == kind, old.until >= until { return }
    barriers[scope] = Barrier(kind: kind, until: until)
    let waiting = entries.filter { $0.value.member.scopes.contains(scope) }
    spread(Set(waiting.keys), overdueAt: until, from: until, using: &generator)
  }
}
