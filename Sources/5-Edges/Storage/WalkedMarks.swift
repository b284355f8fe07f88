package import Timeline

/// What a walk through the posts that the user has marked on the server, such as bookmarks, has found. Marks that the user has removed leave
/// no other trace.
package struct WalkedMarks: Sendable, Hashable {
  /// The posts of the timeline that the walk has found, by their stored ids.
  package let found: Set<PostID>
  /// Whether the walk reached the last mark on the server. If not, it proves nothing about the entries below the lowest one that it found.
  package let isComplete: Bool

  package init(found: Set<PostID>, isComplete: Bool) {
    self.found = found
    self.isComplete = isComplete
  }
}
