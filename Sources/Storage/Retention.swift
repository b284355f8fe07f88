package import CivilTime

/// How long posts are kept.
package struct Retention: Sendable, Hashable {
  /// For so many days after they were published; `nil` for good.
  package var days: Int?
  /// Only so many, the newest; `nil` for all.
  package var newest: Int?
  /// For so many days the text of a post is kept that was deleted at its server; 0 for not at all.
  package var deletedDays: Int

  package init(days: Int? = nil, newest: Int? = nil, deletedDays: Int = 30) {
    self.days = days
    self.newest = newest
    self.deletedDays = deletedDays
  }

  /// From when on posts are kept.
  package func begin(at now: Timestamp) -> Timestamp? { days.map { now - .seconds(86_400 * $0) } }

  /// Up to when the text of a post that was hidden then is erased now.
  package func endOfHidden(at now: Timestamp) -> Timestamp { now - .seconds(86_400 * deletedDays) }
}
