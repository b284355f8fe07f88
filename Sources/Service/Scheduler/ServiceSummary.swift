package import CivilTime
internal import Publish
internal import Publishing
package import Scheduling
package import Settings
internal import Storage
package import Timeline

/// The service in one line for people, as a service manager shows it.
package enum ServiceSummary {
  /// - Parameters:
  ///   - configuration: which accounts the service looks after.
  ///   - standing: how they are.
  package static func line(
    _ configuration: Configuration, _ standing: [AccountName: AccountStanding]
  ) -> String {
    let enabled = configuration.enabledAccounts.map(\.name)
    if enabled.isEmpty { return "no account is enabled" }
    let troubled = enabled.compactMap { name in standing[name]?.trouble.map { (name: name, trouble: $0) } }
    let count = enabled.count == 1 ? "1 account" : "\(enabled.count) accounts"
    guard let first = troubled.first else { return "\(count), all well" }
    return "\(count), \(troubled.count) in trouble; \(first.name): \(first.trouble)"
  }
}

/// What the scheduler knows of an account.
package struct AccountStanding: Sendable, Hashable {
  /// What is under way.
  package let work: Work?
  /// When it is refreshed next; `nil` when nothing is planned.
  package let due: Timestamp?
  /// Why the last attempt did not bring a timeline; `nil` when it did.
  package let trouble: String?
  /// Why what is known of it could not be stored or published; `nil` when nothing is amiss.
  package var notStored: String?
  /// What its last requests have told; `nil` where nothing is known yet.
  package var refreshes: RefreshState?
}

/// What the last requests of an account have told of its timeline.
package struct RefreshState: Sendable, Hashable {
  /// When the provider last answered with the timeline.
  package let refreshedAt: Timestamp?
  /// By when the next refresh has ended, unless something is wrong; `nil` while refreshes fail, or when none is planned.
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
