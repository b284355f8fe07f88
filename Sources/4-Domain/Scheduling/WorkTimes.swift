package import Time

/// The times of an account's scheduled work.
package struct WorkTimes: Sendable, Hashable {
  /// The next refresh; `nil` if none is scheduled.
  package var due: Timestamp?
  /// The next page of a gap; `nil` if none is wanted.
  package var filling: Timestamp?
  /// The next token renewal; `nil` if none is scheduled.
  package var renewal: Timestamp?

  package init(due: Timestamp?, filling: Timestamp? = nil, renewal: Timestamp? = nil) {
    self.due = due
    self.filling = filling
    self.renewal = renewal
  }

  /// Returns the times, with earlier ones moved to the given time.
  package func notBefore(_ moment: Timestamp?) -> WorkTimes {
    guard let moment else { return self }
    return WorkTimes(
      due: due.map { max($0, moment) }, filling: filling.map { max($0, moment) },
      renewal: renewal.map { max($0, moment) })
  }

  /// Returns the times, with earlier ones moved to the given floors.
  func raised(to floors: WorkTimes) -> WorkTimes {
    var raised = self
    for moment in [\WorkTimes.due, \.filling, \.renewal] {
      if let planned = self[keyPath: moment], let floor = floors[keyPath: moment] {
        raised[keyPath: moment] = max(planned, floor)
      }
    }
    return raised
  }

  mutating func raise(_ moment: WritableKeyPath<WorkTimes, Timestamp?>, to floor: Timestamp) {
    self[keyPath: moment] = max(self[keyPath: moment] ?? floor, floor)
  }

  mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
    due = due.map { $0 <= moment ? later : $0 }
    filling = filling.map { $0 <= moment ? later : $0 }
    renewal = renewal.map { $0 <= moment ? later : $0 }
  }

  mutating func shift(by duration: Duration) {
    due = due.map { $0 + duration }
    filling = filling.map { $0 + duration }
    renewal = renewal.map { $0 + duration }
  }
}
