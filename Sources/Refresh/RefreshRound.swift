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
    account.report(
      RoundProgress(pages: report.pages, atMost: report.pages + pagesLeft, posts: report.newPosts))
    pagesLeft -= 1
    PageJob.enqueue(.below, of: account, as: .filling) { self.take($0, isFirst: false) }
  }
}
