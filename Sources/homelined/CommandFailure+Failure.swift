internal import Commands
internal import Service
internal import Settings

/// The exit code that each sort of failure has.
extension CommandFailure {
  init(_ failure: Failure, account: AccountName? = nil) {
    let code: ExitCode =
      switch failure.kind {
      case .badContent: .badData
      case .unavailable: .unavailable
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .tryAgain: .temporary
      case .notAuthorised: .notAuthorised
      case .configuration: .configuration
      case .bug: .software
      }
    self.init(code, (account.map { "\($0): " } ?? "") + failure.message)
  }
}
