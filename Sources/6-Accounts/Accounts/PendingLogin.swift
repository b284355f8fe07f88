/// A login that waits for its user. Belongs to the account's queue.
package protocol PendingLogin: AnyObject {
  /// Ends the login if it still waits for its user. A login that is already exchanging its verifier continues.
  /// - Parameter reason: for the user.
  func giveUp(_ reason: String)
}
