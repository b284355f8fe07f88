package import CivilTime
package import HomelineOAuth

/// What a refusal of the token endpoint means for an authorisation, each with words for its user.
package enum TokenVerdict: Sendable, Hashable {
  /// The provider's final word: the refresh token, or the code, is no longer good.
  case dead(String)
  /// The client's id or secret is not (any more) known, or it may not do this: only the user can set that right.
  case clientRejected(String)
  /// Too much was asked for, or the server is out of order: kept, and tried again; not before this moment where one is named.
  case transient(String, until: Timestamp?)
  /// No, and it is not known why: kept, tried again with growing pauses, and told.
  case refused(String, until: Timestamp?)

  package var words: String {
    switch self {
    case .dead(let words), .clientRejected(let words), .transient(let words, _), .refused(let words, _): words
    }
  }

  /// What the error codes of RFC 6749 §5.2 mean, at whatever server, and the numbers beside them where they say more.
  ///
  /// Only a well-formed refusal is anybody's last word: an error page, an empty answer, a limit or an outage is not, whatever its
  /// status.
  package init(_ error: OAuth2AnswerError, in answer: ProviderAnswer) {
    switch error {
    case .unreadable:
      let words = "the provider's answer to the token request cannot be used: \(error)"
      self =
        answer.status == 400 || answer.status == 403
        ? .refused(words + " If it stays so, log in again.", until: answer.retryAfter)
        : .transient(words, until: answer.retryAfter)
    case .refused(let refusal):
      let words = refusal.words
      if answer.status == 429 || answer.status >= 500 {
        let words = answer.status >= 500 ? "\(words) (status \(answer.status))" : words
        self = .transient(words, until: answer.status == 429 ? answer.limitEnd : answer.retryAfter)
        return
      }
      switch MicrosoftErrorCode(among: refusal.errorCodes) {
      case .needsLogin?:
        self = .dead(words)
        return
      case .configuration?:
        self = .clientRejected(words)
        return
      case .transient?:
        self = .transient(words, until: answer.retryAfter)
        return
      case nil: break
      }
      switch refusal.code {
      // The last three are OpenID Connect's (Core §3.1.2.6): the server wants to see the user.
      case "invalid_grant", "interaction_required", "login_required", "consent_required": self = .dead(words)
      case "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
        self = .clientRejected(words)
      case "temporarily_unavailable", "server_error", "slow_down":
        self = .transient(words, until: answer.retryAfter)
      default: self = .refused(words, until: answer.retryAfter)
      }
    }
  }
}

/// What the numbers in `error_codes` of Microsoft's identity platform mean for a token, as far as they are known. They tell more than
/// `error` does: `invalid_grant` stands for what only a login helps against and for a server that wants a pause.
enum MicrosoftErrorCode {
  case needsLogin
  case configuration
  case transient

  /// The meaning of the first code that is known; `nil` where none is.
  init?(among codes: [Int]) {
    for code in codes {
      switch code {
      // Second factor needed or too old; password changed; consent missing; expired; sign-in too old; unused for 90 days.
      case 50_076, 50_078, 50_079, 50_173, 65_001, 70_008, 70_043, 700_082: self = .needsLogin
      // Application unknown in the tenant or disabled; a secret missing, or sent by a public client.
      case 700_016, 7_000_112, 7_000_218, 700_025: self = .configuration
      // Out of order for a while; too many requests of the same kind.
      case 90_013, 90_033, 50_196: self = .transient
      default: continue
      }
      return
    }
    return nil
  }
}
