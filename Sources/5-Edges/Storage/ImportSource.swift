/// An account's staged posts, read in batches.
package protocol ImportSource: AnyObject {
  /// Returns the total number of posts, which requires reading all of them once.
  func count() throws(StorageError) -> Int
  /// Returns the next posts, at most `count`; an empty list at the end.
  func next(_ count: Int) throws(StorageError) -> [ImportedPost]
  /// Removes the staged posts.
  func remove()
}
