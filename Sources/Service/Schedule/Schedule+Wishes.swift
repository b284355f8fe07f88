package import CivilTime
package import Settings

/// The user's own refreshes: first, but never beyond a limit.
extension Schedule {
  /// Until when a user's own refresh of the account would break a limit; `nil` when it may begin.
  package func blocked(_ account: AccountName, at now: Timestamp) -> Timestamp? {
    guard let member = entries[account]?.member else { return nil }
    var demand = Demand()
    guard case .closed(let until) = limit(for: member, of: .user, at: now, now: now, demand: &demand) else {
      return nil
    }
    return until
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
}
