package import Scheduling
package import Time
package import Timeline

/// The scheduler's data about an account.
package struct AccountSnapshot: Sendable, Hashable {
  /// The running work.
  package let work: Work?
  /// The time when the next refresh of a timeline is due; `nil` if none is scheduled.
  package let due: Timestamp?
  /// The reason the last attempt did not fetch the home timeline; `nil` if it did.
  package let trouble: String?
  /// The reason the account's data could not be stored or published; `nil` if there was no such problem.
  package var notStored: String?
  /// The results of the last requests for the home timeline; `nil` if they are not known yet.
  package var refreshes: RefreshState?
  /// The data about the account's other timelines.
  package var others: [TimelineName: TimelineSnapshot] = [:]
}

/// The scheduler's data about a timeline other than home.
package struct TimelineSnapshot: Sendable, Hashable {
  /// The time when its next refresh is due; `nil` if none is scheduled.
  package let due: Timestamp?
  /// The reason the last attempt did not fetch it; `nil` if it did.
  package let trouble: String?
  /// The results of the last requests for it; `nil` if they are not known yet.
  package let refreshes: RefreshState?
}
