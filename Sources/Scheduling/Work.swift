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

/// The number of running requests in each scope.
struct UnderWay: Sendable {
  private var counts: [Scope: Int] = [:]

  subscript(scope: Scope) -> Int { counts[scope] ?? 0 }

  /// Counts a request that has started.
  /// - Parameter scopes: all scopes that the request counts towards.
  package mutating func begin(in scopes: [Scope]) { add(1, scopes) }

  package mutating func end(in scopes: [Scope]) { add(-1, scopes) }

  private mutating func add(_ change: Int, _ scopes: [Scope]) {
    for scope in scopes {
      let count = self[scope] + change
      counts[scope] = count == 0 ? nil : count
    }
  }
}
