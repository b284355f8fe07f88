package import HTTP
internal import Platform

/// A request that is waiting for its response, which must be given exactly once, from any queue.
///
/// If the exchange is released without a response, the server responds with 500 and closes the connection.
package final class Exchange: Sendable {
  struct Reply: Sendable {
    let response: Response
    /// The body, if it is not the response's own.
    var file: FileBody?
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

  /// The user at the other end, if the server's `PeerRule` depends on it and the kernel reported it.
  package let peer: UInt32?
  /// The request's content if it is longer than `ContentRule.inMemory`; the request's body is empty then. It is removed when the exchange
  /// and the handler have released it.
  package let content: ReceivedFile?
  /// Why the request's content was refused, and what was kept of it; nil if it was not. The request's body is empty then. Only a request with
  /// a ``ContentRule`` that keeps an extract can have it.
  package let refusal: ContentRefusal?
  private let sink: Locked<Sink?>

  init(_ sink: Sink, peer: UInt32? = nil, _ received: ContentReceiver.Received? = nil) {
    self.sink = Locked(sink)
    self.peer = peer
    content = received?.file
    refusal = received?.refusal
  }

  deinit {
    sink.withLock { $0 }?.respond(
      Reply(
        response: Response(status: .internalServerError, text: "500 Internal Server Error"), closing: true,
        delivered: nil))
  }

  /// Sends the response. A second call traps in a debug build and is ignored in a release build.
  /// - Parameters:
  ///   - file: the body, if it is not the response's own. It is sent as the client reads, so it takes no memory.
  ///   - closing: whether to close the connection afterwards, even if the client asked to keep it open.
  ///   - delivered: called once on the server's queue: with true when the kernel has accepted the complete response, or with false if the
  ///     connection failed before that.
  package func respond(
    _ response: Response, file: FileBody? = nil, closing: Bool = false, delivered: (@Sendable (Bool) -> Void)? = nil
  ) {
    take()?.respond(Reply(response: response, file: file, closing: closing, delivered: delivered))
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
