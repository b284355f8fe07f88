internal import ControlProtocol
internal import HTTP

/// The state owner did not start a command, because this process has exited, is exiting, or is not listening yet.
package struct OwnerUnavailableError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Converts an error; nil if the state owner may have started the command.
  init?(_ error: ControlClientError) {
    switch error {
    case .unreachable, .unanswered: break
    case .refused(let refusal) where refusal.status == .serviceUnavailable: break
    case .refused, .brokenOff, .timedOut, .malformed, .hungUp: return nil
    }
    description = "\(error)"
  }
}
