/// Why the owner of the state could not be asked, or did not answer as it should.
package enum ControlClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nobody is there to be asked, for this reason. Nothing has been begun.
  case unreachable(String)
  /// The connection ended before anything was answered: the owner was about to end. Nothing has been begun, as far as can
  /// be told.
  case unanswered
  /// The owner was asked and will not.
  case refused(ControlRefusal)
  /// The answer ended in its middle: the owner has ended, or was made to.
  case brokenOff
  /// Nothing came in time.
  case timedOut(String)
  /// What came is not what this protocol has.
  case malformed(String)
  /// This end hung up.
  case hungUp

  package var description: String {
    switch self {
    case .unreachable(let reason): reason
    case .unanswered: "the owner of the accounts ended before it answered"
    case .refused(let refusal): refusal.message
    case .brokenOff:
      "the owner of the accounts ended in the middle of its answer; whether it did the rest, homeline status says"
    case .timedOut(let path): "the owner of the accounts does not answer at \(path)"
    case .malformed(let reason): "the owner of the accounts answers in a way that is not understood: \(reason)"
    case .hungUp: "the connection to the owner of the accounts was closed here"
    }
  }
}
