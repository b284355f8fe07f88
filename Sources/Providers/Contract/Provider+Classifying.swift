internal import CivilTime
internal import HomelineOAuth
internal import Timeline

extension Provider {
  /// Returns the meaning of a refusal; `nil` if the response is not a refusal.
  ///
  /// Only the API's own answer can have a final meaning (``origin(of:)``). Limits and demands for payment apply regardless of who reports
  /// them, because they are not final.
  package func classify(_ response: ProviderResponse) -> ProviderFailure? {
    if response.namesInvalidToken { return refusalOfToken(in: response) }
    switch origin(of: response) {
    case .api: return refusal(in: response)
    case .habit(let habit) where habit.meaning == .limit: return refusal(in: response)
    // The other habits answer one kind of request, whose reader knows them.
    case .habit: return later(Substitute(OAuthResponse(response)) ?? .emptyBody, response)
    case .between(let substitute):
      switch refusal(in: response) {
      case .rateLimited(_, let until)?:
        return .rateLimited("\(serverName) limits requests (status \(response.status)).", until: until)
      case .paused(let message, let until)?: return .paused(message, until: until)
      default: break
      }
      let failure = later(substitute, response)
      // Signing again with the server's time does no harm, and may help.
      if case .oauth1 = authorization, response.status == 401,
        let clock = ProviderFailure.wrongTime(in: response, failure.message)
      {
        return clock
      }
      return failure
    }
  }

  /// Returns the meaning of the response to `userRequest()` after another request was answered with 401 and an empty body; `nil` unless the
  /// token is refused again.
  package func confirmedRefusal(in response: ProviderResponse) -> ProviderFailure? {
    if response.isEmptyUnauthorized {
      return .needsLogin("\(serverName) does not accept the token (status 401 without a reason, twice). Log in again.")
    }
    do throws(ProviderError) {
      _ = try userStep(after: response)
      return nil
    } catch {
      switch error {
      case .refused(let failure):
        switch failure {
        case .needsLogin, .configuration: return failure
        default: return nil
        }
      case .unreadable: return nil
      }
    }
  }

  /// Returns whether a response confirms that a token was revoked.
  ///
  /// - Parameter needsContent: whether the provider's confirmation has content. A confirmation under RFC 7009 need not have any (§2.2).
  /// - Returns: `nil` if it does; otherwise the reason it does not.
  package func objection(toRevocation response: ProviderResponse, needsContent: Bool) -> String? {
    switch classify(response) {
    // A token that the provider does not know is as invalid as a revoked one.
    case .needsLogin?: return nil
    case let failure?: return failure.message
    case nil: break
    }
    if needsContent, let failure = absence(in: response) { return failure.message }
    guard response.isSuccess, origin(of: response) == .api else {
      return "\(serverName) responded with status \(response.status)."
    }
    return nil
  }

  /// Returns the meaning of a success without the content that was asked for; `nil` if the response has content.
  func absence(in response: ProviderResponse) -> ProviderFailure? {
    response.isSuccess && response.body.isEmpty && response.status != 204 ? later(.emptyBody, response) : nil
  }

  private func later(_ substitute: Substitute, _ response: ProviderResponse) -> ProviderFailure {
    .transient(
      substitute.sentence(from: serverName, status: response.status) + ".", until: response.retryAfter)
  }

  /// The meaning of `WWW-Authenticate: Bearer error="invalid_token"`, which holds with any body.
  private func refusalOfToken(in response: ProviderResponse) -> ProviderFailure {
    if case .needsLogin(let message)? = refusal(in: response) { return .needsLogin(message) }
    return .needsLogin("\(serverName) says that the token is not valid. Log in again.")
  }

  /// The host and port of the API, for messages.
  package var serverName: String { (try? RequestURL(host).authority) ?? host }
}
