package import CivilTime

/// Limits on the age and number of stored posts.
package struct Retention: Sendable, Hashable {
  /// The number of days to keep posts after publication; `nil` for no limit.
  var days: Int?
  /// The maximum number of posts; the newest ones are kept. `nil` for no limit.
  package var newest: Int?
  /// The number of days to keep a deleted post's text; 0 to keep none.
  var deletedDays: Int

  package init(days: Int? = nil, newest: Int? = nil, deletedDays: Int = 30) {
    self.days = days
    self.newest = newest
    self.deletedDays = deletedDays
  }

  /// Returns the earliest publication time of posts to keep.
  package func begin(at now: Timestamp) -> Timestamp? { days.map { now - .seconds(86_400 * $0) } }

  /// Returns the time at or before which a post must have been hidden for its text to be erased now.
  package func endOfHidden(at now: Timestamp) -> Timestamp { now - .seconds(86_400 * deletedDays) }
}
