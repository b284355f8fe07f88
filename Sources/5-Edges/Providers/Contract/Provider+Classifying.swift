internal import Bytes
internal import HTTP
internal import HomelineOAuth
internal import Time
internal import Timeline

extension Provider {
  /// Returns who wrote a response.
  package func origin(of response: ProviderResponse) -> ResponseOrigin {
    ResponseOrigin(of: response, from: host, habits: habits, errorFormat: errorFormat)
  }

  /// Returns the meaning of a refusal; `nil` if the response is not a refusal.
  ///
  /// Only the API's own answer can be final (``origin(of:)``). Limits and demands for payment are not final, so they apply regardless of
  /// who reports them.
  package func classify(_ response: ProviderResponse) -> ProviderFailure? {
    if response.namesInvalidToken { return refusalOfToken(in: response) }
    switch origin(of: response) {
    case .api: return refusal(in: response)
    case .habit(let habit) where habit.meaning == .limit: return refusal(in: response)
    // The other habits concern one kind of request each; its reader knows them.
    case .habit: return later(Substitute(response.oauth) ?? .emptyBody, response)
    case .between(let substitute):
      switch refusal(in: response) {
      case .rateLimited(_, let until)?:
        return .rateLimited("\(serverName) limits requests (status \(response.status)).", until: until)
      case .paused(let message, let until)?: return .paused(message, until: until)
      // Signing again does no harm, and may help.
      case .nonceUsed(let message)?: return .nonceUsed(message)
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

  /// Returns what the API says about a request that it does not carry out; `nil` if the response is not such a refusal, or may concern the
  /// token, the application or a limit: ``classify(_:)`` has advice on these.
  package func statement(in response: ProviderResponse) -> String? {
    guard response.isSuccess || (400..<500).contains(response.status), case .api = origin(of: response) else {
      return nil
    }
    let error = OAuth.ProviderError(response.oauth, expecting: "JSON")
    guard case .refused? = classify(response), let error, error.content == .message else { return nil }
    return RefusalAdvice.isByStatus(error) ? error.description : nil
  }

  /// Returns the meaning of the response to `userRequest()` after another request was answered with 401 and an empty body; `nil` unless the
  /// token is refused again.
  package func confirmedRefusal(in response: ProviderResponse) -> ProviderFailure? {
    if response.isEmptyUnauthorized {
      return .needsLogin("\(serverName) does not accept the token (status 401 without a reason, twice). Log in again.")
    }
    do throws(ProviderFailure) {
      _ = try userStep(after: response)
      return nil
    } catch {
      switch error {
      case .needsLogin, .configuration: return error
      default: return nil
      }
    }
  }

  /// Returns whether a response confirms that a token was revoked.
  ///
  /// - Parameter needsContent: whether the provider's confirmation has content. A confirmation under RFC 7009 need not have any (§2.2).
  /// - Returns: `nil` if it does; otherwise why it does not.
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

  /// Returns what the API says if it refuses a request because the token's scopes do not cover it; otherwise `nil`. This says nothing about
  /// the token's other uses, even with status 401.
  package func missingScope(in response: ProviderResponse) -> String? {
    guard case .oauth2 = authorization, [401, 403].contains(response.status), origin(of: response) == .api else {
      return nil
    }
    if response.header("www-authenticate")?.lowercased().contains("insufficient_scope") == true {
      return "insufficient_scope"
    }
    guard
      let refusal = OAuth.ProviderError(response.oauthWithoutChallenge, expecting: "JSON"),
      refusal.content == .message
    else { return nil }
    let text = refusal.message.lowercased()
    return scopePhrases.contains { text.contains($0) } ? refusal.message : nil
  }

  /// Returns the meaning of a success without the content that was asked for; `nil` if the response has content.
  func absence(in response: ProviderResponse) -> ProviderFailure? {
    response.isSuccess && response.body.isEmpty && response.status != 204 ? later(.emptyBody, response) : nil
  }

  private func later(_ substitute: Substitute, _ response: ProviderResponse) -> ProviderFailure {
    .transient(
      substitute.sentence(from: serverName, status: response.status) + ".", until: response.retryAfter)
  }

  /// The meaning of `WWW-Authenticate: Bearer error="invalid_token"`, regardless of the body.
  private func refusalOfToken(in response: ProviderResponse) -> ProviderFailure {
    if case .needsLogin(let message)? = refusal(in: response) { return .needsLogin(message) }
    return .needsLogin("\(serverName) says that the token is not valid. Log in again.")
  }

  /// The host and port of the API, for messages.
  package var serverName: String { (try? RequestURL(host)).map { DomainName.shown($0.authority) } ?? host }
}
