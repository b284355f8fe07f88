package import Timeline

/// A timeline that contains a post.
package struct PostTimeline: Sendable, Hashable {
  package let name: TimelineName
  /// The post's key in the timeline; `nil` for the key that it has among all posts.
  package let key: PostKey?
  /// The event that the timeline contains the post for; `nil` in timelines of posts.
  package let notice: Notice?

  package static let home = PostTimeline(.home)

  package init(_ name: TimelineName, key: PostKey? = nil, notice: Notice? = nil) {
    self.name = name
    self.key = key
    self.notice = notice
  }
}
