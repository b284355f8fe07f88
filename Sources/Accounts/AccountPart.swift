/// An object that works for one account across several jobs, such as its outbox or its pending login. The account owns it and reports
/// changes to it, but does not know what it does. Belongs to the account's queue.
package protocol AccountPart: AnyObject {
  /// The account was removed, or its settings now belong to another application or server. Work that waits for the user ends.
  /// - Parameter reason: for the user.
  func giveUp(_ reason: String)
  /// A page that shows these pictures was published.
  /// - Parameters:
  ///   - urls: the avatars and pictures that the page shows, with the URLs of the newest posts first.
  ///   - owner: the account or view that the page belongs to, as ``MediaStore`` identifies it.
  func wantPictures(_ urls: [String], by owner: String)
  /// Data that could not be stored earlier was stored.
  /// - Parameter new: the number of new posts.
  func stored(new: Int)
  /// The user has logged in, and the token is stored.
  func loggedIn()
  /// The account's files are being closed.
  func close()
}

extension AccountPart {
  package func giveUp(_ reason: String) {}
  package func wantPictures(_ urls: [String], by owner: String) {}
  package func stored(new: Int) {}
  package func loggedIn() {}
  package func close() {}
}
