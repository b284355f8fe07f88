/// An object notified when a timeline's posts change. Belongs to the account's queue.
package protocol PostObserver: AnyObject {
  /// Called after each transaction that changes posts.
  func postsChanged(_ changes: PostChanges)
  /// Called when too many positions have changed to list them.
  func allPostsChanged()
}
