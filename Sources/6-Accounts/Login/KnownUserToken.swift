internal import Accounts
internal import Dispatch
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The token from a login by a user who already has an account.
struct KnownUserToken: Sendable {
  let grant: TokenGrant
  let identity: AccountIdentity
  let options: LoginOptions
  /// The account that the login was started for.
  let account: Account

  /// What became of the token.
  struct Outcome: Sendable {
    /// The other account.
    let holder: Account
    let fate: TokenFate
    /// The location of the other account's token, for the user; nil if that account has no usable token.
    let location: String?
  }

  /// Gives the token to the other account if that account can use it, and otherwise revokes it if it should be revoked. The completion is
  /// called once, on the queue of the login's account.
  func settle(
    with other: AccountSettings, of users: AccountUsers,
    completion: @escaping @Sendable (Result<Outcome, OperationError>) -> Void
  ) {
    users.open(other) { result in
      let holder: Account
      do throws(OperationError) { holder = try result.get() } catch { return end(.failure(error), completion) }
      holder.accountQueue.enqueue(.login) {
        end(.failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; log in again")), completion)
      } _: { context in
        let result = Result { () throws(OperationError) in try settle(with: holder) }
        context.end()
        end(result, completion)
      }
    }
  }

  private func end(
    _ result: Result<Outcome, OperationError>,
    _ completion: @escaping @Sendable (Result<Outcome, OperationError>) -> Void
  ) {
    account.queue.async {
      guard case .success(let outcome) = result else { return completion(result) }
      // This tells the command that added this account that the account is superfluous.
      try? account.store.update { $0.identity = identity }
      guard outcome.fate == .revoked else { return completion(result) }
      let stored = StoredToken(
        provider: account.settings.provider, identity: identity, grant: grant, authorisedAt: account.clock.now)
      TokenRevocation.revoke(stored, of: account) { _ in completion(result) }
    }
  }

  /// Gives the token to the other account if that account can use it. Call on the other account's queue.
  private func settle(with holder: Account) throws(OperationError) -> Outcome {
    let former = try? holder.authority.loadToken()
    let isNeeded = former.map(\.hasEnded) ?? true || holder.store.knownState.needsLogin
    let fate = TokenFate(
      isSameClient: account.settings.credentials.isSameClient(as: holder.settings.credentials),
      isComplete: missingScopes(at: holder).isEmpty, isForeign: options.usesToken, isNeeded: isNeeded,
      endsAlone: account.settings.credentials == .selfRegistered
        && former?.grant.bearer?.accessToken != grant.bearer?.accessToken)
    guard fate == .given else {
      holder.loggedIn()
      return Outcome(holder: holder, fate: fate, location: isNeeded ? nil : holder.authority.tokens.location)
    }
    _ = try LoginTokenReservation(of: holder).keep(
      grant, of: identity.user, namedBy: identity.issuer, switchesUser: false
    ) { _ in }
    return Outcome(holder: holder, fate: .given, location: holder.authority.tokens.location)
  }

  /// Returns the scopes that the other account requests and the token lacks. A server that names no scopes has granted the scopes that the
  /// login requested.
  private func missingScopes(at holder: Account) -> [String] {
    guard case .oauth2(let profile) = holder.provider.authorization, let bearer = grant.bearer else { return [] }
    guard case .oauth2(let own) = account.provider.authorization else { return [] }
    return GrantedScopes(bearer.scope ?? own.scopes.joined(separator: " ")).missing(from: profile.scopes)
  }
}
