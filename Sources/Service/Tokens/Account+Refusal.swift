internal import HomelineOAuth
internal import Providers
internal import Store
internal import Timeline

/// What a provider's refusal says of an access token. To be called on the lane's queue.
extension Account {
  /// Whether another token may help against a refusal: one that has ended before its time is refused with 401 (RFC 6750 §3.1), by some
  /// with 403 and not a word.
  ///
  /// Not where the one that was refused had just been brought by a renewal for that reason.
  func isWorthRenewing(_ token: StoredToken, after error: ProviderError, in answer: ProviderAnswer) -> Bool {
    guard canRenew(token), let bearer = token.grant.bearer, bearer.accessToken != doubtedToken else { return false }
    if case .refused(.needsLogin) = error { return true }
    return Self.isAboutToken(answer)
  }

  /// What a refusal means of a token that a renewal has just brought: it is believed, but for a provider that is out of order.
  func problem(_ error: ProviderError, in answer: ProviderAnswer, refusing token: StoredToken) -> Problem {
    guard Self.isAboutToken(answer), case .refused(let verdict) = error else { return error.problem }
    doubtedToken = token.grant.bearer?.accessToken
    switch verdict {
    case .configuration(let words), .refused(let words), .needsLogin(let words):
      return Problem(code: .notAuthorised, message: "The token and the one after it are refused. \(words)")
    default: return error.problem
    }
  }

  private static func isAboutToken(_ answer: ProviderAnswer) -> Bool {
    answer.status == 401
      || answer.status == 403 && answer.body.isEmpty && answer.header("www-authenticate") == nil
  }
}
