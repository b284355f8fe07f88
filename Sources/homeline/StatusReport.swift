internal import CivilTime
internal import Commands
internal import Control
internal import Files
internal import Platform
internal import Settings
internal import Storage
internal import Timeline

/// The report of `homeline status`.
struct StatusReport {
  /// The current owner of the state.
  let owner: Owner?
  /// The status reported by the process that owns the state; nil if there is no such process, or it does not reply.
  let ownerStatus: ControlStatus?
  /// The status of each account by name, as reported by the process that owns the state.
  private let standings: [String: ControlStatus.Account]
  let configurationPath: String
  /// The errors in the configuration, one line each.
  let configurationProblems: [String]
  /// The settings for pictures; nil if the configuration is invalid.
  let media: MediaSettings?
  /// The views in the configuration's order.
  let views: [ViewSettings]
  /// The accounts in the configuration's order.
  let accounts: [AccountStatus]
  let now: Timestamp
  /// Times in the user's time zone and language.
  let times: LocalTimes

  init(
    owner: Owner?, ownerStatus: ControlStatus?, configurationPath: String, configurationProblems: [String],
    media: MediaSettings?, views: [ViewSettings], accounts: [AccountStatus], now: Timestamp
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
    self.now = now
    times = LocalTimes(at: now)
  }

  /// Returns the status of an account, as reported by the process that owns the state.
  func standing(of account: AccountStatus) -> ControlStatus.Account? { standings[account.name] }

  /// Returns the time of the last successful refresh. The process that owns the state knows it before it is stored.
  func refreshedAt(of account: AccountStatus) -> Timestamp? {
    standing(of: account)?.freshness?.refreshedAt ?? account.state?.refreshedAt
  }

  /// Returns the time of the next refresh: as scheduled by the process that owns the state, otherwise the time in the files at which the
  /// account is due.
  func nextRefreshAt(of account: AccountStatus) -> Timestamp? {
    standing(of: account)?.nextRefreshAt ?? account.state?.nextRefreshAt
  }

  /// Returns the provider's rate limit.
  func limit(of account: AccountStatus) -> RateLimit? {
    standing(of: account)?.freshness?.limit.map {
      RateLimit(limit: $0.limit, remaining: $0.remaining, reset: $0.resetAt)
    }
      ?? account.state?.rateLimit
  }

  /// Returns the last problem. Only the process that owns the state knows about a failure to store it.
  func problem(of account: AccountStatus) -> Problem? {
    standing(of: account)?.notStored.map { Problem(code: .storage, message: $0) } ?? account.state?.problem
  }
}

/// Whether an account works, and what its user should know or do.
struct AccountCondition {
  enum Level: String {
    case good
    /// homeline does not refresh the account.
    case inactive
    /// The account does not work as it should, but may recover on its own, or works only until a known time.
    case warning
    /// The account does not work until the user does something.
    case bad
  }

  let level: Level
  /// What is wrong and what to do next, or what is going on. It is empty if there is nothing to say.
  let remark: String
}
