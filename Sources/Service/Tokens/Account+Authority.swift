internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Store
internal import Timeline

/// With what an account's requests are authorised. To be asked on the lane's queue, within a turn.
extension Account {
  typealias Authorised = Result<(RequestAuthority, StoredToken), Renewer.Refusal>

  /// What authorises requests now; a token whose time is nearly over is renewed before.
  /// - Parameter isAwaited: whether a user waits for it.
  func authority(
    of token: StoredToken, isAwaited: Bool, completion: @escaping (Authorised) -> Void
  ) {
    guard let renewer, objection(to: token) == nil else { return signingAuthority(of: token, completion: completion) }
    renewer.current(token, isAwaited: isAwaited) { result in completion(result.flatMap(self.plainAuthority)) }
  }

  /// What authorises requests with a token as it is; the key that signs them may have to be waited for.
  private func signingAuthority(of token: StoredToken, completion: @escaping (Authorised) -> Void) {
    guard case .oauth1 = token.grant, objection(to: token) == nil else { return completion(plainAuthority(of: token)) }
    means.keys.prepare(on: queue) { completion(self.plainAuthority(of: token)) }
  }

  /// The same with a token that the provider has just refused.
  func renewedAuthority(of token: StoredToken, completion: @escaping (Authorised) -> Void) {
    guard let renewer, objection(to: token) == nil else { return completion(plainAuthority(of: token)) }
    renewer.renew(token) { result in completion(result.flatMap(self.plainAuthority)) }
  }

  /// Whether the provider can be asked for another token in the place of this one.
  func canRenew(_ token: StoredToken) -> Bool { renewer != nil && token.grant.bearer?.refreshToken != nil }

  /// Why a token must not be shown to the account's server: another one gave it, and whoever has it can act as its user.
  func objection(to token: StoredToken) -> Problem? {
    guard token.grant.bearer != nil, token.identity.server != provider.server else { return nil }
    return Problem(
      code: .configuration,
      message:
        "The token was given by \(token.identity.server), and the account's settings name \(provider.server) now. "
        + "Put the settings back, or log in again: homeline login \(name)")
  }

  /// What a token as it is makes of requests.
  func plainAuthority(of token: StoredToken) -> Authorised {
    if let problem = objection(to: token) { return .failure(.problem(problem)) }
    // It may have been renewed just now.
    secrets.note(token.grant)
    switch (token.grant, provider.authorization) {
    case (.oauth1(let credentials), .oauth1):
      let signer: Signer
      do throws(Failure) {
        signer = try means.keys.signer(of: credentials, method: settings.signatureMethod)
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
