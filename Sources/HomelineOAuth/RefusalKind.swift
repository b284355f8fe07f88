/// What a refusal asks of whoever gets it.
public enum RefusalKind: String, Sendable, Hashable, CaseIterable {
  /// The timestamp was too far off: learn the server's time and sign once more.
  case clock
  /// The token is spent, expired or revoked: only a new login helps.
  case needsLogin
  /// Keys, callback address or permissions are not what the provider has: only the user can set them right.
  case configuration
  /// Too much was asked for: wait.
  case limit
  /// The credit is used up or the contract's cap is reached: money helps, a short wait does not.
  case paused
  /// The address is not open to this application, or no longer there: do not ask again by oneself.
  case closed
  /// The user's account is locked or suspended there: only the user, at the provider, can end that.
  case locked
  /// It may work later, with a new nonce: try again, slowly.
  case transient
  /// No, without anything to be done from here.
  case refused
}
