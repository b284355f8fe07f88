internal import Providers
internal import Scheduling
internal import Settings

/// Refreshes one timeline immediately for a waiting user: fetches the newest page, and then the missing pages below it up to a limit, each
/// in its own job. The service uses its schedule instead.
package final class RefreshRound {
  private let account: Account
  private let timeline: AccountTimeline
  private let completion: (RefreshReport) -> Void
  private var report: RefreshReport
  private var pagesLeft: Int

  /// Begins a round. Call on the account's queue.
  /// - Parameters:
  ///   - endsLogin: whether the round is part of a login. If another refresh has fetched the timeline since the login, the round requests
  ///     nothing and reports that refresh's posts.
  ///   - completion: called on the queue when the last page's job has ended.
  package static func begin(
    of timeline: AccountTimeline, in account: Account, endsLogin: Bool, completion: @escaping (RefreshReport) -> Void
  ) {
    guard account.provider.hasTimeline else {
      return TokenJob.enqueue(.user, of: account, completion: completion)
    }
    let round = RefreshRound(timeline, account, completion: completion)
    if endsLogin, let new = timeline.newSinceLogin { return round.end(fetchedBefore: new) }
    PageJob.enqueue(.user, of: timeline, in: account) { round.take($0, isFirst: true) }
  }

  private init(_ timeline: AccountTimeline, _ account: Account, completion: @escaping (RefreshReport) -> Void) {
    self.account = account
    self.timeline = timeline
    self.completion = completion
    report = RefreshReport(account: account.name.text, timeline: timeline.name, outcome: .refreshed(new: 0))
    pagesLeft = timeline.plan.longestRound - 1
  }

  private func take(_ page: PageReport, isFirst: Bool) {
    if isFirst {
      report = RefreshReport(account: account.name.text, timeline: timeline.name, page)
      if !account.core.isInService { pagesLeft = max(pagesLeft, timeline.longestWalk) }
    } else {
      // If a limit is reached below the newest page, the round ends without a failure, and the next round continues from there.
      if case .notSent(_, .held) = page.outcome { return end() }
      report.add(page)
      report.pages += 1
    }
    // A service's schedule continues a walk, and the user need not wait for it.
    let hasMore = page.hasMore || timeline.isWalking && !account.core.isInService
    guard case .refreshed = page.outcome, hasMore, pagesLeft > 0, !timeline.isExhausted else { return end() }
    account.rounds.report(
      RoundProgress(
        timeline: timeline.name, pages: report.pages, atMost: report.pages + pagesLeft, posts: report.newPosts))
    pagesLeft -= 1
    PageJob.enqueue(.fill, of: timeline, in: account) { self.take($0, isFirst: false) }
  }

  /// Ends a round without a request.
  /// - Parameter new: the number of new posts that another refresh has fetched.
  private func end(fetchedBefore new: Int) {
    report.outcome = .refreshed(new: new)
    report.pages = 0
    end()
  }

  /// Reports the outcome, and whether posts are still missing that the round could not fetch.
  private func end() {
    if case .refreshed = report.outcome, !account.isClosed { report.missing = missing }
    completion(report)
  }

  private var missing: String? {
    let next =
      account.core.isInService
      ? "homeline continues to fetch them" : "to fetch them, run: homeline refresh \(account.name)"
    return switch timeline.missingPosts {
    case nil: nil
    case .aboveNewest: "newer posts than these are still missing; \(next)"
    case .inGap: "some posts between the newest ones and the older ones are still missing; \(next)"
    }
  }
}
