internal import Accounts
internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// What a login does with its token if the token's user has an account already.
enum TokenFate: Sendable, Hashable {
  /// The other account gets the token.
  case given
  /// The other account does not need the token, or cannot use it, so the token is revoked.
  case revoked
  /// The other account does not need the token, or cannot use it. It is not revoked, because that could end another program's login, or
  /// the other account's.
  case dropped

  /// - Parameters:
  ///   - isSameClient: whether the other account's keys can use the token.
  ///   - isComplete: whether the token has all scopes that the other account requests.
  ///   - isForeign: whether another program obtained the token.
  ///   - isNeeded: whether the other account has no usable token.
  ///   - endsAlone: whether a revocation ends only this token.
  init(isSameClient: Bool, isComplete: Bool, isForeign: Bool, isNeeded: Bool, endsAlone: Bool) {
    if isForeign {
      self = isSameClient && isNeeded ? .given : .dropped
    } else if !isSameClient {
      self = .revoked
    } else if isComplete || isNeeded {
      self = .given
    } else {
      self = endsAlone ? .revoked : .dropped
    }
  }
}

/// The token of a login whose user has an account already. Call on the other account's queue.
struct KnownUserToken: Sendable {
  let grant: TokenGrant
  let user: User
  let issuer: String?
  let options: LoginOptions
  /// The settings of the account for which the login was started.
  let settings: AccountSettings

  /// What became of the token.
  struct Result: Sendable {
    let fate: TokenFate
    /// The location of the token of the other account, for the user; nil if it has no usable token.
    let location: String?
  }

  /// Gives the token to the other account if that account can use it.
  func settle(with holder: Account) throws(OperationError) -> Result {
    let former = try? holder.loadToken()
    let isNeeded = former.map(\.hasEnded) ?? true || holder.knownState.problem?.code == .notAuthorised
    let fate = TokenFate(
      isSameClient: settings.credentials.isSameClient(as: holder.settings.credentials),
      isComplete: missingScopes(at: holder).isEmpty, isForeign: options.usesToken, isNeeded: isNeeded,
      endsAlone: settings.credentials == .selfRegistered
        && former?.grant.bearer?.accessToken != grant.bearer?.accessToken)
    guard fate == .given else { return Result(fate: fate, location: isNeeded ? nil : holder.tokens.location) }
    _ = try LoginTokenReservation(of: holder).keep(grant, of: user, namedBy: issuer, switchesUser: false) { _ in }
    return Result(fate: .given, location: holder.tokens.location)
  }

  /// Returns the scopes that the other account requests and the token does not have. A server that names no scopes has granted those that
  /// the login requested.
  private func missingScopes(at holder: Account) -> [String] {
    guard case .oauth2(let profile) = holder.provider.authorization, let bearer = grant.bearer else { return [] }
    guard let granted = bearer.scope else {
      return settings.scopes == holder.settings.scopes ? [] : profile.scopes
    }
    return GrantedScopes(granted).missing(from: profile.scopes)
  }
}
