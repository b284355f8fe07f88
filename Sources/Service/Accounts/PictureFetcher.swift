/// Who fetches pictures through an account. Belongs to the account's queue.
protocol PictureFetcher: AnyObject {
  /// These stand on the owner's page now, the newest posts' first; what it wanted before is not wanted any more.
  func want(_ urls: [String], by owner: String)
  /// Calls back, on the account's queue, when none is missing any more, as far as they can be had.
  func whenDone(_ body: @escaping () -> Void)
}
