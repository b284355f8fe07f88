internal import Settings
package import Time

extension Schedule {
  /// How long each overdue account of a host extends the time that these accounts are spread over; at most `longestSpread` in total.
  static let spread = Duration.milliseconds(500)
  static let longestSpread = Duration.seconds(120)

  /// The shortest pause of this machine that counts as a suspend.
  package static let shortestSuspend = Duration.seconds(60)
  /// The minimum time after a suspend without scheduled requests, so that the network can recover. A random duration of up to the same
  /// length is added.
  static let quiet = Duration.seconds(5)

  /// Starts a service's schedule. Overdue accounts are spread out, so that a thousand accounts do not send requests in the same second.
  package mutating func started(at now: Timestamp, using generator: inout some RandomNumberGenerator) {
    spread(Set(entries.keys), overdueAt: now, from: now, using: &generator)
  }

  /// Resumes after the machine was suspended, or the program was stopped, for a given time. In the first seconds, no account is refreshed.
  /// Then each overdue account is refreshed once, at a random time. The user's own refreshes may start immediately.
  package mutating func resumed(
    at now: Timestamp, asleep: Duration, using generator: inout some RandomNumberGenerator
  ) {
    guard asleep >= Self.shortestSuspend else { return }
    let from = now + Self.quiet + Backoff.random(upTo: Self.quiet, using: &generator)
    quietUntil = from
    spread(Set(entries.keys), overdueAt: from, from: from, using: &generator)
  }

  /// Moves work that would be overdue at a given time to random times in the spread after that time. All work of an account
  /// moves together. Only the times are random; the order of the accounts does not change.
  mutating func spread(
    _ accounts: Set<AccountName>, overdueAt moment: Timestamp, from: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    var overdue: [String: [Candidate]] = [:]
    for account in accounts {
      guard let entry = entries[account], entry.running == nil,
        let first = Candidate.all(of: account, entry, entry.waiting.filter { $0.work != .user && $0.at <= moment })
          .first
      else { continue }
      overdue[entry.member.host, default: []].append(first)
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
