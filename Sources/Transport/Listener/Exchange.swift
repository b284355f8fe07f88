package import HTTP
internal import Platform

/// The one answer that a request is owed. It may be given later and from any queue, once.
///
/// Letting go of it unanswered answers 500 and ends the connection, so that no client waits for ever.
package final class Exchange: Sendable {
  struct Answer: Sendable {
    let response: Response
    let closing: Bool
    let delivered: (@Sendable (Bool) -> Void)?
  }

  private let send: Locked<(@Sendable (Answer) -> Void)?>

  init(_ send: @escaping @Sendable (Answer) -> Void) {
    self.send = Locked(send)
  }

  deinit {
    send.withLock { $0 }?(
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
    let send = send.withLock { send in
      defer { send = nil }
      return send
    }
    guard let send else {
      assertionFailure("an exchange is answered once")
      return
    }
    send(Answer(response: response, closing: closing, delivered: delivered))
  }
}
