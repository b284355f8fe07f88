/// How a shell completes a value.
package enum CompletionKind: Sendable, Hashable {
  case none
  /// Accounts in the configuration, and accounts that have files.
  case account
  /// Accounts as for `account`, and their timelines in the configuration.
  case timeline
  /// Timelines as for `timeline`, and `all`.
  case timelineOrAll
  /// Accounts as for `account`, and other names that `homeline login` accepts.
  case accountOrServer
  /// Views in the configuration.
  case view
  case command
  case file
  case choices([String])
}
