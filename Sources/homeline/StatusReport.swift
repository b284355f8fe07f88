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
  let configurationPath: String
  /// What is wrong with the configuration, a line each; empty when nothing is.
  let configurationProblems: [String]
  /// What holds for pictures; nil while the configuration cannot be used.
  let media: MediaSettings?
  /// In the order of the configuration.
  let views: [ViewSettings]
  let accounts: [AccountStatus]
  let now: Timestamp

  /// What the owner says of an account.
  func standing(of account: AccountStatus) -> ControlStatus.Account? {
    ownerStatus?.accounts.first { $0.account == account.name }
  }

  /// What went wrong last. What the owner could not store stands in no file.
  func problem(of account: AccountStatus) -> Problem? {
    standing(of: account)?.notStored.map { Problem(code: .storage, message: $0) } ?? account.state?.problem
  }
}
