package import Time
package import Timeline

/// A post's place among the posts of several timelines: its time, and the key for posts with the same time. A later post is greater.
package struct PostMoment: Sendable, Hashable, Comparable {
  /// When the post was published, in milliseconds. For an event it is the time of the event, and for a bookmark or a like the time when
  /// homeline first saw it.
  package let time: Timestamp
  package let key: PostKey

  package init(_ time: Timestamp, _ key: PostKey) {
    self.time = time
    self.key = key
  }

  package static func < (left: PostMoment, right: PostMoment) -> Bool {
    (left.time, left.key) < (right.time, right.key)
  }
}
