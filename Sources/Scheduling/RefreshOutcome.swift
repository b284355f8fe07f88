package import CivilTime

/// The outcome of a request for one page, as far as it affects the time of the next request.
///
/// A busy provider, a demand for payment and a rejected token are outcomes of different kinds, not one error.
package enum RefreshOutcome: Sendable, Hashable {
  /// Posts were received; the value is whether more should be fetched below them: a gap, or older posts that are wanted.
  case served(hasMore: Bool)
  /// Nothing is new; the value is whether more should be fetched anyway.
  case unchanged(hasMore: Bool)
  /// Too many requests were sent: the next one must not be sent before this time.
  case limited(until: Timestamp)
  /// A later request may succeed: not before this time if the provider specified one (`Retry-After`), otherwise after growing pauses.
  case transient(until: Timestamp?)
  /// The provider demands payment first. It is contacted again at this time, and at most hourly.
  case paused(until: Timestamp?)
  /// The user's own daily limit has been used up.
  case budget(until: Timestamp)
  /// Requests will not succeed again without a change: none is sent before a login, a reload or the user's own refresh.
  case permanent(Reason)

  package enum Reason: Sendable, Hashable {
    case needsLogin
    case configuration
    case closed
    case locked
  }

  /// Whether no request is sent until the user has done something.
  package var isFinal: Bool { if case .permanent = self { true } else { false } }

  /// Whether the provider responded with its timeline.
  package var isGood: Bool {
    switch self {
    case .served, .unchanged: true
    case .limited, .transient, .paused, .budget, .permanent: false
    }
  }
}
