package import HomelineOAuth
internal import Time

/// The meaning of a failed token request: `needsLogin` if the refresh token, or the code, is invalid; `configuration` if the client is not
/// accepted; otherwise `transient` or `refused`, and the token is kept. The messages of `needsLogin` and `configuration` are the end of a
/// sentence.
extension ProviderFailure {
  /// Interprets the error codes in RFC 6749 §5.2, and additional numeric codes where they are more precise.
  ///
  /// Only a well-formed refusal is final. An error page, an empty response, a rate limit or an outage is not final, regardless of
  /// its status.
  package init(_ error: OAuth2ResponseError, in response: ProviderResponse) {
    switch error {
    case .unreadable where response.status == 429, .unusable where response.status == 429:
      self = .transient("The server limits token requests (429).", until: response.retryAfter)
    case .unreadable where response.status == 400 && response.body.isEmpty:
      // glewlwyd sends this for a refresh token that it does not accept.
      self = .refused(
        "The server did not renew the token and gives no reason (400, an empty body). If this persists, log in again.",
        until: response.retryAfter)
    case .unreadable, .unusable: self = .transient("\(error)", until: response.retryAfter)
    case .refused(let refusal):
      let message = "the server says “\(refusal.message)”"
      if response.status == 429 {
        self = .transient(
          "The server limits token requests (429, it says “\(refusal.message)”).", until: response.limitEnd)
        return
      }
      let unable = ProviderFailure.transient(
        "The server cannot renew the token now (\(response.status), it says “\(refusal.message)”).",
        until: response.retryAfter)
      if response.status >= 500 {
        self = unable
        return
      }
      switch MicrosoftErrorCode(among: refusal.errorCodes) {
      case .needsLogin?:
        self = .needsLogin(message)
        return
      case .configuration?:
        self = .configuration(message)
        return
      case .transient?:
        self = unable
        return
      case nil: break
      }
      switch refusal.code {
      // The last three are OpenID Connect's (Core §3.1.2.6): the server requires the user's interaction.
      case "invalid_grant", "interaction_required", "login_required", "consent_required": self = .needsLogin(message)
      case "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
        self = .configuration(message)
      case "temporarily_unavailable", "server_error", "slow_down":
        self = unable
      default:
        self = .refused(
          "The server did not renew the token and gives no reason (\(response.status), \(refusal.message)).",
          until: response.retryAfter)
      }
    }
  }
}
