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

/// How many requests are under way, by what they share.
struct UnderWay: Sendable {
  private var counts: [Scope: Int] = [:]

  subscript(scope: Scope) -> Int { counts[scope] ?? 0 }

  /// - Parameter scopes: all that the request counts in.
  package mutating func begin(in scopes: [Scope]) { add(1, scopes) }

  package mutating func end(in scopes: [Scope]) { add(-1, scopes) }

  private mutating func add(_ change: Int, _ scopes: [Scope]) {
    for scope in scopes {
      let count = self[scope] + change
      counts[scope] = count == 0 ? nil : count
    }
  }
}
