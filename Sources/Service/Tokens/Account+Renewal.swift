internal import CivilTime
internal import Store
internal import Timeline

extension Account {
  /// When the token is to be renewed by itself, by our clock; `nil` when it is not, or only a login helps.
  var renewalDue: Timestamp? {
    guard let renewer, knownState.problem?.code != .notAuthorised,
      let token = try? tokens.read(), !token.hasEnded, let bearer = token.grant.bearer, bearer.refreshToken != nil,
      let renewAt = bearer.renewAt
    else { return nil }
    let due = clock.now + (renewAt - caller.serverNow(supposing: bearer.clockOffset))
    return renewer.pausedUntil.map { max($0, due) } ?? due
  }
}
