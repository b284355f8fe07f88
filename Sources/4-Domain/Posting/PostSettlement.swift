internal import Time

/// How to determine whether a post was published if the server's response was lost.
package enum PostSettlement: Sendable, Hashable {
  /// Look for the post as in `lookUp`. If it is not found, send it again with the same idempotency key, within this time after the first
  /// attempt.
  case sameKey(for: Duration, knownBefore: Set<String>?)
  /// Look for the post among the user's own newest posts. Send it again only if the server has refused it as a copy, and the posts prove
  /// that nothing was published.
  /// - Parameter knownBefore: the ids of the user's newest posts before the first attempt; `nil` if they could not be read. In that case, a
  ///   post on the server with the draft's text does not prove that the attempt was published.
  case lookUp(knownBefore: Set<String>?)

  /// The possible lifetimes of a key, in seconds: at most a year.
  package static let keySeconds = 0...(366 * 86_400 as Int64)

  /// The ids of the user's newest posts before the first attempt.
  package var knownBefore: Set<String>? {
    switch self {
    case .sameKey(_, let known), .lookUp(let known): known
    }
  }

  /// Returns whether the post may be sent again. If the clock has been set back, the age of the key is unknown, and the post must not be
  /// sent again.
  func allowsRepetition(firstAt: Timestamp, at now: Timestamp) -> Bool {
    guard case .sameKey(let lifetime, _) = self else { return false }
    return now >= firstAt && now - firstAt < lifetime - Self.margin
  }

  /// The last part of a key's lifetime. The key is not used then, because a request takes time.
  private static let margin = Duration.seconds(300)
}
