package import HTTP
internal import Platform

/// A request that is waiting for its response, which must be given exactly once, from any queue.
///
/// If the exchange is released without a response, the server responds with 500 and closes the connection.
package final class Exchange: Sendable {
  struct Reply: Sendable {
    let response: Response
    let closing: Bool
    /// Whether the content follows in pieces.
    var isStream = false
    let delivered: (@Sendable (Bool) -> Void)?
  }

  /// The connection's functions that receive the response and, for a stream, its content.
  struct Sink: Sendable {
    let respond: @Sendable (Reply) -> Void
    let step: @Sendable (ResponseStream.Step) -> Void
  }

  private let sink: Locked<Sink?>

  init(_ sink: Sink) { self.sink = Locked(sink) }

  deinit {
    sink.withLock { $0 }?.respond(
      Reply(
        response: Response(status: .internalServerError, text: "500 Internal Server Error"), closing: true,
        delivered: nil))
  }

  /// Sends the response. A second call traps in a debug build and is ignored in a release build.
  /// - Parameters:
  ///   - closing: whether to close the connection afterwards, even if the client asked to keep it open.
  ///   - delivered: called once on the server's queue: with true when the kernel has accepted the complete response, or with false if the
  ///     connection failed before that.
  package func respond(
    _ response: Response, closing: Bool = false, delivered: (@Sendable (Bool) -> Void)? = nil
  ) {
    take()?.respond(Reply(response: response, closing: closing, delivered: delivered))
  }

  /// Starts a response whose content is sent in pieces: as chunks, or until the connection ends for HTTP/1.0.
  ///
  /// If the client closes its sending side, the connection is closed. For a HEAD request, only the head is sent, and the content is
  /// discarded.
  /// - Parameters:
  ///   - response: the status and headers; the body is ignored.
  ///   - closed: called once on the server's queue: with true when the kernel has accepted the complete response, or with false if the
  ///     connection failed or the client closed it before that.
  package func stream(
    _ response: Response, closing: Bool = false, closed: (@Sendable (Bool) -> Void)? = nil
  ) -> ResponseStream {
    guard let sink = take() else { return ResponseStream { _ in } }
    sink.respond(Reply(response: response, closing: closing, isStream: true, delivered: closed))
    return ResponseStream(sink.step)
  }

  private func take() -> Sink? {
    let sink = self.sink.withLock { sink in
      defer { sink = nil }
      return sink
    }
    if sink == nil { assertionFailure("an exchange must get exactly one response") }
    return sink
  }
}

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
