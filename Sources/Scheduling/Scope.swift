internal import CivilTime
package import Settings
internal import Timeline

/// A temporary block of all requests in a scope.
package struct Barrier: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The provider has specified the time of the next request, or the user's own daily limit has been used up. This applies to all work.
    case limit
    /// The provider demands payment. The user's own refreshes may check whether the payment has been made. When the time is up, a single
    /// request is sent first.
    case pause
  }

  var kind: Kind
  var until: Timestamp
}

/// The set of accounts to which a limit applies.
package enum Scope: Sendable, Hashable {
  /// One account's token.
  case token(AccountName)
  /// All accounts of one application: a consumer key at a host.
  case application(host: String, key: String)
  /// All accounts at one server.
  case host(String)
  /// The spending of one account.
  case budget(AccountName)
}
