package import Scheduling
package import Time
package import Timeline

/// The result of a request for one page.
package struct PageReport: Sendable {
  package enum Outcome: Sendable {
    /// The provider responded with this number of new posts.
    case refreshed(new: Int)
    /// The request failed. The previous posts remain published, with this problem.
    case failed(Problem, next: RefreshOutcome)
    /// No request was sent, or its result was discarded. Only the waiting user learns this failure.
    case notSent(OperationError, next: RefreshOutcome)

    /// The request failed with this problem.
    package static func failed(_ problem: Problem) -> Outcome { .failed(problem, next: RefreshOutcome(problem)) }

    /// A limit forbids requests until this time.
    package static func limited(until: Timestamp) -> Outcome {
      .notSent(
        OperationError(.tryAgain(at: until), "the provider's limit has been reached; try again at \(until.rfc3339)"),
        next: .held(until: until))
    }

    /// The account could not be refreshed at all, because one of its files cannot be used.
    package static func unable(_ failure: OperationError) -> Outcome {
      .notSent(failure, next: .unusable(isDisk: failure.kind == .inputOutput))
    }

    /// The account was changed or the program is shutting down, so the result is discarded.
    package static var cancelled: Outcome {
      .notSent(
        OperationError(
          .tryAgain(at: nil),
          "the refresh was interrupted, because the account was changed or homeline is shutting down; try again"),
        next: .cancelled)
    }

    /// Returns the outcome for the schedule.
    /// - Parameter hasMore: whether more pages are missing.
    package func next(hasMore: Bool) -> RefreshOutcome {
      switch self {
      case .refreshed: .served(hasMore: hasMore)
      case .failed(_, let next), .notSent(_, let next): next
      }
    }
  }

  package let outcome: Outcome
  /// Whether another page has yet to be fetched, for a gap or for older posts.
  package let hasMore: Bool
  /// More messages for the user, for example about posts that could not be read.
  let warnings: [String]
  /// The reason the result could not be stored or published.
  let storageFailure: OperationError?
  let retry: Retry?

  package init(
    _ outcome: Outcome, hasMore: Bool = false, warnings: [String] = [], storageFailure: OperationError? = nil,
    retry: Retry? = nil
  ) {
    self.outcome = outcome
    self.hasMore = hasMore
    self.warnings = warnings
    self.storageFailure = storageFailure
    self.retry = retry
  }
}
