package import Time
internal import Timeline

/// A stored post, and the time that orders it among the posts of several timelines.
package struct TimedPost: Sendable, Hashable {
  package let post: KnownPost
  package let time: Timestamp

  package init(_ post: KnownPost, at time: Timestamp) {
    self.post = post
    self.time = time
  }

  package var moment: PostMoment { PostMoment(time, post.mark.key) }
}
