package import CivilTime
package import Settings

/// Until when logins are good that nothing renews, and when their users are to be warned: 7, 3 and 1 days ahead, once each.
package struct LoginExpiry: Sendable {
  /// A warning that is due.
  package struct Warning: Sendable, Hashable {
    package let account: AccountName
    /// When the login ends.
    package let end: Timestamp
  }

  private struct Entry {
    let end: Timestamp
    /// How many of the warnings lie behind.
    var warned = 0
  }

  /// How long before the end, the longest first.
  private static let ahead: [Duration] = [7, 3, 1].map { .seconds($0 * 86400) }

  private var entries: [AccountName: Entry] = [:]

  package init() {}

  /// Takes notice of when an account's login ends; `nil` where it does not, or something renews it. One that ends at another moment
  /// than before is warned of anew.
  package mutating func note(_ account: AccountName, end: Timestamp?) {
    guard entries[account]?.end != end else { return }
    entries[account] = end.map { Entry(end: $0) }
  }

  /// The warnings that are due, each told once. Of several that were missed one is told, and none once the login has ended: the
  /// account's own failure says that.
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

  /// When the next one is due; `nil` when none is.
  package var next: Timestamp? {
    entries.values.compactMap { entry in
      entry.warned < Self.ahead.count ? entry.end - Self.ahead[entry.warned] : nil
    }.min()
  }
}

extension LoginExpiry.Warning {
  /// For the log.
  package func words(at now: Timestamp) -> String {
    "\(account): the login ends at \(end.rfc3339) (\(DaysLeft.text(until: end, at: now))), and nothing renews it. "
      + "Log in again before: homeline login \(account)"
  }
}
