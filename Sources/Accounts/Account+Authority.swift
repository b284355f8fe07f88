package import CivilTime
internal import HomelineOAuth
package import Providers
package import Settings
package import Storage
package import Timeline

/// With what an account's requests are authorised. To be asked on the lane's queue, within a turn.
extension Account {
  package typealias Authorised = Result<(RequestAuthority, StoredToken), Renewer.Refusal>

  /// What authorises requests now; a token whose time is nearly over is renewed before.
  /// - Parameter isAwaited: whether a user waits for it.
  package func authority(
    of token: StoredToken, isAwaited: Bool, completion: @escaping (Authorised) -> Void
  ) {
    guard let renewer, objection(to: token) == nil else { return signingAuthority(of: token, completion: completion) }
    renewer.current(token, isAwaited: isAwaited) { result in completion(result.flatMap(self.plainAuthority)) }
  }

  /// What authorises requests with a token as it is; the key that signs them may have to be waited for.
  private func signingAuthority(of token: StoredToken, completion: @escaping (Authorised) -> Void) {
    guard case .oauth1 = token.grant, objection(to: token) == nil else { return completion(plainAuthority(of: token)) }
    dependencies.keys.prepare(on: queue) { completion(self.plainAuthority(of: token)) }
  }

  /// The same with a token that the provider has just refused.
  package func renewedAuthority(of token: StoredToken, completion: @escaping (Authorised) -> Void) {
    guard let renewer, objection(to: token) == nil else { return completion(plainAuthority(of: token)) }
    renewer.renew(token) { result in completion(result.flatMap(self.plainAuthority)) }
  }

  /// Whether the provider can be asked for another token in the place of this one.
  func canRenew(_ token: StoredToken) -> Bool { renewer != nil && token.grant.bearer?.refreshToken != nil }

  /// Why a token must not be shown to the account's server: another one gave it, and whoever has it can act as its user.
  package func objection(to token: StoredToken) -> Problem? {
    guard token.grant.bearer != nil, token.identity.server != provider.server else { return nil }
    return Problem(
      code: .configuration,
      message:
        "The token was given by \(token.identity.server), and the account's settings name \(provider.server) now. "
        + "Put the settings back, or log in again: homeline login \(name)")
  }

  /// What a token as it is makes of requests.
  package func plainAuthority(of token: StoredToken) -> Authorised {
    if let problem = objection(to: token) { return .failure(.problem(problem)) }
    // It may have been renewed just now.
    secrets.note(token.grant)
    switch (token.grant, provider.authorization) {
    case (.oauth1(let credentials), .oauth1):
      let signer: Signer
      do throws(Failure) {
        signer = try dependencies.keys.signer(of: credentials, method: settings.signatureMethod)
      } catch {
        return .failure(.problem(Problem(code: .secretUnavailable, message: error.message)))
      }
      return .success((.signer(signer), token))
    case (.oauth2(let bearer), .oauth2(let profile)):
      return .success((.bearer(bearer.accessToken, profile.tokenPlacement), token))
    case (.oauth1, .oauth2), (.oauth2, .oauth1):
      return .failure(
        .problem(
          Problem(
            code: .notAuthorised,
            message: "The token was given by the other version of OAuth than the account's settings ask for now.")))
    }
  }
}

/// What a provider's refusal says of an access token. To be called on the lane's queue.
extension Account {
  /// Whether another token may help against a refusal: one that has ended before its time is refused with 401 (RFC 6750 §3.1), by some
  /// with 403 and not a word.
  ///
  /// Not where the one that was refused had just been brought by a renewal for that reason.
  package func isWorthRenewing(_ token: StoredToken, after error: ProviderError, in response: ProviderResponse) -> Bool
  {
    guard canRenew(token), let bearer = token.grant.bearer, bearer.accessToken != doubtedToken else { return false }
    if case .refused(.needsLogin) = error { return true }
    return Self.isAboutToken(response)
  }

  /// What a refusal means of a token that a renewal has just brought: it is believed, but for a provider that is out of order.
  package func problem(_ error: ProviderError, in response: ProviderResponse, refusing token: StoredToken) -> Problem {
    guard Self.isAboutToken(response), case .refused(let failure) = error else { return error.problem }
    doubtedToken = token.grant.bearer?.accessToken
    switch failure {
    case .configuration(let words), .refused(let words), .needsLogin(let words):
      return Problem(code: .notAuthorised, message: "The token and the one after it are refused. \(words)")
    default: return error.problem
    }
  }

  private static func isAboutToken(_ response: ProviderResponse) -> Bool {
    response.status == 401
      || response.status == 403 && response.body.isEmpty && response.header("www-authenticate") == nil
  }
}

extension Account {
  /// When the token is to be renewed by itself, by our clock; `nil` when it is not, or only a login helps.
  package var renewalDue: Timestamp? {
    guard let renewer, knownState.problem?.code != .notAuthorised,
      let token = try? tokens.read(), !token.hasEnded, let bearer = token.grant.bearer, bearer.refreshToken != nil,
      let renewAt = bearer.renewAt
    else { return nil }
    let due = clock.now + (renewAt - providerClient.serverNow(supposing: bearer.clockOffset))
    return renewer.pausedUntil.map { max($0, due) } ?? due
  }
}

extension Problem {
  /// Nobody has logged in to the account.
  package static func notAuthorisedYet(_ account: AccountName) -> Problem {
    Problem(code: .notAuthorised, message: "not authorised yet. Run: homeline login \(account)")
  }

  /// The provider's words do not know how a login is begun here.
  package func withLoginHint(for account: AccountName) -> Problem {
    guard code == .notAuthorised else { return self }
    return Problem(code: code, message: "\(message) Run: homeline login \(account)", retryAt: retryAt)
  }
}
