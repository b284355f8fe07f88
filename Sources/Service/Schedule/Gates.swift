internal import CivilTime
internal import Settings

/// What stands before work at one moment: barriers, windows, and how much is under way.
struct Gates {
  private let now: Timestamp
  private let barriers: [Scope: Barrier]
  private let windows: [Scope: SharedWindow]
  /// Requests under way at a host, of an application, in a window.
  private var atHost: [String: Int] = [:]
  private var ofApplication: [Scope: Int] = [:]
  private var inWindow: [Scope: Int] = [:]
  /// Refreshes that are due before a window's end.
  private var demand: [Scope: Int] = [:]

  init(_ schedule: Schedule, at now: Timestamp) {
    self.now = now
    barriers = schedule.barriers
    windows = schedule.windows
    for entry in schedule.entries.values {
      if entry.running != nil { count(entry.member) }
      guard let told = windows[entry.member.window]?.told, now < told.end else { continue }
      demand[entry.member.window, default: 0] += Filling.refreshes(
        from: entry.running == nil ? entry.moments.due.map { max($0, now) } : now + entry.member.interval,
        until: told.end, interval: entry.member.interval)
    }
  }

  private mutating func count(_ member: Schedule.Member) {
    atHost[member.host, default: 0] += 1
    if let application = member.applicationScope { ofApplication[application, default: 0] += 1 }
    inWindow[member.window, default: 0] += 1
  }

  /// Work of this member begins now.
  mutating func begin(_ member: Schedule.Member, refreshes: Bool) {
    count(member)
    started.insert(member.window)
    if refreshes { demand[member.window, default: 1] -= 1 }
  }
  private var started: Set<Scope> = []

  func opening(for member: Schedule.Member, of work: Work) -> Opening { opening(for: member, of: work, at: now) }

  func opening(for member: Schedule.Member, of work: Work, at moment: Timestamp) -> Opening {
    let host: Opening = atHost[member.host, default: 0] < Schedule.requestsPerHost ? .open : .taken
    return member.scopes.reduce(host.and(window(of: member, for: work, at: moment))) { opening, scope in
      opening.and(self.opening(of: scope, for: work, at: moment))
    }
  }

  /// Until when a limit forbids it, whatever is under way.
  func limit(for member: Schedule.Member, of work: Work, at moment: Timestamp) -> Timestamp? {
    let opening = member.scopes.reduce(window(of: member, for: work, at: moment)) { opening, scope in
      opening.and(self.opening(of: scope, for: work, at: moment))
    }
    guard case .closed(let until) = opening else { return nil }
    return until
  }

  private func window(of member: Schedule.Member, for work: Work, at moment: Timestamp) -> Opening {
    guard var window = windows[member.window] else { return .open }
    if started.contains(member.window) { window.startedAt = now }
    return window.opening(
      for: work, underWay: inWindow[member.window, default: 0], demand: demand[member.window, default: 0], at: moment)
  }

  private func opening(of scope: Scope, for work: Work, at moment: Timestamp) -> Opening {
    guard let barrier = barriers[scope] else { return .open }
    switch barrier.kind {
    case .limit: return moment < barrier.until ? .closed(until: barrier.until) : .open
    case .pause:
      if work == .user { return .open }
      if moment < barrier.until { return .closed(until: barrier.until) }
      return ofApplication[scope, default: 0] == 0 ? .open : .taken
    }
  }
}
