package import Platform

extension Failure {
  /// How a command ends that met it.
  package var exitCode: ExitCode {
    switch kind {
    case .badContent: .badData
    case .unavailable: .unavailable
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    case .tryAgain: .temporary
    case .notAuthorised: .notAuthorised
    case .configuration: .configuration
    case .bug: .software
    }
  }
}
