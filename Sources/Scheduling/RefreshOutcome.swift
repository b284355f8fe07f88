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
  /// Requests will probably fail until the user changes something. After a login, a reload or the user's own refresh, a request is sent at
  /// once; otherwise after an hour, and then more and more rarely.
  case permanent(Reason)

  package enum Reason: Sendable, Hashable {
    case needsLogin
    case configuration
    case closed
    case locked
  }

  /// Whether only the user can solve the problem, as far as is known.
  package var isFinal: Bool { if case .permanent = self { true } else { false } }

  /// Whether the time of the next refresh is published with the problem: if the provider gave a time, and if the next refresh is far away.
  package var namesNextRefresh: Bool {
    switch self {
    case .limited, .transient(until: _?), .permanent: true
    case .served, .unchanged, .transient(until: nil), .paused, .budget: false
    }
  }

  /// Whether the provider responded with its timeline.
  package var isGood: Bool {
    switch self {
    case .served, .unchanged: true
    case .limited, .transient, .paused, .budget, .permanent: false
    }
  }
}
