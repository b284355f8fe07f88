package import Accounts
internal import Providers
internal import Settings

/// Refreshes one account immediately for a waiting user: fetches the newest page, and then the missing pages below it up to a limit, each
/// in a job of its own. The service uses its schedule instead.
package final class RefreshRound {
  private let account: Account
  private let completion: (RefreshReport) -> Void
  private var report: RefreshReport
  private var pagesLeft: Int

  /// Begins a round. Call on the account's queue.
  /// - Parameter completion: called on the queue when the last page's job has ended.
  package static func begin(of account: Account, as jobClass: JobClass, completion: @escaping (RefreshReport) -> Void) {
    guard account.provider.traits.hasTimeline else {
      return TokenJob.enqueue(of: account, as: jobClass, completion: completion)
    }
    let round = RefreshRound(account, completion: completion)
    PageJob.enqueue(.newest, of: account, as: jobClass) { round.take($0, isFirst: true) }
  }

  private init(_ account: Account, completion: @escaping (RefreshReport) -> Void) {
    self.account = account
    self.completion = completion
    report = RefreshReport(account: account.name.text, outcome: .refreshed(new: 0))
    pagesLeft = account.plan.longestRound - 1
  }

  private func take(_ page: PageReport, isFirst: Bool) {
    if isFirst {
      report = RefreshReport(account: account.name.text, page)
    } else {
      // If a limit is reached below the newest page, the round ends without a failure, and the next round continues from there.
      if case .limited = page.outcome { return completion(report) }
      report.add(page)
      report.pages += 1
    }
    guard case .refreshed = page.outcome, page.hasMore, pagesLeft > 0, !account.isExhausted else {
      return completion(report)
    }
    account.part(RoundObservers.self)?.report(
      RoundProgress(pages: report.pages, atMost: report.pages + pagesLeft, posts: report.newPosts))
    pagesLeft -= 1
    PageJob.enqueue(.below, of: account, as: .filling) { self.take($0, isFirst: false) }
  }
}

/// The progress of a round, in which one or more pages are requested.
package struct RoundProgress: Sendable, Hashable {
  package let pages: Int
  /// The maximum number of pages; a round may stop earlier.
  package let atMost: Int
  /// The number of new posts on the pages.
  package let posts: Int
}

/// The observers of the rounds of one account. Belongs to the account's queue.
private final class RoundObservers: AccountPart {
  private var bodies: [Int: (RoundProgress) -> Void] = [:]
  private var lastNumber = 0

  func add(_ body: @escaping (RoundProgress) -> Void) -> Int {
    lastNumber += 1
    bodies[lastNumber] = body
    return lastNumber
  }

  func remove(_ number: Int) { bodies[number] = nil }

  func report(_ progress: RoundProgress) { for body in bodies.values { body(progress) } }
}

extension Account {
  /// Reports the progress of rounds to a closure. Call on the account's queue.
  /// - Returns: the number to pass to ``endWatching(_:)``.
  package func watchRounds(_ body: @escaping (RoundProgress) -> Void) -> Int {
    part(orAttach: RoundObservers()).add(body)
  }

  package func endWatching(_ observer: Int) { part(RoundObservers.self)?.remove(observer) }
}
