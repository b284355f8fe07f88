internal import Media
internal import Platform
internal import Publishing
internal import Settings
internal import Storage
internal import Timeline

/// The pictures of an account's page. Call on the account's queue.
extension Account {
  /// Requests the pictures that are not stored yet. The page is published again after they have been fetched.
  ///
  /// Nothing is requested while the provider itself is unreachable, because other hosts are then unlikely to be reachable.
  /// - Parameters:
  ///   - urls: the avatars and pictures of the page that was just published, with the URLs of the newest posts first.
  ///   - owner: the account or view that the page belongs to, as ``MediaStore`` identifies it; `nil` for this account.
  package func mediaWanted(urls: [String], by owner: String? = nil) {
    guard let pictures, knownState.problem?.code != .network else { return }
    pictures.want(urls, by: owner ?? mediaOwner)
  }

  /// Calls back once each picture either is stored or cannot be fetched.
  package func whenPicturesCame(_ body: @escaping () -> Void) {
    guard let pictures, !isClosed else { return body() }
    pictures.whenDone(body)
  }

  /// The number of pictures whose fetch has ended, and the total number of pictures so far.
  package var pictureProgress: (done: Int, of: Int) { pictures?.progress ?? (0, 0) }

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
