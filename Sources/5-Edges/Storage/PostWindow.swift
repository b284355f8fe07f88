package import Timeline

/// The newest posts of a timeline in their published form, and the number of unread posts.
package struct PostWindow {
  package var lines = PostLines()
  /// The oldest post in the window.
  package var last: PostPosition?
  /// The number of posts newer than the read position.
  package var unread = 0
  /// The newest post in the window that has been read; `nil` if all are unread.
  package var newestRead: PostID?

  package init() {}
}
