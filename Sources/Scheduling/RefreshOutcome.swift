package import CivilTime

/// What came of asking the provider for one page, as far as it says when to ask again.
///
/// That a provider is busy, wants money or has thrown the token away are outcomes of different kinds, not one error.
package enum RefreshOutcome: Sendable, Hashable {
  /// Posts came; and whether more are to be fetched below them: a gap, or older posts that are wanted.
  case served(hasMore: Bool)
  /// Nothing is new; and whether more is to be fetched all the same.
  case unchanged(hasMore: Bool)
  /// Too much was asked: not before this moment.
  case limited(until: Timestamp)
  /// It may work later: not before this moment where the provider named one (`Retry-After`), else after growing pauses.
  case transient(until: Timestamp?)
  /// The provider wants money first: looked at again at this moment, at most hourly.
  case paused(until: Timestamp?)
  /// The user's own limit of a day is used up.
  case budget(until: Timestamp)
  /// It will not work again by itself: nothing is asked before a login, a reload or the user's own refresh.
  case permanent(Reason)

  package enum Reason: Sendable, Hashable {
    case needsLogin
    case configuration
    case closed
    case locked
  }

  /// Whether nothing is asked any more until the user has done something.
  package var isFinal: Bool { if case .permanent = self { true } else { false } }

  /// Whether the provider answered with its timeline.
  package var isGood: Bool {
    switch self {
    case .served, .unchanged: true
    case .limited, .transient, .paused, .budget, .permanent: false
    }
  }
}
