internal import CivilTime
internal import Store

/// What `homeline status` has found.
struct StatusReport {
  /// Who holds the state now.
  let owner: Owner?
  let configurationPath: String
  /// What is wrong with the configuration, a line each; empty when nothing is.
  let configurationProblems: [String]
  let accounts: [AccountStatus]
  let now: Timestamp
}
