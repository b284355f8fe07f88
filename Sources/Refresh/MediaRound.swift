package import Accounts
package import Media
internal import Platform
package import Settings
internal import Timeline

/// Fetches what is missing of the pictures on an account's page, one a turn of its lane, behind everything else, the newest posts' first.
/// Belongs to the lane's queue.
package final class MediaRound: PictureFetcher {
  /// After so many pictures the page is published again, before the rest has come.
  private static let batch = 24
  /// So many in a row for which nobody could be reached end the round: the network is away.
  private static let unreachableLimit = 3

  private unowned let account: Account
  private let store: MediaStore
  private let republish: () -> Void
  /// What stands on each page that shows what came through this account, by who publishes it.
  private var pages: [String: [String]] = [:]
  private var wanted: ArraySlice<String> = []
  private var isUnderWay = false
  /// Kept since the page was published last.
  private var fresh = 0
  private var unreachable = 0
  private var waiting: [() -> Void] = []

  /// - Parameter republish: called on the lane's queue when pictures have come that the page does not show yet.
  package init(of account: Account, from store: MediaStore, republish: @escaping () -> Void) {
    self.account = account
    self.store = store
    self.republish = republish
  }

  /// These stand on the owner's page now, the newest posts' first; what it wanted before is not wanted any more.
  package func want(_ urls: [String], by owner: String) {
    pages[owner] = urls.isEmpty ? nil : urls
    wanted = store.missing(pages.sorted { $0.key < $1.key }.flatMap(\.value))[...]
    unreachable = 0
    askForContext()
  }

  package func whenDone(_ body: @escaping () -> Void) {
    waiting.append(body)
    tellIfDone()
  }

  private func tellIfDone() {
    guard !isUnderWay, wanted.isEmpty || account.isClosed else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  private func askForContext() {
    guard !isUnderWay, !wanted.isEmpty else { return tellIfDone() }
    isUnderWay = true
    account.accountQueue.enqueue(.media) {
      self.isUnderWay = false
      self.wanted = []
      self.tellIfDone()
    } _: { context in
      self.begin(context)
    }
  }

  private func begin(_ context: JobContext) {
    while let url = wanted.popFirst() {
      guard let claim = store.claim(url) else { continue }
      return MediaJob.begin(claim, from: store, of: account, context) { self.take($0, of: url) }
    }
    context.end()
    goOn()
  }

  private func take(_ outcome: MediaJob.Outcome, of url: String) {
    switch outcome {
    case .kept: fresh += 1
    case .givenUp: wanted.insert(url, at: wanted.startIndex)
    case .refused, .brokenOff, .unreachable: break
    }
    if case .unreachable = outcome { unreachable += 1 } else { unreachable = 0 }
    if unreachable == Self.unreachableLimit { wanted = [] }
    goOn()
  }

  private func goOn() {
    isUnderWay = false
    guard !account.isClosed else { return tellIfDone() }
    if fresh > 0, wanted.isEmpty || fresh >= Self.batch {
      fresh = 0
      republish()
    }
    askForContext()
  }
}

extension Configuration {
  /// Who may name pictures on a page: every account and every view.
  package var mediaOwners: Set<String> {
    Set(accounts.map { Account.mediaOwner($0.name.text) } + views.map { "view:\($0.name)" })
  }
}
