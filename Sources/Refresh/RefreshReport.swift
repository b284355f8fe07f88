package import Accounts
package import CivilTime
package import Timeline

/// The result of refreshing one account by requesting its newest page and possibly pages below it. A provider that refuses or cannot be
/// reached is an outcome, not an error in this program.
package struct RefreshReport: Sendable {
  package typealias Outcome = PageReport.Outcome

  package let account: String
  package var outcome: Outcome
  /// More messages for the user, for example about posts that could not be read.
  package var warnings: [String]
  /// The reason the result could not be stored or published.
  package var storageFailure: OperationError?
  /// The number of requested pages.
  package var pages = 1
  /// Whether another page has yet to be fetched, for a gap or for older posts.
  package var hasMore = false
  /// Whether the account has a timeline. If not, the refresh only checks the token.
  package var hasTimeline = true

  package init(account: String, outcome: Outcome, warnings: [String] = [], storageFailure: OperationError? = nil) {
    self.account = account
    self.outcome = outcome
    self.warnings = warnings
    self.storageFailure = storageFailure
  }

  /// Creates the report from a single page.
  package init(account: String, _ page: PageReport) {
    self.init(account: account, outcome: page.outcome, warnings: page.warnings, storageFailure: page.storageFailure)
    hasMore = page.hasMore
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
  }

  /// The number of new posts so far.
  var newPosts: Int { if case .refreshed(let new) = outcome { new } else { 0 } }

  /// The problem to publish; `nil` if there is none, or if no request was sent.
  package var problem: Problem? { if case .failed(let problem) = outcome { problem } else { nil } }

  /// The failure of a command that requested this refresh; `nil` if the refresh succeeded.
  package var failure: OperationError? {
    switch outcome {
    case .refreshed: storageFailure
    case .limited(let until):
      OperationError(.tryAgain(at: until), "the provider's limit has been reached; try again at \(until.rfc3339)")
    case .failed(let problem): OperationError(problem)
    case .unable(let failure): failure
    case .cancelled:
      OperationError(
        .tryAgain(at: nil),
        "the refresh was interrupted, because the account was changed or homeline is shutting down; try again")
    }
  }
}

/// The result of a request for one page.
package struct PageReport: Sendable {
  package enum Outcome: Sendable {
    /// The provider responded with this number of new posts.
    case refreshed(new: Int)
    /// No request was sent, because a limit forbids requests until this time.
    case limited(until: Timestamp)
    /// The request failed. The previous posts remain published.
    case failed(Problem)
    /// The account could not be refreshed at all.
    case unable(OperationError)
    /// The account was changed or the program is shutting down, so the result is discarded.
    case cancelled
  }

  package let outcome: Outcome
  /// Whether another page has yet to be fetched, for a gap or for older posts.
  package let hasMore: Bool
  /// More messages for the user, for example about posts that could not be read.
  let warnings: [String]
  /// The reason the result could not be stored or published.
  let storageFailure: OperationError?

  package init(
    _ outcome: Outcome, hasMore: Bool = false, warnings: [String] = [], storageFailure: OperationError? = nil
  ) {
    self.outcome = outcome
    self.hasMore = hasMore
    self.warnings = warnings
    self.storageFailure = storageFailure
  }
}
