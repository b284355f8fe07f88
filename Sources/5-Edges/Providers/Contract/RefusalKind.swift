/// The kind of refusal, which determines what the program or its user must do.
package enum RefusalKind: String, Sendable, Hashable, CaseIterable {
  /// The timestamp differed too much from the server's time: adopt that time, and sign again.
  case clock
  /// The server has already received a request with this nonce: sign again, with a new nonce.
  case nonce
  /// The token has been used, has expired or was revoked: only a new login can help.
  case needsLogin
  /// The keys, callback address or permissions differ from those registered with the provider: only the user can correct them.
  case configuration
  /// Too many requests: wait.
  case limit
  /// The credit is used up, or the plan's cap has been reached: the user must pay, or wait for a long time.
  case paused
  /// The address is not open to this application, or no longer exists: do not retry automatically.
  case closed
  /// The user's account is locked or suspended: only the user can change this, at the provider.
  case locked
  /// The request may succeed later: retry slowly.
  case transient
  /// The client cannot do anything about the refusal.
  case refused
}
