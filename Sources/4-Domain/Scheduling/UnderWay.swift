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
