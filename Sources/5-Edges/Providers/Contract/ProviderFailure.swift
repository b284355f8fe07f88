package import Time
package import Timeline

/// What the provider sent instead of the requested content. Each case has a message for the user.
///
/// If there is no complete response, the error is a `ClientError` instead.
package enum ProviderFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The token is invalid: only a new login can help.
  case needsLogin(String)
  /// Keys, endpoints or permissions are wrong: only the user can correct them.
  case configuration(String)
  /// A rate limit: no requests before this time on the local clock.
  case rateLimited(String, until: Timestamp)
  /// The provider demands payment: no requests before this time on the local clock, then at most one an hour.
  case paused(String, until: Timestamp)
  /// A temporary error: retried not before this time if the provider specifies one, otherwise at growing intervals.
  case transient(String, until: Timestamp?)
  /// The provider does not offer this to the client, or no longer does: not retried automatically.
  case closed(String)
  /// The user's account is locked at the provider: not retried automatically.
  case locked(String)
  /// The provider refuses the query's `since`: retry without it.
  case sinceRefused(String)
  /// The request's time was too far off: correct the clock offset if the server's time is known, and sign again.
  case clock(String, serverTime: Timestamp?)
  /// The server has already received a request with this nonce: sign again; if repeating the request could do harm, only look for its
  /// result.
  case nonceUsed(String)
  /// Any other refusal, which has no further effect. A token request is repeated, not before this time if the provider specifies one.
  case refused(String, until: Timestamp? = nil)
  /// The response is neither data nor a refusal. The message describes the actual and the expected content.
  case unreadable(String)

  package var description: String { message }

  /// The message for the user.
  package var message: String {
    switch self {
    case .needsLogin(let message), .configuration(let message), .rateLimited(let message, _), .paused(let message, _),
      .transient(let message, _),
      .closed(let message), .locked(let message), .sinceRefused(let message), .clock(let message, _),
      .nonceUsed(let message), .refused(let message, _), .unreadable(let message):
      message
    }
  }

  /// Whether the provider refused. A response that cannot be read is not a refusal.
  package var isRefusal: Bool { if case .unreadable = self { false } else { true } }

  /// The problem to publish.
  package var problem: Problem {
    switch self {
    case .needsLogin(let message): Problem(code: .notAuthorised, message: message)
    case .configuration(let message): Problem(code: .configuration, message: message)
    // The clock offset is corrected automatically, without the user.
    case .clock(let message, _): Problem(code: .provider, message: message)
    case .rateLimited(let message, let until): Problem(code: .rateLimited, message: message, retryAt: until)
    case .paused(let message, let until): Problem(code: .paused, message: message, retryAt: until)
    case .transient(let message, let until), .refused(let message, let until):
      Problem(code: .provider, message: message, retryAt: until)
    case .closed(let message): Problem(code: .closed, message: message)
    case .locked(let message): Problem(code: .locked, message: message)
    case .sinceRefused(let message), .nonceUsed(let message), .unreadable(let message):
      Problem(code: .provider, message: message)
    }
  }
}
