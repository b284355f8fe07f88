internal import CivilTime
package import Settings
internal import Timeline

/// Why nobody in a scope is asked for a while.
package struct Barrier: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The provider said when to come back, or the user's own limit of a day is used up. Nothing passes.
    case limit
    /// The provider wants money. The user may look whether it has come; when the time is over, one request goes first.
    case pause
  }

  var kind: Kind
  var until: Timestamp
}

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
