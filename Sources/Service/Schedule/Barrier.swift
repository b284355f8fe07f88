internal import CivilTime

/// Why nobody in a scope is asked for a while.
struct Barrier: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The provider said when to come back, or the user's own limit of a day is used up. Nothing passes.
    case limit
    /// The provider wants money. The user may look whether it has come; when the time is over, one request goes first.
    case pause
  }

  var kind: Kind
  var until: Timestamp
}
