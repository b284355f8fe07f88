package import CivilTime

/// How long posts are kept.
package struct Retention: Sendable, Hashable {
  /// For so many days after they were published; `nil` for good.
  package var days: Int?
  /// Only so many, the newest; `nil` for all.
  package var newest: Int?

  package init(days: Int? = nil, newest: Int? = nil) {
    self.days = days
    self.newest = newest
  }

  /// From when on posts are kept.
  package func begin(at now: Timestamp) -> Timestamp? { days.map { now - .seconds(86_400 * $0) } }

  /// How many posts one page's transaction removes at most, so that a limit set on a large archive holds nobody up.
  static let portion = 500
}
