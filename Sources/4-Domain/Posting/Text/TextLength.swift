/// A post's length, as its provider measures it.
package struct TextLength: Sendable, Hashable {
  package enum Unit: String, Sendable { case characters, bytes }

  package let count: Int
  /// The maximum length; `nil` if there is none.
  package let limit: Int?
  package let unit: Unit

  init(count: Int, limit: Int?, unit: Unit = .characters) {
    self.count = count
    self.limit = limit
    self.unit = unit
  }

  /// How much longer the post may be; negative if it is too long, `nil` if there is no limit.
  var remaining: Int? { limit.map { $0 - count } }

  var isWithinLimit: Bool { remaining.map { $0 >= 0 } ?? true }

  /// The reason the post cannot be sent, with advice for the user; `nil` if the post is short enough.
  package var problem: String? {
    guard let limit, count > limit else { return nil }
    return "The text has \(count) of \(limit) \(unit); shorten it by \(count - limit)."
  }
}
