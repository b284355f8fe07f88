package import CivilTime
internal import Settings

extension Schedule {
  /// Overdue accounts of one host are spread over this much time for each, at most over `longestSpread`.
  static let spread = Duration.milliseconds(500)
  package static let longestSpread = Duration.seconds(120)

  /// A pause in which this machine did not run at all is a suspend from here on.
  package static let shortestSuspend = Duration.seconds(60)
  /// How long after a suspend nothing scheduled is asked, so that the network is back: this much, and up to as much again by chance.
  package static let quiet = Duration.seconds(5)

  /// The service has begun with these accounts: what is overdue is spread, so that a thousand accounts do not ask in one second.
  package mutating func started(at now: Timestamp, using generator: inout some RandomNumberGenerator) {
    spread(Set(entries.keys), overdueAt: now, from: now, using: &generator)
  }

  /// The machine was suspended, or the program stopped, for so long: each overdue account is caught up with once, spread, and
  /// nothing in the first seconds. The user's own refresh may begin at once.
  package mutating func resumed(
    at now: Timestamp, asleep: Duration, using generator: inout some RandomNumberGenerator
  ) {
    guard asleep >= Self.shortestSuspend else { return }
    let from = now + Self.quiet + Backoff.random(upTo: Self.quiet, using: &generator)
    quietUntil = from
    spread(Set(entries.keys), overdueAt: from, from: from, using: &generator)
  }

  /// Moves what would be overdue at a moment to somewhere in the spread after it; with the refresh its filling. The turns stay as
  /// they are: chance says when, not who.
  mutating func spread(
    _ accounts: Set<AccountName>, overdueAt moment: Timestamp, from: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    var overdue: [String: [Candidate]] = [:]
    for account in accounts {
      guard let entry = entries[account], entry.running == nil,
        let (work, since) = entry.waiting.first(where: { $0.0 != .user && $0.1 <= moment })
      else { continue }
      overdue[entry.member.host, default: []].append(
        Candidate(account: account, work: work, since: since, refreshedAt: entry.refreshedAt))
    }
    for host in overdue.keys.sorted() {
      let waiting = overdue[host]!.sorted()
      let width = min(Self.spread * waiting.count, Self.longestSpread)
      let moments = waiting.map { _ in from + Backoff.random(upTo: width, using: &generator) }.sorted()
      for (candidate, later) in zip(waiting, moments) {
        entries[candidate.account]?.postpone(whatIsDueAt: moment, to: later)
      }
    }
  }
}
