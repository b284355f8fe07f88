package import Time

/// The outcome of a page's work, as far as it affects the time of the next request.
///
/// A busy provider, a demand for payment and a refused token are different outcomes, because they delay the next request differently.
package enum RefreshOutcome: Sendable, Hashable {
  /// The provider responded with its timeline. The value shows whether more posts should be fetched below it, for a gap or because older
  /// posts are wanted.
  case served(hasMore: Bool)
  /// Too many requests were sent: the next one must not be sent before this time.
  case limited(until: Timestamp)
  /// A later request may succeed. It is sent after the time that the provider specified (`Retry-After`), otherwise after growing pauses.
  case transient(until: Timestamp?)
  /// The provider demands payment. The next request is sent at this time, and then at most one an hour.
  case paused(until: Timestamp?)
  /// The user's own daily limit has been used up.
  case budget(until: Timestamp)
  /// Requests will probably fail until the user changes something. A login, a reload or the user's own refresh sends a request immediately;
  /// otherwise the next one follows after an hour, and later ones ever more rarely.
  case permanent(Reason)
  /// No request was sent, because a limit that was reached earlier applies until this time.
  case held(until: Timestamp)
  /// No request was sent, because one of the account's files cannot be used. Another attempt costs nothing, and the user may have fixed the
  /// file.
  /// - Parameter isDisk: whether reading or writing failed, as on a full disk. The file's content is then not the reason.
  case unusable(isDisk: Bool)
  /// The work was cancelled.
  case cancelled

  package enum Reason: Sendable, Hashable {
    case needsLogin
    case configuration
    case closed
    case locked
  }

  /// Whether, as far as is known, only the user can solve the problem.
  package var isFinal: Bool { if case .permanent = self { true } else { false } }

  /// Whether the provider responded with its timeline.
  package var isGood: Bool { if case .served = self { true } else { false } }
}
