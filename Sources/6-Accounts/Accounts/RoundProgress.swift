package import Timeline

/// The progress of a round, which requests one or more pages of a timeline.
package struct RoundProgress: Sendable, Hashable {
  package let timeline: TimelineName
  package let pages: Int
  /// The maximum number of pages; a round may stop earlier.
  package let atMost: Int
  /// The number of new posts on the pages.
  package let posts: Int
}
