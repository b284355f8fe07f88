package import Commands
package import ControlProtocol
package import Folders
package import Settings
internal import Storage
package import Time
package import Timeline

/// The report of `homeline status`.
package struct StatusReport {
  /// The current state owner.
  package let owner: Owner?
  /// The status reported by the state owner; `nil` if there is no such process, or it does not reply.
  package let ownerStatus: ControlStatus?
  /// The status of each account by name, as reported by the state owner.
  private let standings: [String: ControlStatus.Account]
  package let configurationPath: String
  /// The errors in the configuration, one line each.
  package let configurationProblems: [String]
  /// The settings for pictures; `nil` if the configuration is invalid.
  package let media: MediaSettings?
  /// The views in the configuration's order.
  package let views: [ViewSettings]
  /// The accounts in the configuration's order.
  package let accounts: [AccountStatus]
  /// The only timeline to report; `nil` for all timelines of the accounts.
  package let only: TimelineName?
  package let now: Timestamp
  /// Times in the user's time zone and language.
  package let times: LocalTimes

  package init(
    owner: Owner?, ownerStatus: ControlStatus?, configurationPath: String, configurationProblems: [String],
    media: MediaSettings?, views: [ViewSettings], accounts: [AccountStatus], only: TimelineName? = nil,
    now: Timestamp
  ) {
    self.owner = owner
    self.ownerStatus = ownerStatus
    standings = Dictionary(
      ownerStatus?.accounts.map { ($0.account, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    self.configurationPath = configurationPath
    self.configurationProblems = configurationProblems
    self.media = media
    self.views = views
    self.accounts = accounts
    self.only = only
    self.now = now
    times = LocalTimes(at: now)
  }

  /// Returns the status of an account, as reported by the state owner.
  package func standing(of account: AccountStatus) -> ControlStatus.Account? { standings[account.name] }

  /// Returns the time of the last successful refresh. The state owner knows it before it is stored.
  package func refreshedAt(of account: AccountStatus) -> Timestamp? {
    standing(of: account)?.freshness?.refreshedAt ?? account.home?.refreshedAt
  }

  /// Returns the time of the next refresh: as scheduled by the state owner, otherwise the account's due time in the files.
  package func nextRefreshAt(of account: AccountStatus) -> Timestamp? {
    standing(of: account)?.nextRefreshAt ?? account.home?.nextRefreshAt
  }

  /// Returns the provider's rate limit.
  package func limit(of account: AccountStatus) -> RateLimit? {
    standing(of: account)?.freshness?.limit.map {
      RateLimit(limit: $0.limit, remaining: $0.remaining, reset: $0.resetAt)
    }
      ?? account.state?.rateLimit
  }

  /// Returns the last problem. Only the state owner knows about a failure to store it.
  package func problem(of account: AccountStatus) -> Problem? {
    standing(of: account)?.notStored.map { Problem(code: .storage, message: $0) } ?? account.home?.problem
  }
}
