package import CivilTime
package import Timeline

/// What came of one account's refresh. That the provider said no, or was not there, is an outcome and no error of this program.
package struct RefreshReport: Sendable {
  package enum Outcome: Sendable {
    /// The timeline is fresh; so many posts are new.
    case refreshed(new: Int)
    /// Nobody was asked: a limit forbids it until then.
    case limited(until: Timestamp)
    /// The last good posts stay published.
    case failed(Problem)
    /// The account could not be worked on at all.
    case unable(Failure)
  }

  package let account: String
  package let outcome: Outcome
  /// What the user should hear besides, such as posts that could not be read.
  package let warnings: [String]
  /// Why what came of it could not be stored or published here.
  package let notKept: Failure?

  package init(account: String, outcome: Outcome, warnings: [String] = [], notKept: Failure? = nil) {
    self.account = account
    self.outcome = outcome
    self.warnings = warnings
    self.notKept = notKept
  }

  /// The same as a failure of the command that asked for it; `nil` when all went well.
  package var failure: Failure? {
    switch outcome {
    case .refreshed: notKept
    case .limited(let until):
      Failure(.tryAgain(at: until), "the provider's limit is reached; ask again at \(until.rfc3339)")
    case .failed(let problem): Failure(problem)
    case .unable(let failure): failure
    }
  }
}

extension Failure {
  package init(_ problem: Problem) {
    let kind: Kind =
      switch problem.code {
      case .notAuthorised: .notAuthorised
      case .rateLimited, .paused, .budget: .tryAgain(at: problem.retryAt)
      case .network, .provider, .closed: .unavailable
      case .storage: .inputOutput
      case .configuration, .secretUnavailable: .configuration
      }
    self.init(kind, problem.message)
  }
}
