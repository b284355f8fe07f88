package import CivilTime
internal import Publish
internal import Publishing
package import Scheduling
package import Settings
internal import Storage
package import Timeline

/// The service's state as one line of text for the service manager.
package enum ServiceSummary {
  /// Returns the service's state as one line.
  /// - Parameters:
  ///   - configuration: the configuration with the service's accounts.
  ///   - snapshots: the states of the accounts.
  package static func line(
    _ configuration: Configuration, _ snapshots: [AccountName: AccountSnapshot]
  ) -> String {
    let enabled = configuration.enabledAccounts.map(\.name)
    if enabled.isEmpty { return "no account is enabled" }
    let troubled = enabled.compactMap { name in snapshots[name]?.trouble.map { (name: name, trouble: $0) } }
    let count = enabled.count == 1 ? "1 account" : "\(enabled.count) accounts"
    guard let first = troubled.first else { return "\(count), all well" }
    return "\(count), \(troubled.count) with problems; \(first.name): \(first.trouble)"
  }
}

/// The scheduler's data about an account.
package struct AccountSnapshot: Sendable, Hashable {
  /// The running work.
  package let work: Work?
  /// The time when the next refresh is due; `nil` if none is scheduled.
  package let due: Timestamp?
  /// The reason the last attempt did not fetch a timeline; `nil` if it did.
  package let trouble: String?
  /// The reason the account's data could not be stored or published; `nil` if there was no such problem.
  package var notStored: String?
  /// The results of the last requests; `nil` if they are not known yet.
  package var refreshes: RefreshState?
}

/// The results of an account's last timeline requests.
package struct RefreshState: Sendable, Hashable {
  /// The time when the provider last responded with the timeline.
  package let refreshedAt: Timestamp?
  /// The time until which the timeline is fresh: the end of the next refresh, unless there is a problem; `nil` while refreshes fail, or if
  /// none is scheduled.
  package let freshUntil: Timestamp?
  package let staleSince: Timestamp?
  package let problem: Problem?
  package let limit: RateLimit?

  init(_ state: AccountState) {
    refreshedAt = state.refreshedAt
    freshUntil = state.freshness?.refreshDue
    staleSince = state.staleSince
    problem = state.problem
    limit = state.rateLimit
  }
}
