package import Settings

/// What a limit applies to.
package enum Scope: Sendable, Hashable {
  /// One timeline, whose requests the provider counts by themselves.
  case timeline(TimelineKey)
  /// One account's token.
  case token(AccountName)
  /// All accounts of one application: a consumer key at a host.
  case application(host: String, key: String)
  /// All accounts at one server.
  case host(String)
  /// The spending of one account.
  case budget(AccountName)
}
