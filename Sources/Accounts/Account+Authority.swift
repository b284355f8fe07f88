package import CivilTime
internal import HomelineOAuth
package import Providers
internal import Settings
package import Storage
package import Timeline

/// Authorisation of an account's requests. Call on the account's queue, within a job.
extension Account {
  /// Provides the authority for requests. A token that is about to expire is renewed first.
  /// - Parameter isAwaited: whether a user is waiting for the result.
  package func authority(
    of token: StoredToken, isAwaited: Bool, completion: @escaping (AuthorityResult) -> Void
  ) {
    guard let renewer, objection(to: token) == nil else { return signingAuthority(of: token, completion: completion) }
    renewer.current(token, isAwaited: isAwaited) { result in
      guard self.signsRequests else { return completion(result.flatMap(self.plainAuthority)) }
      self.dependencies.keys.prepare(on: self.queue) { completion(result.flatMap(self.plainAuthority)) }
    }
  }

  /// Provides a token's authority without renewing the token. The completion may be called later, because looking up the signing key can
  /// take time.
  private func signingAuthority(of token: StoredToken, completion: @escaping (AuthorityResult) -> Void) {
    guard case .oauth1 = token.grant, objection(to: token) == nil else { return completion(plainAuthority(of: token)) }
    dependencies.keys.prepare(on: queue) { completion(self.plainAuthority(of: token)) }
  }

  /// Provides the authority of an account that needs no token.
  package func clientAuthority(completion: @escaping (Result<RequestAuthority, TokenUnavailableError>) -> Void) {
    dependencies.keys.prepare(on: queue) { completion(self.clientAuthority(token: nil)) }
  }

  private func clientAuthority(token: Secret?) -> Result<RequestAuthority, TokenUnavailableError> {
    do throws(OperationError) {
      guard case .oauth2(let id, let secret) = try dependencies.keys.get() else {
        throw OperationError(.configuration, "the account has no client_id")
      }
      let client = OAuth2Client(identifier: id, secret: secret, authentication: .none)
      return .success(.client(client, token: token, provider))
    } catch { return .failure(.problem(Problem(code: .secretUnavailable, message: error.message))) }
  }

  /// Whether requests need a user's token. If not, the client's key is enough.
  package var needsToken: Bool { profile?.needsToken ?? true }

  /// Whether requests are signed with the client's secret.
  var signsRequests: Bool { profile?.signsRequests ?? false }

  private var profile: OAuth2Profile? {
    if case .oauth2(let profile) = provider.authorization { profile } else { nil }
  }

  /// Renews a token that the provider has rejected, and provides the authority of the renewed token.
  package func renewedAuthority(of token: StoredToken, completion: @escaping (AuthorityResult) -> Void) {
    guard let renewer, objection(to: token) == nil else { return completion(plainAuthority(of: token)) }
    renewer.renew(token) { result in completion(result.flatMap(self.plainAuthority)) }
  }

  /// Returns whether this token can be renewed with a refresh token.
  func canRenew(_ token: StoredToken) -> Bool { renewer != nil && token.grant.bearer?.refreshToken != nil }

  /// Returns the reason a token must not be sent to the account's server; `nil` if it may be sent. A token from a different server must not
  /// be sent, because a server that receives a token can act as its user.
  package func objection(to token: StoredToken) -> Problem? {
    guard token.grant.bearer != nil, token.identity.server != provider.server else { return nil }
    return Problem(
      code: .configuration,
      message:
        "The token was issued by \(token.identity.server), but the account is now configured for \(provider.server). "
        + "Restore the settings, or log in again: homeline login \(name)")
  }

  /// Returns a token's authority without renewing the token.
  package func plainAuthority(of token: StoredToken) -> AuthorityResult {
    if let problem = objection(to: token) { return .failure(.problem(problem)) }
    // The token may just have been renewed.
    secrets.note(token.grant)
    switch (token.grant, provider.authorization) {
    case (.oauth1(let credentials), .oauth1):
      let signer: Signer
      do throws(OperationError) {
        signer = try dependencies.keys.signer(of: credentials, method: settings.signatureMethod)
      } catch {
        return .failure(.problem(Problem(code: .secretUnavailable, message: error.message)))
      }
      return .success((.signer(signer), token))
    case (.oauth2(let bearer), .oauth2(let profile)) where profile.signsRequests:
      return clientAuthority(token: bearer.accessToken).map { ($0, token) }
    case (.oauth2(let bearer), .oauth2(let profile)):
      return .success((.bearer(bearer.accessToken, profile.tokenPlacement), token))
    case (.oauth1, .oauth2), (.oauth2, .oauth1):
      return .failure(
        .problem(
          Problem(
            code: .notAuthorised,
            message:
              "The token was issued for a different version of OAuth than the account is now configured for."
          )))
    }
  }
}

/// Responses that reject an access token, and their meaning. Call on the account's queue.
extension Account {
  /// Returns whether renewing the token may help after it was rejected. A server responds with 401 to a token that became invalid before it
  /// expired (RFC 6750 §3.1); some servers respond with 403 and an empty body.
  ///
  /// Renewing does not help if this token was already rejected right after its renewal.
  package func isWorthRenewing(_ token: StoredToken, after error: ProviderError, in response: ProviderResponse) -> Bool
  {
    guard canRenew(token), let bearer = token.grant.bearer, bearer.accessToken != doubtedToken else { return false }
    if case .refused(.needsLogin) = error { return true }
    return isAboutToken(response)
  }

  /// Returns the problem to report when the provider rejects a token that was just renewed. If the token was rejected, the problem is
  /// final; other errors are reported unchanged.
  package func problem(_ error: ProviderError, in response: ProviderResponse, refusing token: StoredToken) -> Problem {
    guard isAboutToken(response), case .refused(let failure) = error else { return error.problem }
    doubtedToken = token.grant.bearer?.accessToken
    switch failure {
    case .configuration(let message), .refused(let message), .needsLogin(let message):
      return Problem(code: .notAuthorised, message: "The server rejected both the token and its renewal. \(message)")
    default: return error.problem
    }
  }

  /// Returns whether a response may be about the token. A web page is not, because any proxy can send it.
  private func isAboutToken(_ response: ProviderResponse) -> Bool {
    switch response.status {
    case 401: response.isEmptyUnauthorized || provider.origin(of: response) == .api
    // Servers built with django-oauth-toolkit answer like this to an expired token.
    case 403: response.body.isEmpty && response.header("www-authenticate") == nil
    default: false
    }
  }

  /// Asks the provider for the token's user, because it has answered 401 without a reason. snac answers like this to an invalid token, but
  /// so do proxies to any request. Call within a job.
  /// - Parameter completion: receives the meaning if the provider refuses this as well; `nil` if it does not, or if it was not asked because
  ///   requests cost money.
  package func confirmRefusal(
    of authority: RequestAuthority, completion: @escaping (ProviderFailure?) -> Void
  ) {
    guard !countsSpending, let request = provider.userRequest() else { return completion(nil) }
    providerClient.call(with: authority.secrets, { try authority.request(request, nonceTimestamp: $0) }) { result in
      completion((try? result.get()).flatMap { self.provider.confirmedRefusal(in: $0) })
    }
  }
}

extension Account {
  /// The token's next scheduled renewal, according to this machine's clock; `nil` if the token is not renewed, or if a new
  /// login is required.
  package var renewalDue: Timestamp? {
    guard let renewer, knownState.problem?.code != .notAuthorised,
      let token = try? tokens.read(), !token.hasEnded, let bearer = token.grant.bearer, bearer.refreshToken != nil,
      let renewAt = bearer.renewAt
    else { return nil }
    let due = clock.now + (renewAt - providerClient.serverNow(supposing: bearer.clockOffset))
    return renewer.pausedUntil.map { max($0, due) } ?? due
  }
}
