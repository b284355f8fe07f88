/// A renewal that an earlier process left unfinished.
package enum TokenRecovery: Sendable, Hashable {
  case nothing
  /// The earlier process requested a renewal and received no response. The token has not changed.
  case unanswered
  /// The earlier process received the renewed token, which is now the current token.
  case completed
}
