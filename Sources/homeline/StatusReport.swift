internal import CivilTime
internal import Control
internal import Settings
internal import Store
internal import Timeline

/// What `homeline status` has found.
struct StatusReport {
  /// Who holds the state now.
  let owner: Owner?
  /// What it says of itself and of the accounts; nil when there is none, or it does not answer.
  let ownerStatus: ControlStatus?
  /// What it says of the accounts, by their names.
  private let standings: [String: ControlStatus.Account]
  let configurationPath: String
  /// What is wrong with the configuration, a line each; empty when nothing is.
  let configurationProblems: [String]
  /// What holds for pictures; nil while the configuration cannot be used.
  let media: MediaSettings?
  /// In the order of the configuration.
  let views: [ViewSettings]
  let accounts: [AccountStatus]
  let now: Timestamp

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
  }

  /// What the owner says of an account.
  func standing(of account: AccountStatus) -> ControlStatus.Account? { standings[account.name] }

  /// What went wrong last. What the owner could not store stands in no file.
  func problem(of account: AccountStatus) -> Problem? {
    standing(of: account)?.notStored.map { Problem(code: .storage, message: $0) } ?? account.state?.problem
  }
}
