package import Time

/// The times of a timeline's scheduled work.
package struct WorkTimes: Sendable, Hashable {
  /// The next refresh; `nil` if none is scheduled.
  package var due: Timestamp?
  /// The next page of a gap; `nil` if none is wanted.
  package var filling: Timestamp?

  package init(due: Timestamp?, filling: Timestamp? = nil) {
    self.due = due
    self.filling = filling
  }

  /// Returns the times, with earlier ones moved to the given time.
  package func notBefore(_ moment: Timestamp?) -> WorkTimes {
    guard let moment else { return self }
    return WorkTimes(due: due.map { max($0, moment) }, filling: filling.map { max($0, moment) })
  }

  /// Returns the times, with earlier ones moved to the given floors.
  func raised(to floors: WorkTimes) -> WorkTimes {
    WorkTimes(due: due?.raised(to: floors.due), filling: filling?.raised(to: floors.filling))
  }

  /// Moves the floors up to the given ones.
  mutating func raise(to floors: WorkTimes) {
    due = due?.raised(to: floors.due) ?? floors.due
    filling = filling?.raised(to: floors.filling) ?? floors.filling
  }

  mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
    due = due.map { $0 <= moment ? later : $0 }
    filling = filling.map { $0 <= moment ? later : $0 }
  }

  mutating func shift(by duration: Duration) {
    due = due.map { $0 + duration }
    filling = filling.map { $0 + duration }
  }
}

extension Timestamp {
  /// Returns the time, moved to the floor if that is later.
  func raised(to floor: Timestamp?) -> Timestamp { floor.map { max(self, $0) } ?? self }
}
