package import Accounts
package import CivilTime
package import Timeline

/// What came of one account's refresh: of the newest page, and of those below it that were asked for with it. That the provider
/// said no, or was not there, is an outcome and no error of this program.
package struct RefreshReport: Sendable {
  package typealias Outcome = PageReport.Outcome

  package let account: String
  package var outcome: Outcome
  /// What the user should hear besides, such as posts that could not be read.
  package var warnings: [String]
  /// Why what came of it could not be stored or published here.
  package var notKept: Failure?
  /// How many pages were asked for.
  package var pages = 1
  /// Whether a page below others is still missed.
  package var hasMore = false
  /// Whether the account has a timeline; of one without, the token was looked after.
  package var hasTimeline = true

  package init(account: String, outcome: Outcome, warnings: [String] = [], notKept: Failure? = nil) {
    self.account = account
    self.outcome = outcome
    self.warnings = warnings
    self.notKept = notKept
  }

  /// The report of a single page.
  package init(account: String, _ page: PageReport) {
    self.init(account: account, outcome: page.outcome, warnings: page.warnings, notKept: page.notKept)
    hasMore = page.hasMore
  }

  /// Takes in what came of a further page.
  mutating func add(_ page: PageReport) {
    if case .refreshed(let before) = outcome, case .refreshed(let new) = page.outcome {
      outcome = .refreshed(new: before + new)
    } else {
      outcome = page.outcome
    }
    warnings += page.warnings.filter { !warnings.contains($0) }
    notKept = page.notKept ?? notKept
    hasMore = page.hasMore
  }

  /// How many posts are new until now.
  var newPosts: Int { if case .refreshed(let new) = outcome { new } else { 0 } }

  /// What stands between the account and its timeline, as its reader is told; `nil` when nothing does, or it was not looked at.
  package var problem: Problem? { if case .failed(let problem) = outcome { problem } else { nil } }

  /// The same as a failure of the command that asked for it; `nil` when all went well.
  package var failure: Failure? {
    switch outcome {
    case .refreshed: notKept
    case .limited(let until):
      Failure(.tryAgain(at: until), "the provider's limit is reached; ask again at \(until.rfc3339)")
    case .failed(let problem): Failure(problem)
    case .unable(let failure): failure
    case .cancelled:
      Failure(
        .tryAgain(at: nil), "the refresh was broken off, since the account was changed or homeline ends; ask again")
    }
  }
}

/// What came of asking for one page.
package struct PageReport: Sendable {
  package enum Outcome: Sendable {
    /// The provider answered; so many posts are new.
    case refreshed(new: Int)
    /// Nobody was asked: a limit forbids it until then.
    case limited(until: Timestamp)
    /// The last good posts stay published.
    case failed(Problem)
    /// The account could not be worked on at all.
    case unable(Failure)
    /// The account was changed meanwhile, or the program ends: what came of it does not count.
    case cancelled
  }

  package let outcome: Outcome
  /// Whether there is a page below others that is missed.
  package let hasMore: Bool
  /// What the user should hear besides, such as posts that could not be read.
  let warnings: [String]
  /// Why what came of it could not be stored or published here.
  let notKept: Failure?

  package init(_ outcome: Outcome, hasMore: Bool = false, warnings: [String] = [], notKept: Failure? = nil) {
    self.outcome = outcome
    self.hasMore = hasMore
    self.warnings = warnings
    self.notKept = notKept
  }
}
