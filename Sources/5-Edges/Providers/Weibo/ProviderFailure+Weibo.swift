internal import HomelineOAuth
internal import Time

extension ProviderFailure {
  /// The pause after a limit or a ban, because Weibo's responses never report when it ends.
  private static let weiboPause = Duration.seconds(3600)

  /// Interprets a response from Weibo's API or token endpoint by its `error_code`, regardless of the status; `nil` if the
  /// response is not a refusal.
  init?(weibo response: ProviderResponse) {
    let body = WeiboErrorBody(response.body)
    let refusal = OAuth.ProviderError(response.oauthWithoutChallenge, expecting: "JSON")
    if let code = body.code {
      let said = refusal.flatMap { $0.content == .message ? $0.message : nil } ?? "error"
      self.init(code: code, said: said, in: response)
    } else if let refusal {
      self.init(withoutCode: refusal, in: response)
    } else if body.isUndone {
      self = .refused("Weibo reports that it did not carry out the request.")
    } else if response.body.isEmpty {
      self = .paused(
        "Weibo sent an empty response, as it does to applications that exceed its limits. homeline sends the next request in an hour.",
        until: response.receivedAt + Self.weiboPause)
    } else {
      return nil
    }
  }

  private init(code: Int, said: String, in response: ProviderResponse) {
    let advice = WeiboAdvice.of(code, status: response.status)
    let message = "Weibo says: “\(said)” (code \(code)). \(advice.message)"
    switch advice.kind {
    case .needsLogin: self = .needsLogin(message)
    case .configuration: self = .configuration(message)
    case .limit: self = Self.limited(message, in: response)
    case .closed: self = .closed(message)
    case .locked: self = .locked(message)
    case .transient: self = .transient(message, until: response.retryAfter)
    case .paused, .clock, .nonce, .refused: self = .refused(message)
    }
  }

  private static func limited(_ message: String, in response: ProviderResponse) -> ProviderFailure {
    if let until = response.retryAfter { return .rateLimited(message, until: until) }
    return .rateLimited(
      message + " Weibo does not report when. homeline will try again in an hour.",
      until: response.receivedAt + weiboPause)
  }

  /// Interprets an error from a proxy in front of Weibo, or an error from Weibo without an error code.
  ///
  /// Requests are not signed, so a 401 without details does not indicate wrong keys or a wrong clock. The token is kept unless the error
  /// mentions it.
  private init(withoutCode refusal: OAuth.ProviderError, in response: ProviderResponse) {
    switch refusal.advice.kind {
    case .limit: self = Self.limited(refusal.explanation, in: response)
    case .closed: self = .closed(refusal.explanation)
    case .locked: self = .locked(refusal.explanation)
    case .transient: self = .transient(refusal.explanation, until: response.retryAfter)
    case .needsLogin, .configuration, .paused, .clock, .nonce, .refused:
      let came = refusal.content == .message ? "says: “\(refusal.message)”" : "sent \(refusal.message)"
      self = .transient(
        "Weibo \(came) (status \(response.status)), without an error code. The request will be retried; if this persists, log in again.",
        until: response.retryAfter)
    }
  }
}

extension ProviderFailure {
  /// Interprets a refusal from Weibo's token endpoint by its error code, or according to RFC 6749 if it has none.
  init(weibo error: OAuth2ResponseError, in response: ProviderResponse) {
    guard case .refused(let refusal) = error, refusal.errorCode != nil, let failure = ProviderFailure(weibo: response)
    else {
      self.init(error, in: response)
      return
    }
    switch failure {
    case .needsLogin, .configuration, .transient: self = failure
    case .closed(let message): self = .configuration(message)
    case .rateLimited(let message, let until), .paused(let message, let until): self = .transient(message, until: until)
    case .refused, .sinceRefused, .clock, .nonceUsed, .locked, .unreadable:
      self = .refused(failure.message, until: response.retryAfter)
    }
  }
}
