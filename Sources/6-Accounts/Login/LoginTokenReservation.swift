internal import Accounts
internal import Formats
internal import Providers
internal import Scheduling
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Disk space reserved for a login's token. It is reserved before the first request to the provider, so that storage problems show before
/// the user has to do anything. An unused reservation leaves no files behind. Use only on the account's queue.
final class LoginTokenReservation {
  private let account: Account
  /// The account's generation when the login began.
  private let generation: Int
  private var reservation: any TokenReservation

  init(of account: Account) throws(OperationError) {
    self.account = account
    generation = account.accountQueue.generation
    reservation = try Self.reserve(account)
  }

  /// Stores the token and its user.
  /// - Parameters:
  ///   - issuer: the issuer of the ID Token that identifies the user.
  ///   - switchesUser: whether the account may change to a different user.
  ///   - setAside: called with the previous user's folders, if the user has changed.
  /// - Returns: the stored grant, including the previous login's refresh token if the server issued none.
  package func keep(
    _ grant: TokenGrant, of user: User, namedBy issuer: String?, switchesUser: Bool, setAside: ([String]) -> Void
  ) throws(OperationError) -> TokenGrant {
    guard generation == account.accountQueue.generation, !account.isClosed else {
      throw OperationError(
        .tryAgain(at: nil),
        "the account's settings were changed while it was being authorised, so the new token was not kept. Log in again"
      )
    }
    do {
      let now = account.clock.now
      let formerToken = account.authority.renewer?.unkept ?? (try? account.authority.tokens.read())
      // The database does not store issuers.
      let former =
        try account.store.state().identity.map {
          AccountIdentity(server: $0.server, user: $0.user, issuer: formerToken?.identity.issuer)
        } ?? Self.withTokens { () throws(StorageError) in try account.authority.loadToken()?.identity }
      let identity = AccountIdentity(server: account.provider.server, user: user, issuer: issuer)
        .keepingServer(of: former)
      let grant = withRefreshToken(of: formerToken, grant, identity)
      if let former, former.conflicts(with: identity) {
        setAside(try setAsideFormerUser(former, for: identity, switchesUser))
      }
      let token = StoredToken(
        provider: account.settings.provider, identity: identity, grant: grant, authorisedAt: now)
      try Self.withTokens { () throws(StorageError) in try reservation.commit(token) }
      account.authority.tokenWasReplaced()
      account.loggedIn()
      try account.store.update { state in
        state.identity = identity
        for timeline in account.timelines.keys where state[timeline].problem?.code == .notAuthorised {
          state[timeline].problem = nil
        }
      }
      account.outbox.loggedIn()
      return grant
    } catch let failure as OperationError {
      throw failure
    } catch {
      throw OperationError(.inputOutput, "the token could not be stored: \(error)")
    }
  }

  /// Returns the grant. If the server issued no refresh token and the same user has logged in again, it includes the previous refresh
  /// token.
  private func withRefreshToken(
    of former: StoredToken?, _ grant: TokenGrant, _ identity: AccountIdentity
  ) -> TokenGrant {
    guard case .oauth2(let bearer) = grant, let former, !former.hasEnded,
      let formerBearer = former.grant.bearer, former.identity.isKnown, !former.identity.conflicts(with: identity)
    else { return grant }
    var generator = RandomSource()
    return bearer.keepingRefreshToken(of: formerBearer, using: &generator).map { .oauth2($0) } ?? grant
  }

  private func setAsideFormerUser(
    _ former: AccountIdentity, for new: AccountIdentity, _ switchesUser: Bool
  ) throws(OperationError) -> [String] {
    guard switchesUser else {
      // An earlier version may have stored the name as the provider wrote it.
      let formerName = SafeText.line(of: former.user.screenName)
      throw OperationError(
        .notAuthorised,
        "the provider authorised @\(new.user.screenName) (\(new.user.id) at \(new.server)), but the account "
          + "\(account.name) is @\(formerName)'s (\(former.user.id) at \(former.server)). Nothing was "
          + "stored. Log in as @\(formerName), or switch the account to the new user with --switch-user")
    }
    let folders = try account.setAside(userID: former.user.id)
    // The previous reservation was in the folder that has been moved.
    reservation = try Self.reserve(account)
    return folders
  }

  /// Converts a storage error about tokens to an error for the user.
  private static func withTokens<Value>(_ body: () throws(StorageError) -> Value) throws(OperationError) -> Value {
    do throws(StorageError) { return try body() } catch { throw OperationError(error) }
  }

  private static func reserve(_ account: Account) throws(OperationError) -> any TokenReservation {
    try withTokens { () throws(StorageError) in try account.authority.tokens.reserve(at: account.clock.now) }
  }
}
