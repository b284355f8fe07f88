package import Accounts
package import ControlProtocol
internal import Dispatch
internal import Platform
internal import Time

/// Sends the response to one control request: an error, a document, or a stream of events. The response is finished once the handler has
/// ended it and its recipient has released it. A recipient releases a response that has been sent, and when it leaves.
package final class ControlResponder: Sendable {
  private let output: any ControlOutput
  private let queue: DispatchQueue
  /// The two conditions: the handler ends the response, and the recipient releases it.
  private let parts = DispatchGroup()
  private let isEnded = Locked(false)

  /// - Parameter finished: called only once, on `queue`.
  init(_ output: any ControlOutput, on queue: DispatchQueue, finished: @escaping @Sendable () -> Void) {
    self.output = output
    self.queue = queue
    parts.enter()
    parts.notify(queue: queue, execute: finished)
  }

  /// If the handler releases its responder without ending it, the response ends too, with an incomplete stream.
  deinit { finish() }

  package func refuse(_ refusal: ControlError) { respond(.refusal(refusal)) }

  /// Sends a JSON document as the complete response.
  package func send(document json: [UInt8]) { respond(.document(json)) }

  /// Reports that the request was carried out, without a result.
  package func acknowledge() { respond(.nothing) }

  private func respond(_ response: ControlResponse) {
    parts.enter()
    output.respond(response) { [parts] in parts.leave() }
    finish()
  }

  /// Begins a stream of events.
  /// - Parameter gone: called on the server's queue if the recipient leaves before the end.
  package func openStream(gone: @escaping @Sendable () -> Void = {}) {
    parts.enter()
    output.openStream(gone: gone) { [parts] in parts.leave() }
  }

  package func send(_ event: some ControlEvent) { output.send(event) }

  /// Sends the last event.
  package func end(_ end: EndEvent) {
    output.end(end)
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
      question: failure.needsTrust ? .trustServer : failure.cost.map { _ in .confirmCost }, cost: failure.cost)
  }
}
