package import Scheduling
package import Timeline

/// The result of refreshing one timeline by requesting its newest page and possibly pages below it. A provider that refuses or cannot be
/// reached is an outcome, not an error in this program.
package struct RefreshReport: Sendable {
  package typealias Outcome = PageReport.Outcome

  package let account: String
  package let timeline: TimelineName
  package var outcome: Outcome
  /// More messages for the user, for example about posts that could not be read.
  package var warnings: [String]
  /// When homeline automatically tries again after a failure; `nil` if the refresh succeeded.
  package var retry: Retry?
  /// Where posts are still missing, and how they are fetched, as text for the waiting user; `nil` if none are missing.
  package var missing: String?
  /// The reason the result could not be stored or published.
  package var storageFailure: OperationError?
  /// The number of requested pages.
  package var pages = 1
  /// Whether another page has yet to be fetched, for a gap or for older posts.
  var hasMore = false
  /// Whether the account has timelines. If not, the refresh only checks the token.
  package var hasTimeline = true

  package init(
    account: String, timeline: TimelineName, outcome: Outcome, warnings: [String] = [],
    storageFailure: OperationError? = nil
  ) {
    self.account = account
    self.timeline = timeline
    self.outcome = outcome
    self.warnings = warnings
    self.storageFailure = storageFailure
  }

  /// Creates the report from a single page.
  package init(account: String, timeline: TimelineName, _ page: PageReport) {
    self.init(
      account: account, timeline: timeline, outcome: page.outcome, warnings: page.warnings,
      storageFailure: page.storageFailure)
    hasMore = page.hasMore
    retry = page.retry
  }

  /// Adds the report on another page.
  mutating func add(_ page: PageReport) {
    if case .refreshed(let before) = outcome, case .refreshed(let new) = page.outcome {
      outcome = .refreshed(new: before + new)
    } else {
      outcome = page.outcome
    }
    warnings += page.warnings.filter { !warnings.contains($0) }
    storageFailure = page.storageFailure ?? storageFailure
    hasMore = page.hasMore
    retry = page.retry
  }

  /// The account's name for its home timeline, otherwise `ACCOUNT/TIMELINE`.
  package var name: String { timeline == .home ? account : "\(account)/\(timeline)" }

  /// The number of new posts so far.
  var newPosts: Int { if case .refreshed(let new) = outcome { new } else { 0 } }

  /// The problem to publish; `nil` if there is none, or if no request was sent.
  package var problem: Problem? { if case .failed(let problem, _) = outcome { problem } else { nil } }

  /// The failure of a command that requested this refresh; `nil` if the refresh succeeded.
  package var failure: OperationError? {
    switch outcome {
    case .refreshed: storageFailure
    case .failed(let problem, _): OperationError(problem)
    case .notSent(let failure, _): failure
    }
  }

  /// The outcome for the schedule.
  package var next: RefreshOutcome { outcome.next(hasMore: hasMore) }
}
