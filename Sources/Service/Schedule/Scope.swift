package import Settings

/// Whom a limit holds for.
package enum Scope: Sendable, Hashable {
  /// One account's token.
  case token(AccountName)
  /// All accounts of one application: a consumer key at a host.
  case application(host: String, key: String)
  /// All that one server answers.
  case host(String)
  /// What one account may cost.
  case budget(AccountName)
}
