package import Settings
package import Timeline

/// What a limit applies to.
package enum Scope: Sendable, Hashable {
  /// The timelines of one kind of an account, whose requests the provider counts by themselves.
  case kind(AccountName, TimelineName.Kind)
  /// One account's token.
  case token(AccountName)
  /// All accounts of one application: a consumer key at a host.
  case application(host: String, key: String)
  /// All accounts at one server.
  case host(String)
  /// The spending of one account.
  case budget(AccountName)
}
