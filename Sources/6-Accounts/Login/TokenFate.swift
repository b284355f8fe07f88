/// What a login does with its token if the token's user already has an account.
enum TokenFate: Sendable, Hashable {
  /// The other account gets the token.
  case given
  /// The other account does not need the token, or cannot use it, so the token is revoked.
  case revoked
  /// The other account does not need the token, or cannot use it. It is not revoked, because this could end the login of another program or
  /// of the other account.
  case dropped

  /// - Parameters:
  ///   - isSameClient: whether the other account's keys can use the token.
  ///   - isComplete: whether the token has all scopes that the other account requests.
  ///   - isForeign: whether another program obtained the token.
  ///   - isNeeded: whether the other account lacks a usable token.
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
