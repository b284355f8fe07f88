/// How many requests are under way, by what they share.
struct UnderWay: Sendable {
  private var counts: [Scope: Int] = [:]

  subscript(scope: Scope) -> Int { counts[scope] ?? 0 }

  /// - Parameter scopes: all that the request counts in.
  mutating func begin(in scopes: [Scope]) { add(1, scopes) }

  mutating func end(in scopes: [Scope]) { add(-1, scopes) }

  private mutating func add(_ change: Int, _ scopes: [Scope]) {
    for scope in scopes {
      let count = self[scope] + change
      counts[scope] = count == 0 ? nil : count
    }
  }
}
