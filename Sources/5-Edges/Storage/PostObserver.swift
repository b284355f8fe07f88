package import Timeline

/// An object notified when the posts of an account's timelines change. Belongs to the account's queue.
package protocol PostObserver: AnyObject {
  /// Called after each transaction that changes posts, once for each timeline that contains such posts.
  func postsChanged(_ changes: PostChanges, in timeline: TimelineName)
  /// Called when too many positions have changed to list them.
  func allPostsChanged()
}
