package import CivilTime

/// The limits on the age and the number of stored posts.
package struct Retention: Sendable, Hashable {
  /// The number of days after publication; `nil` for no limit.
  var days: Int?
  /// The maximum number of posts; the newest ones are kept. `nil` for no limit.
  package var newest: Int?
  /// The number of days for which a deleted post's text is kept; 0 means that it is not kept at all.
  var deletedDays: Int

  package init(days: Int? = nil, newest: Int? = nil, deletedDays: Int = 30) {
    self.days = days
    self.newest = newest
    self.deletedDays = deletedDays
  }

  /// Returns the publication time of the oldest posts to keep.
  package func begin(at now: Timestamp) -> Timestamp? { days.map { now - .seconds(86_400 * $0) } }

  /// Returns the time up to which the texts of hidden posts are now erased.
  package func endOfHidden(at now: Timestamp) -> Timestamp { now - .seconds(86_400 * deletedDays) }
}
