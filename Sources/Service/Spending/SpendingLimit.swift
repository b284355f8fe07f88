/// One limit of what may be spent, and how much of it is used up.
package struct SpendingLimit: Sendable, Hashable {
  /// Of what.
  package enum Kind: Sendable, Hashable {
    case requestsOfDay, postsOfDay, microUSDOfDay, microUSDOfMonth
  }

  package let kind: Kind
  package let allowed: Int64
  package let used: Int64
  /// The most that a page of one post can take of it.
  package let costOfOne: Int64

  package init(_ kind: Kind, allowed: Int64, used: Int64, costOfOne: Int64) {
    self.kind = kind
    self.allowed = allowed
    self.used = used
    self.costOfOne = costOfOne
  }

  package var left: Int64 { max(0, allowed - used) }

  var isOfDay: Bool { kind != .microUSDOfMonth }

  /// Whether more than half of it is used up.
  var isPastHalf: Bool { used > allowed / 2 }

  /// How many posts a page can be asked for within it, whatever comes along; `nil` where a page's size does not matter.
  var posts: Int64? { kind == .requestsOfDay ? nil : left / costOfOne }

  /// Whether the smallest page is too much.
  var isUsedUp: Bool { left < costOfOne }
}
