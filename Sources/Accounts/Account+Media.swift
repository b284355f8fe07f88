internal import Media
internal import Platform
internal import Publishing
internal import Settings
internal import Storage
internal import Timeline

/// The pictures of an account's page. Each is to be called on the lane's queue.
extension Account {
  /// Has those fetched that are not kept yet; the page is published again when they have come.
  /// - Parameters:
  ///   - urls: of the avatars and pictures that the page shows that was just published, the newest posts' first.
  ///   - owner: whose page; `nil` for the account's own.
  ///
  /// Not while the provider itself cannot be reached: then others hardly can.
  package func mediaWanted(urls: [String], by owner: String? = nil) {
    guard let pictures, knownState.problem?.code != .network else { return }
    pictures.want(urls, by: owner ?? mediaOwner)
  }

  /// Calls back when none of them is missing any more, as far as they can be had.
  package func whenPicturesCame(_ body: @escaping () -> Void) {
    guard let pictures, !isClosed else { return body() }
    pictures.whenDone(body)
  }

  /// Has the pages written again that show what has come meanwhile.
  package func republish() {
    publisher.picturesWereStored(for: database)
    publishers.views.picturesWereStored(through: name)
    if let failure = publish(gathers: false) {
      log(.info, "the pictures that have come are not shown yet: \(failure.message)")
    }
  }

  /// No page of the account stands at its place any more.
  func forgetMedia() { media?.forget(owner: mediaOwner) }

  /// Who names the pictures on the account's page.
  package var mediaOwner: String { Self.mediaOwner(name.text) }

  package static func mediaOwner(_ account: String) -> String { "account:\(account)" }
}
