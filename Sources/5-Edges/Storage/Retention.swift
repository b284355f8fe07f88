package import Time

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

  /// Returns a cutoff: the text of posts hidden at or before this time is due to be erased.
  package func endOfHidden(at now: Timestamp) -> Timestamp { now - .seconds(86_400 * deletedDays) }
}
