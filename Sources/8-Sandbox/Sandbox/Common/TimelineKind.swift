/// What a request for posts reads, as far as faults distinguish it.
enum TimelineKind: Sendable {
  case home
  /// A timeline other than the home timeline.
  case other
  /// The names of timelines, such as lists, or the number of new entries.
  case names
}
