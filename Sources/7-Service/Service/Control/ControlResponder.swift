package import Accounts
package import ControlProtocol
internal import Dispatch
package import HTTP
internal import HTTPServer
internal import Platform
internal import Time

/// Sends the response to one control request: an error, a document, or a stream of events. The response is finished once the handler has
/// ended it and the connection has released it. The connection releases a response that has been sent or whose client has disconnected.
package final class ControlResponder: Sendable {
  private let exchange: Exchange
  private let queue: DispatchQueue
  private let stream = Locked<ResponseStream?>(nil)
  /// The two conditions: the handler ends the response, and the connection releases it.
  private let parts = DispatchGroup()
  private let isEnded = Locked(false)

  /// - Parameter finished: called only once, on `queue`.
  init(_ exchange: Exchange, on queue: DispatchQueue, finished: @escaping @Sendable () -> Void) {
    self.exchange = exchange
    self.queue = queue
    parts.enter()
    parts.notify(queue: queue, execute: finished)
  }

  /// If the handler releases its responder without ending it, the response ends too, with an incomplete stream.
  deinit { finish() }

  /// Sends a complete response.
  package func send(_ response: Response) {
    parts.enter()
    exchange.respond(response) { [parts] _ in parts.leave() }
    finish()
  }

  package func refuse(_ refusal: ControlError) { send(refusal.response) }

  /// Begins a stream of events.
  /// - Parameter gone: called on the server's queue if the client disconnects before the end.
  package func openStream(gone: @escaping @Sendable () -> Void = {}) {
    parts.enter()
    let response = Response(status: .ok, headers: ["Content-Type": "application/jsonl"])
    let stream = exchange.stream(response) { [parts] isComplete in
      if !isComplete { gone() }
      parts.leave()
    }
    self.stream.withLock { $0 = stream }
  }

  package func send(_ event: some ControlEvent) { stream.withLock { $0 }?.write(event.line) }

  /// Sends the last event.
  package func end(_ end: EndEvent) {
    send(end)
    stream.withLock { $0.take() }?.end()
    finish()
  }

  /// Ends the stream with the outcome of a job.
  /// - Parameter account: the account affected by a failure.
  package func end(_ result: Result<Void, OperationError>, account: String? = nil) {
    switch result {
    case .success: end(EndEvent(exit: .done))
    case .failure(let failure): end(EndEvent(failure, account: account))
    }
  }

  /// Starts a job, and ends the stream if that fails.
  func begin(about account: String, _ job: () throws(OperationError) -> Void) {
    do throws(OperationError) { try job() } catch { end(.failure(error), account: account) }
  }

  private func finish() { if isEnded.setOnce() { parts.leave() } }
}

extension EndEvent {
  /// - Parameter account: the account affected by the failure.
  init(_ failure: OperationError, account: String? = nil) {
    self.init(
      exit: failure.exitCode, message: (account.map { "\($0): " } ?? "") + failure.message, retryAt: failure.retryAt,
      question: failure.needsTrust ? .trustServer : nil)
  }
}
