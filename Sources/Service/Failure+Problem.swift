package import Timeline

/// What a timeline's problem means for whoever asked for a refresh.
extension Failure {
  package init(_ problem: Problem) {
    let kind: Kind =
      switch problem.code {
      case .notAuthorised, .locked: .notAuthorised
      case .rateLimited, .paused, .budget: .tryAgain(at: problem.retryAt)
      case .network, .provider, .closed: .unavailable
      case .storage: .inputOutput
      case .configuration, .secretUnavailable: .configuration
      }
    self.init(kind, problem.message)
  }
}
