/// Fetches the pictures of an account's pages. Belongs to the account's queue.
package protocol PictureFetcher: AnyObject {
  /// Sets the pictures on an account's or a view's page, beginning with those in the newest posts. They replace the pictures set previously
  /// for this page.
  /// - Parameter owner: the account or view that the page belongs to, as ``MediaStore`` identifies it.
  func wantPictures(_ urls: [String], by owner: String)

  /// The number of pictures whose fetch has ended, and the number of all pictures so far.
  var progress: (done: Int, of: Int) { get }

  /// Calls back, on the account's queue, once each picture either is stored or cannot be fetched.
  func whenDone(_ body: @escaping () -> Void)
}
