internal import Control
internal import Dispatch
internal import HTTP
internal import HTTPServer
internal import Platform

/// The answer to one command: a refusal, a document, or a stream of events. It is over when it was given to its end and the
/// connection has let go of it, be it that it is out or that the client is gone.
final class ControlAnswer: Sendable {
  private let exchange: Exchange
  private let queue: DispatchQueue
  private let stream = Locked<AnswerStream?>(nil)
  /// The job's part, and the connection's.
  private let parts = DispatchGroup()
  private let isGiven = Locked(false)

  /// - Parameter over: called once, on `queue`.
  init(_ exchange: Exchange, on queue: DispatchQueue, over: @escaping @Sendable () -> Void) {
    self.exchange = exchange
    self.queue = queue
    parts.enter()
    parts.notify(queue: queue, execute: over)
  }

  /// A job that lets go of its answer has ended as well; the stream breaks off.
  deinit { finish() }

  /// Answers as a whole.
  func send(_ response: Response) {
    parts.enter()
    exchange.answer(response) { [parts] _ in parts.leave() }
    finish()
  }

  func refuse(_ refusal: ControlRefusal) { send(refusal.response) }

  /// Begins a stream of events.
  /// - Parameter gone: called on the desk's queue when the client has gone away before the end.
  func open(gone: @escaping @Sendable () -> Void = {}) {
    parts.enter()
    let response = Response(status: .ok, headers: ["Content-Type": "application/jsonl"])
    let stream = exchange.stream(response) { [parts] isWhole in
      if !isWhole { gone() }
      parts.leave()
    }
    self.stream.withLock { $0 = stream }
  }

  func tell(_ event: ControlEvent) { stream.withLock { $0 }?.write(event.line) }

  /// The last event.
  func end(_ end: ControlEvent.End) {
    tell(.end(end))
    stream.withLock { $0.take() }?.end()
    finish()
  }

  /// Ends with what came of a job.
  /// - Parameter account: whom a failure is about.
  func end(_ result: Result<Void, Failure>, account: String? = nil) {
    switch result {
    case .success: end(ControlEvent.End(exit: .done))
    case .failure(let failure): end(ControlEvent.End(failure, account: account))
    }
  }

  private func finish() {
    let wasGiven = isGiven.withLock { isGiven in
      defer { isGiven = true }
      return isGiven
    }
    if !wasGiven { parts.leave() }
  }
}
