internal import Storage
internal import Timeline

/// The state of one of an account's timelines according to its files.
struct TimelineStatus {
  let name: TimelineName
  /// The stored state; nil without a database.
  let state: TimelineState?
  /// The number of published posts that have not been marked as read; nil if it is unknown.
  let unread: Int?
  /// The path of the published timeline; nil if its name cannot be determined.
  let path: String?
}
