/// How an action succeeded.
package enum PostActionOutcome: String, Sendable, Hashable, CaseIterable {
  case done
  /// The server was already in the wanted state, so nothing was sent.
  case already
}
