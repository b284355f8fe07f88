package import Timeline

/// A timeline that contains a post.
package struct PostTimeline: Sendable, Hashable {
  package let name: TimelineName
  /// The post's key in the timeline; `nil` for the key that it has among all posts.
  package let key: PostKey?

  package static let home = PostTimeline(.home)

  package init(_ name: TimelineName, key: PostKey? = nil) {
    self.name = name
    self.key = key
  }
}
