package import Platform

/// The reason a request to the state owner failed.
package enum ControlClientError: UserFacingError, Hashable {
  /// The state owner could not be reached, for the given reason. The request was not started.
  case unreachable(String)
  /// The connection ended before the response, because the state owner was exiting. It has probably not started the request.
  case unanswered
  /// The state owner refused the request.
  case refused(ControlError)
  /// The response is incomplete, because the state owner exited or was killed.
  case brokenOff
  /// The response did not arrive in time.
  case timedOut(String)
  /// The response does not follow this protocol.
  case malformed(String)
  /// This process closed the connection.
  case hungUp

  package var exitCode: ExitCode {
    switch self {
    case .refused(let refusal): refusal.exitCode
    case .unreachable, .unanswered, .brokenOff, .timedOut, .hungUp: .temporary
    case .malformed: .software
    }
  }

  package var message: String {
    switch self {
    case .unreachable(let reason): reason
    case .unanswered: "the process that uses the accounts exited before it replied"
    case .refused(let refusal): refusal.message
    case .brokenOff:
      "the process that uses the accounts ended before it completed its reply; to see what it did, run: homeline status"
    case .timedOut(let path): "the process that uses the accounts is not responding on \(path)"
    case .malformed(let reason): "the process that uses the accounts sent an invalid reply: \(reason)"
    case .hungUp: "this process closed the connection to the process that uses the accounts"
    }
  }
}
