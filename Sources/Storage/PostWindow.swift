package import Publish
package import Timeline

/// The newest posts of a timeline as they are published, and how many of them are unread.
package struct PostWindow {
  package var lines = PostLines()
  /// The oldest of them.
  package var last: PostPosition?
  /// How many are newer than the post up to which everything is read.
  package var unread = 0
  /// The newest of them that is read; `nil` where none is.
  package var newestRead: PostID?

  package init() {}
}
