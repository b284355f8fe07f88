package import CivilTime
package import Timeline

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
  package let warnings: [String]
  /// Why what came of it could not be stored or published here.
  package let notKept: Failure?

  package init(_ outcome: Outcome, hasMore: Bool = false, warnings: [String] = [], notKept: Failure? = nil) {
    self.outcome = outcome
    self.hasMore = hasMore
    self.warnings = warnings
    self.notKept = notKept
  }
}
