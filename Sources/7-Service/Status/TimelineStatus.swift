package import Storage
package import Timeline

/// The state of one of an account's timelines according to its files.
package struct TimelineStatus {
  package let name: TimelineName
  /// The stored state; `nil` without a database.
  package let state: TimelineState?
  /// The number of published posts that have not been marked as read; `nil` if it is unknown.
  package let unread: Int?
  /// The path of the published timeline; `nil` if its name cannot be determined.
  package let path: String?
}
