package import Settings
package import Time

/// The expiry times of logins that cannot be renewed, and the warnings before them: one each 7, 3 and 1 days ahead.
package struct LoginExpiry: Sendable {
  /// A warning that is due.
  package struct Warning: Sendable, Hashable {
    let account: AccountName
    /// The time when the login expires.
    let end: Timestamp
  }

  private struct Entry {
    let end: Timestamp
    /// The number of warnings that have been given or missed.
    var warned = 0
  }

  /// How long before the end each warning is given, longest first.
  private static let ahead: [Duration] = [7, 3, 1].map { .seconds($0 * 86400) }

  private var entries: [AccountName: Entry] = [:]

  package init() {}

  /// Records the time when an account's login expires; `nil` if it does not expire, or if it is renewed automatically. If the time has
  /// changed, the warnings start again.
  package mutating func note(_ account: AccountName, end: Timestamp?) {
    guard entries[account]?.end != end else { return }
    entries[account] = end.map { Entry(end: $0) }
  }

  /// Returns the warnings that are due, each of them once. If several warnings of an account were missed, only one is returned. After the
  /// expiry there are no warnings, because the account's own failure reports it.
  package mutating func due(at now: Timestamp) -> [Warning] {
    var warnings: [Warning] = []
    for (account, entry) in entries {
      let reached = Self.ahead.count { entry.end - $0 <= now }
      guard reached > entry.warned else { continue }
      entries[account]?.warned = reached
      if now < entry.end { warnings.append(Warning(account: account, end: entry.end)) }
    }
    return warnings.sorted { $0.account.text < $1.account.text }
  }

  /// The time of the next warning; `nil` if there is none.
  package var next: Timestamp? {
    entries.values.compactMap { entry in
      entry.warned < Self.ahead.count ? entry.end - Self.ahead[entry.warned] : nil
    }.min()
  }
}

extension LoginExpiry.Warning {
  /// Returns the message for the log.
  package func message(at now: Timestamp) -> String {
    "\(account): the login ends at \(end.rfc3339) (\(DaysLeft.text(until: end, at: now))), and is not renewed automatically. "
      + "Log in again before then: homeline login \(account)"
  }
}
