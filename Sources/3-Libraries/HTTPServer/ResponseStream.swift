internal import Platform

/// A response whose content is sent in pieces, from any queue.
///
/// Up to 1 MiB is buffered for a client that does not read. The connection is closed if more is written, or if the client accepts no bytes
/// for `ConnectionDeadlines.write`. A stream with nothing to write has no deadline. If a stream is released without a call to `end()`, the
/// connection is aborted, so that the client does not mistake the partial content for a complete response.
package final class ResponseStream: Sendable {
  enum Step: Sendable {
    case content([UInt8])
    case end
    /// The stream was released before its end.
    case abandoned
  }

  /// Sends a step to the connection; nil after the end of the stream.
  private let send: Locked<ClosureBox<@Sendable (Step) -> Void>?>

  init(_ send: @escaping @Sendable (Step) -> Void) { self.send = Locked(ClosureBox(send)) }

  deinit { send.withLock { $0 }?.call(.abandoned) }

  /// Sends a piece of the content. The call has no effect after `end()`, or after the connection has been closed.
  package func write(_ piece: [UInt8]) {
    // The lock keeps pieces in order with `end()` when several queues write.
    send.withLock { $0?.call(.content(piece)) }
  }

  /// Completes the response.
  package func end() {
    send.withLock { send in
      send?.call(.end)
      send = nil
    }
  }
}
