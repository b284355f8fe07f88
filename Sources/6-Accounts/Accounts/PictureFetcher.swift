/// Fetches the pictures of an account's pages. Belongs to the account's queue.
package protocol PictureFetcher: AnyObject {
  /// Sets the pictures on a timeline's or a view's page, beginning with those in the newest posts. They replace the pictures set previously
  /// for this page.
  /// - Parameters:
  ///   - owner: the timeline or view that the page belongs to, as ``MediaStore`` identifies it.
  ///   - fetches: whether to fetch pictures that are missing now. If not, those that no page shows any more are still forgotten.
  func wantPictures(_ urls: [String], by owner: String, fetching fetches: Bool)

  /// The number of pictures whose fetch has ended, and the number of all pictures so far.
  var progress: (done: Int, of: Int) { get }

  /// Calls back, on the account's queue, once each picture either is stored or cannot be fetched.
  func whenDone(_ body: @escaping () -> Void)
}
