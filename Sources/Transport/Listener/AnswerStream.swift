internal import Platform

/// An answer whose content is given piece by piece, from any queue, for as long as it takes.
///
/// Pieces that the client does not read are kept up to 1 MiB; beyond that, or when none of them is taken for the time of
/// `ConnectionDeadlines.write`, the connection is closed. A stream with nothing to write has no deadline. Letting go of a
/// stream that was not ended breaks the connection off, so that no client takes a part for the whole.
package final class AnswerStream: Sendable {
  enum Step: Sendable {
    case content([UInt8])
    case end
    /// It will never be whole.
    case abandoned
  }

  /// Until the end.
  private let send: Locked<KeptClosure<@Sendable (Step) -> Void>?>

  init(_ send: @escaping @Sendable (Step) -> Void) { self.send = Locked(KeptClosure(send)) }

  deinit { send.withLock { $0 }?.call(.abandoned) }

  /// Sends a piece. Where the client has gone, or behind the end, nothing happens.
  package func write(_ piece: [UInt8]) {
    // Under the lock, so that pieces of several queues come before the end that they were written before.
    send.withLock { $0?.call(.content(piece)) }
  }

  /// Says that the answer is whole.
  package func end() {
    send.withLock { send in
      send?.call(.end)
      send = nil
    }
  }
}
