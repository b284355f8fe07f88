internal import PublishedFiles
internal import Storage
internal import Timeline

/// The pictures of an account's posts, on its timelines' pages and on those of views. Belongs to the account's queue.
package final class AccountPictures {
  private let core: AccountCore
  private let store: AccountStore
  /// Fetches the pictures; `nil` if no pictures are stored.
  package var fetcher: (any PictureFetcher)?

  init(of core: AccountCore, in store: AccountStore) {
    self.core = core
    self.store = store
  }

  /// Sets the pictures of a page that was just published, and requests those that are missing. The page is published again once they have
  /// been fetched.
  ///
  /// Nothing is requested while the provider itself is unreachable, because other hosts are then unlikely to be reachable.
  /// - Parameters:
  ///   - urls: the avatars and pictures of the page, with the URLs of the newest posts first.
  ///   - owner: the timeline or view that the page belongs to, as ``MediaStore`` identifies it.
  package func want(_ urls: [String], by owner: String) {
    fetcher?.wantPictures(urls, by: owner, fetching: store.knownState[.home].problem?.code != .network)
  }
}
