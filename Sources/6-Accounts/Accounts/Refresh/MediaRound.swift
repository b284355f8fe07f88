internal import Platform
package import PublishedFiles
package import Settings
internal import Timeline

/// Fetches the pictures that are missing from an account's pages, beginning with those in the newest posts. Each picture is one job on the
/// account's queue, with the lowest priority. Use only on the account's queue.
package final class MediaRound: PictureFetcher {
  /// After this many new pictures, the page is published again before the round has ended.
  private static let batch = 24
  /// The number of consecutive unreachable pictures that ends the round, because the network is down.
  private static let unreachableLimit = 3

  private unowned let account: Account
  private let store: MediaStore
  private let republish: () -> Void
  /// The pictures on each page that shows this account's posts, by the timeline or view that the page belongs to.
  private var pages: [String: [String]] = [:]
  private var wanted: ArraySlice<String> = []
  private var isUnderWay = false
  /// The number of pictures stored since the page was last published.
  private var fresh = 0
  private var unreachable = 0
  private var waiting: [() -> Void] = []
  /// The number of pictures whose fetch has ended.
  private var ended = 0
  /// Whether a picture is being fetched.
  private var isFetching = false

  /// - Parameter republish: called on the account's queue when there are new pictures that the page does not show yet.
  package init(of account: Account, from store: MediaStore, republish: @escaping () -> Void) {
    self.account = account
    self.store = store
    self.republish = republish
  }

  package func wantPictures(_ urls: [String], by owner: String, fetching fetches: Bool) {
    pages[owner] = urls.isEmpty ? nil : urls
    let missing = store.missing(pages.sorted { $0.key < $1.key }.flatMap(\.value))
    wanted = fetches ? missing[...] : wanted.filter(Set(missing).contains)[...]
    unreachable = 0
    askForContext()
  }

  package var progress: (done: Int, of: Int) { (ended, ended + wanted.count + (isFetching ? 1 : 0)) }

  package func whenDone(_ body: @escaping () -> Void) {
    guard !account.isClosed else { return body() }
    waiting.append(body)
    callWaitingIfDone()
  }

  private func callWaitingIfDone() {
    guard !isUnderWay, wanted.isEmpty || account.isClosed else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  private func askForContext() {
    guard !isUnderWay, !wanted.isEmpty else { return callWaitingIfDone() }
    isUnderWay = true
    account.accountQueue.enqueue(.media) {
      self.isUnderWay = false
      self.wanted = []
      self.callWaitingIfDone()
    } _: { context in
      self.begin(context)
    }
  }

  private func begin(_ context: JobContext) {
    while let url = wanted.popFirst() {
      guard let claim = store.claim(url) else {
        ended += 1
        continue
      }
      isFetching = true
      return MediaJob.begin(claim, from: store, of: account, context) { self.take($0, of: url) }
    }
    context.end()
    proceed()
  }

  private func take(_ outcome: MediaJob.Outcome, of url: String) {
    isFetching = false
    ended += 1
    switch outcome {
    case .kept where !pages.values.contains { $0.contains(url) }:
      // The posts were purged while the picture was being fetched.
      store.remove([url])
    case .kept: fresh += 1
    case .givenUp:
      ended -= 1
      wanted.insert(url, at: wanted.startIndex)
    case .refused, .brokenOff, .unreachable: break
    }
    if case .unreachable = outcome { unreachable += 1 } else { unreachable = 0 }
    if unreachable == Self.unreachableLimit { wanted = [] }
    proceed()
  }

  private func proceed() {
    isUnderWay = false
    guard !account.isClosed else { return callWaitingIfDone() }
    if fresh > 0, wanted.isEmpty || fresh >= Self.batch {
      fresh = 0
      republish()
    }
    askForContext()
  }
}

extension Configuration {
  /// The timelines and views whose pages may contain pictures, as ``MediaStore`` identifies them.
  package var mediaOwners: Set<String> {
    let timelines = accounts.flatMap { account in
      account.timelines.map { MediaStore.owner(account.name.text, $0) }
    }
    return Set(timelines + views.map { "view:\($0.name)" })
  }
}
