/// The kinds of work for an account, in order of priority.
package enum Work: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// The user's own refresh.
  case user
  /// The renewal of a token before it expires.
  case renew
  /// The scheduled refresh.
  case refresh
  /// One page in a gap, or below all known posts.
  case fill

  package static func < (left: Work, right: Work) -> Bool { left.rawValue < right.rawValue }
}
