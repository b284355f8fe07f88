package import CivilTime
package import HomelineOAuth

/// The meaning of a failed token request. Each case has a message for the user.
package enum TokenFailure: Sendable, Hashable {
  /// Final: the refresh token, or the code, is invalid.
  case dead(String)
  /// The client's id or secret is invalid, or the client lacks a permission: only the user can change that.
  case clientRejected(String)
  /// A rate limit or a server error: the token is kept and the request retried, but not before this time if there is one.
  case transient(String, until: Timestamp?)
  /// Any other refusal: the token is kept, the request retried at growing intervals, and the error reported.
  case refused(String, until: Timestamp?)

  package var message: String {
    switch self {
    case .dead(let message), .clientRejected(let message), .transient(let message, _), .refused(let message, _): message
    }
  }

  /// Interprets the error codes in RFC 6749 §5.2, and additional numeric codes where they are more precise.
  ///
  /// Only a well-formed refusal is final. An error page, an empty response, a rate limit or an outage is not final, regardless of
  /// its status.
  package init(_ error: OAuth2ResponseError, in response: ProviderResponse) {
    switch error {
    case .unreadable where response.status == 429:
      self = .transient("the server limits token requests (status 429)", until: response.retryAfter)
    case .unreadable where response.status == 400 && response.body.isEmpty:
      // glewlwyd answers like this to a refresh token that it does not accept.
      self = .refused("\(error) If this persists, log in again.", until: response.retryAfter)
    case .unreadable: self = .transient("\(error)", until: response.retryAfter)
    case .refused(let refusal):
      let message = refusal.message
      if response.status == 429 {
        self = .transient(
          "the server limits token requests (status 429; it says “\(message)”)", until: response.limitEnd)
        return
      }
      if response.status >= 500 {
        self = .transient(
          "the server has problems (status \(response.status); it says “\(message)”)", until: response.retryAfter)
        return
      }
      switch MicrosoftErrorCode(among: refusal.errorCodes) {
      case .needsLogin?:
        self = .dead(message)
        return
      case .configuration?:
        self = .clientRejected(message)
        return
      case .transient?:
        self = .transient(message, until: response.retryAfter)
        return
      case nil: break
      }
      switch refusal.code {
      // The last three are OpenID Connect's (Core §3.1.2.6): the server requires the user's interaction.
      case "invalid_grant", "interaction_required", "login_required", "consent_required": self = .dead(message)
      case "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
        self = .clientRejected(message)
      case "temporarily_unavailable", "server_error", "slow_down":
        self = .transient(message, until: response.retryAfter)
      default:
        self = .refused(
          "the server gives no known reason (status \(response.status); it says “\(message)”)",
          until: response.retryAfter)
      }
    }
  }
}

/// The meaning that known `error_codes` from Microsoft's identity platform have for a token. They are more precise than `error`:
/// `invalid_grant` is used both for problems that only a login solves and for temporary problems.
enum MicrosoftErrorCode {
  case needsLogin
  case configuration
  case transient

  /// Interprets the first known code; `nil` if none is known.
  init?(among codes: [Int]) {
    for code in codes {
      switch code {
      // Second factor required or too old; password changed; consent missing; expired; sign-in too old; unused for 90 days.
      case 50_076, 50_078, 50_079, 50_173, 65_001, 70_008, 70_043, 700_082: self = .needsLogin
      // Application unknown in the tenant or disabled; a secret missing, or sent by a public client.
      case 700_016, 7_000_112, 7_000_218, 700_025: self = .configuration
      // Temporarily out of service; too many requests of the same kind.
      case 90_013, 90_033, 50_196: self = .transient
      default: continue
      }
      return
    }
    return nil
  }
}
