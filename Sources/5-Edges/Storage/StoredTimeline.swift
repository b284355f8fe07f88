package import Timeline

/// A timeline that an archive contains, whether or not it is configured.
package struct StoredTimeline: Sendable, Hashable {
  package let name: TimelineName
  /// The number of posts that the timeline shows.
  package let posts: Int

  package init(_ name: TimelineName, posts: Int) {
    self.name = name
    self.posts = posts
  }
}
