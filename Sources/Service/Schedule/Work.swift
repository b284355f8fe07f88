/// What an account is asked for; the first goes before the next.
package enum Work: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// The user's own refresh.
  case user
  /// A token that is to be renewed ahead of its end.
  case renew
  /// The scheduled refresh.
  case refresh
  /// One page of a gap, or below everything.
  case fill

  package static func < (left: Work, right: Work) -> Bool { left.rawValue < right.rawValue }
}
