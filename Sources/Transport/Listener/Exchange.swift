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
    let answer: @Sendable (Answer) -> Void
    let step: @Sendable (AnswerStream.Step) -> Void
  }

  private let outlet: Locked<Outlet?>

  init(_ outlet: Outlet) { self.outlet = Locked(outlet) }

  deinit {
    outlet.withLock { $0 }?.answer(
      Answer(
        response: Response(status: .internalServerError, text: "500 Internal Server Error"), closing: true,
        delivered: nil))
  }

  /// Answers the request. A second answer is a mistake: it stops a debug build, and is ignored in a release.
  /// - Parameters:
  ///   - closing: whether the connection ends with this answer, whatever the client asked for.
  ///   - delivered: called once on the server's queue: true when the kernel has taken the whole answer, false if the
  ///     connection broke before.
  package func answer(
    _ response: Response, closing: Bool = false, delivered: (@Sendable (Bool) -> Void)? = nil
  ) {
    take()?.answer(Answer(response: response, closing: closing, delivered: delivered))
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
  ) -> AnswerStream {
    guard let outlet = take() else { return AnswerStream { _ in } }
    outlet.answer(Answer(response: response, closing: closing, isStream: true, delivered: closed))
    return AnswerStream(outlet.step)
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
