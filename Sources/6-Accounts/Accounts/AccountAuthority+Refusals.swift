internal import HTTP
package import Providers
package import Storage
package import Timeline

/// Responses that refuse an access token, and their meaning. Call on the account's queue.
extension AccountAuthority {
  /// Returns whether renewing the token may help after it was refused. A server responds with 401 to a token that became invalid before it
  /// expired (RFC 6750 §3.1); some servers respond with 403 and an empty body.
  ///
  /// Renewing does not help if this token was already refused right after its renewal.
  package func isWorthRenewing(_ token: StoredToken, after error: ProviderFailure, in response: ProviderResponse)
    -> Bool
  {
    guard canRenew(token), let bearer = token.grant.bearer, bearer.accessToken != doubtedToken else { return false }
    if core.provider.missingScope(in: response) != nil { return false }
    if case .needsLogin = error { return true }
    return isAboutToken(response)
  }

  /// Returns the problem to report when the provider refuses a token that was just renewed. If the token was refused, the problem is
  /// final; other errors are reported unchanged.
  package func problem(_ error: ProviderFailure, in response: ProviderResponse, refusing token: StoredToken) -> Problem
  {
    guard isAboutToken(response), error.isRefusal else { return error.problem }
    doubtedToken = token.grant.bearer?.accessToken
    switch error {
    case .configuration(let message), .refused(let message, _), .needsLogin(let message):
      return Problem(code: .notAuthorised, message: "The server refused both the token and its renewal. \(message)")
    default: return error.problem
    }
  }

  /// Returns whether a response may be about the token. Web pages do not count, because any proxy can send them.
  private func isAboutToken(_ response: ProviderResponse) -> Bool {
    switch response.status {
    case 401: response.isEmptyUnauthorized || core.provider.origin(of: response) == .api
    // Servers built with django-oauth-toolkit respond to an expired token like this.
    case 403: response.body.isEmpty && response.header("www-authenticate") == nil
    default: false
    }
  }

  /// Asks the provider for the token's user, because it has responded with 401 and no reason. snac does so for an invalid token, but
  /// proxies may do so for any request. Call within a job.
  /// - Parameter completion: receives the meaning if the provider refuses this too; `nil` if it does not, or was not asked because requests
  ///   cost money.
  package func confirmRefusal(
    of authority: RequestAuthority, completion: @escaping (ProviderFailure?) -> Void
  ) {
    guard !spending.countsSpending, let request = core.provider.userRequest() else { return completion(nil) }
    providerClient.call(with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }) { result in
      completion((try? result.get()).flatMap { self.core.provider.confirmedRefusal(in: $0) })
    }
  }
}
