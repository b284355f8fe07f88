package import HTTP
internal import Platform

/// The one answer that a request is owed. It may be given later and from any queue, once.
///
/// Letting go of it unanswered answers 500 and ends the connection, so that no client waits for ever.
package final class Exchange: Sendable {
  struct Answer: Sendable {
    let response: Response
    let closing: Bool
    /// Whether the content follows piece by piece.
    var isStream = false
    let delivered: (@Sendable (Bool) -> Void)?
  }

  /// Where the answer goes, and what follows it if it is a stream.
  struct Outlet: Sendable {
    let respond: @Sendable (Answer) -> Void
    let step: @Sendable (ResponseStream.Step) -> Void
  }

  private let outlet: Locked<Outlet?>

  init(_ outlet: Outlet) { self.outlet = Locked(outlet) }

  deinit {
    outlet.withLock { $0 }?.respond(
      Answer(
        response: Response(status: .internalServerError, text: "500 Internal Server Error"), closing: true,
        delivered: nil))
  }

  /// Answers the request. A second answer is a mistake: it stops a debug build, and is ignored in a release.
  /// - Parameters:
  ///   - closing: whether the connection ends with this answer, whatever the client asked for.
  ///   - delivered: called once on the server's queue: true when the kernel has taken the whole answer, false if the
  ///     connection broke before.
  package func respond(
    _ response: Response, closing: Bool = false, delivered: (@Sendable (Bool) -> Void)? = nil
  ) {
    take()?.respond(Answer(response: response, closing: closing, delivered: delivered))
  }

  /// Begins an answer whose content follows piece by piece: in chunks, or up to the connection's end for HTTP/1.0.
  ///
  /// A client listens for as long as its own side is open: one that ends it is taken to have gone away.
  /// HEAD gets the head alone, and what is written to the stream is dropped.
  /// - Parameters:
  ///   - response: its body is left out.
  ///   - closed: called once on the server's queue: true when the kernel has taken the whole answer with its end, false
  ///     when the connection broke, or the client went away, before.
  package func stream(
    _ response: Response, closing: Bool = false, closed: (@Sendable (Bool) -> Void)? = nil
  ) -> ResponseStream {
    guard let outlet = take() else { return ResponseStream { _ in } }
    outlet.respond(Answer(response: response, closing: closing, isStream: true, delivered: closed))
    return ResponseStream(outlet.step)
  }

  private func take() -> Outlet? {
    let taken = outlet.withLock { outlet in
      defer { outlet = nil }
      return outlet
    }
    if taken == nil { assertionFailure("an exchange is answered once") }
    return taken
  }
}

/// An answer whose content is given piece by piece, from any queue, for as long as it takes.
///
/// Pieces that the client does not read are kept up to 1 MiB; beyond that, or when none of them is taken for the time of
/// `ConnectionDeadlines.write`, the connection is closed. A stream with nothing to write has no deadline. Letting go of a
/// stream that was not ended breaks the connection off, so that no client takes a part for the whole.
package final class ResponseStream: Sendable {
  enum Step: Sendable {
    case content([UInt8])
    case end
    /// It will never be whole.
    case abandoned
  }

  /// Until the end.
  private let send: Locked<ClosureBox<@Sendable (Step) -> Void>?>

  init(_ send: @escaping @Sendable (Step) -> Void) { self.send = Locked(ClosureBox(send)) }

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
