internal import Media
internal import Platform
internal import Publishing
internal import Settings
internal import Storage
internal import Timeline

/// The pictures of an account's page. Call on the account's queue.
extension Account {
  /// Requests the pictures of a page that was just published. The page is published again after missing ones have been fetched.
  ///
  /// Nothing is requested while the provider itself is unreachable, because other hosts are then unlikely to be reachable.
  /// - Parameters:
  ///   - urls: the avatars and pictures of the page, with the URLs of the newest posts first.
  ///   - owner: the account or view that the page belongs to, as ``MediaStore`` identifies it; `nil` for this account.
  package func mediaWanted(urls: [String], by owner: String? = nil) {
    guard media != nil, knownState.problem?.code != .network else { return }
    for part in parts { part.wantPictures(urls, by: owner ?? mediaOwner) }
  }

  /// Rewrites the pages whose pictures were fetched after the pages were written.
  package func republish() {
    publisher.picturesWereStored(for: database)
    publishers.views.picturesWereStored(through: name)
    if let failure = publish(gathers: false) {
      log(.info, "newly fetched pictures are not shown yet: \(failure.message)")
    }
  }

  /// Removes the account's claim on its pictures when it no longer has a published page.
  func forgetMedia() { media?.forget(owner: mediaOwner) }

  /// The identifier of this account in the picture store.
  var mediaOwner: String { Self.mediaOwner(name.text) }

  package static func mediaOwner(_ account: String) -> String { "account:\(account)" }
}
