package import CivilTime

/// The outcome of a request for one page, as far as it affects the time of the next request.
///
/// A busy provider, a demand for payment and a rejected token are different outcomes, because they delay the next request differently.
package enum RefreshOutcome: Sendable, Hashable {
  /// Posts were received. The value shows whether more posts should be fetched below them, for a gap or because older posts are wanted.
  case served(hasMore: Bool)
  /// There are no new posts. The value shows whether more posts should be fetched nevertheless.
  case unchanged(hasMore: Bool)
  /// Too many requests were sent: the next one must not be sent before this time.
  case limited(until: Timestamp)
  /// A later request may succeed. It is sent after the time that the provider specified (`Retry-After`), otherwise after growing pauses.
  case transient(until: Timestamp?)
  /// The provider demands payment. The next request is sent at this time, and then at most one an hour.
  case paused(until: Timestamp?)
  /// The user's own daily limit has been used up.
  case budget(until: Timestamp)
  /// Requests will fail until the user changes something. No request is sent before a login, a reload or the user's own refresh.
  case permanent(Reason)

  package enum Reason: Sendable, Hashable {
    case needsLogin
    case configuration
    case closed
    case locked
  }

  /// Whether no request is sent until the user acts.
  package var isFinal: Bool { if case .permanent = self { true } else { false } }

  /// Whether the provider responded with its timeline.
  package var isGood: Bool {
    switch self {
    case .served, .unchanged: true
    case .limited, .transient, .paused, .budget, .permanent: false
    }
  }
}
