internal import CivilTime
internal import Settings
internal import Store
internal import Timeline

/// All that can be said of an account without asking anybody.
struct AccountStatus {
  let name: String
  /// What the configuration says; nil for an orphan, and while the configuration has mistakes.
  let settings: AccountSettings?
  /// Whether it has files and is not in the configuration any more.
  let isOrphan: Bool
  let token: Token
  /// What its database knows; nil without one.
  let state: AccountState?
  /// What it has cost, by its database; nil without one.
  let spending: SpendingRecord?
  let files: AccountFiles
  /// Why token or database could not be read.
  let problems: [String]

  /// Whether it can have posts; an orphan, whose provider is not known, may have some.
  var hasTimeline: Bool { settings.flatMap { ProviderDefaults.known[$0.provider]?.hasTimeline } ?? true }

  enum Token {
    case none
    case held(by: User, since: Timestamp, TokenOutlook)
    case unreadable
  }
}
