/// A login as its account knows it. Belongs to the account's queue.
protocol PendingLogin: AnyObject {
  /// Ends it if it still waits for its user, who is told why.
  func giveUp(_ reason: String)
}
