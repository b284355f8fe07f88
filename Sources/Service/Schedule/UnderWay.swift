internal import Settings

/// How many requests are under way, by what they share.
struct UnderWay: Sendable {
  private var counts: [Scope: Int] = [:]

  subscript(scope: Scope) -> Int { counts[scope] ?? 0 }

  mutating func begin(_ member: Schedule.Member) { add(1, member) }

  mutating func end(_ member: Schedule.Member) { add(-1, member) }

  private mutating func add(_ change: Int, _ member: Schedule.Member) {
    for scope in member.scopes {
      let count = self[scope] + change
      counts[scope] = count == 0 ? nil : count
    }
  }
}
