package import CivilTime
package import Settings
package import Timeline

/// Who is asked when, across all accounts: a value to which is told what happens, and which says what to begin and when to look again.
///
/// It knows no clock: `now` is on a scale that goes on in suspend and is not set; `shifted` moves everything where it was set
/// all the same. What it is told of limits holds for all that share them, and nothing begins that could break one.
package struct Schedule: Sendable {
  /// At most so many requests are under way at one host.
  package static let requestsPerHost = 6

  struct Entry: Sendable {
    var member: Member
    var moments: Moments
    /// What is under way; the lane does one thing at a time.
    var running: Work?
    /// Since when the user waits for a refresh.
    var wish: Timestamp?
    /// When the account was last served its turn: who waits longest among those due at the same moment.
    var startedAt: Timestamp?
  }

  var entries: [AccountName: Entry] = [:]
  var barriers: [Scope: Barrier] = [:]
  var windows: [Scope: SharedWindow] = [:]
  /// Nothing scheduled begins before this moment: the network may not be back yet.
  var quietUntil: Timestamp?

  package init() {}

  package var accounts: Set<AccountName> { Set(entries.keys) }

  package func moments(of account: AccountName) -> Moments? { entries[account]?.moments }

  package func running(_ account: AccountName) -> Work? { entries[account]?.running }

  // MARK: Members

  /// Adds an account or changes it. One that is as it was keeps its moments, unless nothing was planned for it.
  ///
  /// - Parameters:
  ///   - moments: what its database says; see `AccountState.due(at:interval:isFresh:)`.
  ///   - limit: what its database knows of the window.
  package mutating func put(_ member: Member, _ moments: Moments, limit: RateLimit? = nil, at now: Timestamp) {
    if let limit { windows[member.window, default: SharedWindow()].learn(limit, at: now) }
    guard var entry = entries[member.account] else {
      entries[member.account] = Entry(member: member, moments: moments)
      return
    }
    if entry.member != member || entry.moments.due == nil { entry.moments = moments }
    entry.member = member
    entries[member.account] = entry
  }

  /// Forgets an account; what is under way for it may end later, and then changes nothing.
  package mutating func remove(_ account: AccountName) {
    entries[account] = nil
    barriers[.token(account)] = nil
    barriers[.budget(account)] = nil
    windows[.token(account)] = nil
  }

  // MARK: The user

  /// Until when a user's own refresh of the account would break a limit; `nil` when it may begin.
  package func blocked(_ account: AccountName, at now: Timestamp) -> Timestamp? {
    guard let member = entries[account]?.member else { return nil }
    let gates = Gates(self, at: now)
    return gates.limit(for: member, of: .user, at: now)
  }

  /// The user wants a refresh: it comes first among what `due(at:)` begins next.
  package mutating func wish(_ account: AccountName, at now: Timestamp) {
    guard entries[account]?.wish == nil else { return }
    entries[account]?.wish = now
  }

  /// Takes back the wishes that meanwhile would break a limit, with the moment until which: their users need not wait.
  package mutating func declined(at now: Timestamp) -> [AccountName: Timestamp] {
    var declined: [AccountName: Timestamp] = [:]
    for (account, entry) in entries where entry.wish != nil && entry.running == nil {
      guard let until = blocked(account, at: now) else { continue }
      declined[account] = until
      entries[account]?.wish = nil
    }
    return declined
  }

  // MARK: Work

  /// What is to be begun now, which from now on is under way: the users' wishes first, then refreshes, then filling; in each who
  /// has waited longest.
  package mutating func due(at now: Timestamp) -> [Start] {
    if let quietUntil, quietUntil <= now { self.quietUntil = nil }
    barriers = barriers.filter { $0.value.kind == .pause || now < $0.value.until }
    var gates = Gates(self, at: now)
    var starts: [Start] = []
    for candidate in candidates(at: now) {
      guard let entry = entries[candidate.account], gates.opening(for: entry.member, of: candidate.work) == .open
      else { continue }
      gates.begin(entry.member, refreshes: candidate.work != .fill)
      windows[entry.member.window]?.startedAt = now
      entries[candidate.account]?.running = candidate.work
      entries[candidate.account]?.startedAt = now
      if candidate.work != .fill { entries[candidate.account]?.wish = nil }
      starts.append(Start(account: candidate.account, work: candidate.work))
    }
    return starts
  }

  /// Work is done: what came of it holds for all that share the limit that was met.
  package mutating func ended(
    _ account: AccountName, _ ending: Ending, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    guard let member = entries[account]?.member else { return }
    entries[account]?.running = nil
    entries[account]?.moments = ending.next
    if let limit = ending.limit {
      windows[member.window, default: SharedWindow()].learn(limit, at: now)
    } else {
      windows[member.window]?.spend(ending.requests, at: now)
    }
    block(member, after: ending, at: now, using: &generator)
  }

  /// When to look again, `nil` at rest: only an end, a wish or another account changes anything then. To be asked after `due(at:)`.
  package func nextWakeUp(after now: Timestamp) -> Timestamp? {
    let gates = Gates(self, at: now)
    var earliest: Timestamp?
    for entry in entries.values where entry.running == nil {
      for (work, moment) in entry.waiting {
        let quiet = work == .user ? nil : quietUntil
        let from = max(moment, quiet ?? moment, now)
        switch gates.opening(for: entry.member, of: work, at: from) {
        case .open: earliest = min(earliest ?? from, from)
        case .closed(let until): earliest = min(earliest ?? until, until)
        case .taken: break
        }
        // What comes first stands before the rest, as it does in `due(at:)`.
        if from == now { break }
      }
    }
    return earliest
  }

  /// Moves every moment: the clock was set, and nothing else has changed.
  package mutating func shift(by duration: Duration) {
    quietUntil = quietUntil.map { $0 + duration }
    for account in entries.keys { entries[account]?.shift(by: duration) }
    barriers = barriers.mapValues { Barrier(kind: $0.kind, until: $0.until + duration) }
    for scope in windows.keys { windows[scope]?.shift(by: duration) }
  }

  private func candidates(at now: Timestamp) -> [Candidate] {
    var candidates: [Candidate] = []
    for (account, entry) in entries where entry.running == nil {
      let isQuiet = quietUntil.map { now < $0 } ?? false
      for (work, moment) in entry.waiting where moment <= now && (work == .user || !isQuiet) {
        candidates.append(Candidate(account: account, work: work, since: moment, startedAt: entry.startedAt))
        break
      }
    }
    return candidates.sorted()
  }
}
