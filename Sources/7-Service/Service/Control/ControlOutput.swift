internal import ControlProtocol
internal import HTTP
internal import HTTPServer
internal import Platform

/// Where the response to a control request goes: to a connection of the control socket, or to code of this process.
protocol ControlOutput: Sendable {
  /// Sends a complete response.
  /// - Parameter released: called once when the response has been sent or its recipient has left.
  func respond(_ response: ControlResponse, released: @escaping @Sendable () -> Void)

  /// Begins a stream of events.
  /// - Parameters:
  ///   - gone: called on the control server's queue if the recipient leaves before the end.
  ///   - released: as with `respond`.
  func openStream(gone: @escaping @Sendable () -> Void, released: @escaping @Sendable () -> Void)

  /// Sends an event of the stream. May be called from any queue.
  func send(_ event: some ControlEvent)

  /// Sends the last event, and ends the stream.
  func end(_ end: EndEvent)
}

/// Sends a response over a connection of the control socket.
final class SocketOutput: ControlOutput {
  private let exchange: Exchange
  private let stream = Locked<ResponseStream?>(nil)

  init(_ exchange: Exchange) { self.exchange = exchange }

  func respond(_ response: ControlResponse, released: @escaping @Sendable () -> Void) {
    exchange.respond(Self.http(response)) { _ in released() }
  }

  func openStream(gone: @escaping @Sendable () -> Void, released: @escaping @Sendable () -> Void) {
    let response = Response(status: .ok, headers: ["Content-Type": "application/jsonl"])
    let stream = exchange.stream(response) { isComplete in
      if !isComplete { gone() }
      released()
    }
    self.stream.withLock { $0 = stream }
  }

  func send(_ event: some ControlEvent) { stream.withLock { $0 }?.write(event.line) }

  func end(_ end: EndEvent) {
    send(end)
    stream.withLock { $0.take() }?.end()
  }

  private static func http(_ response: ControlResponse) -> Response {
    switch response {
    case .refusal(let error): error.response
    case .document(let json): Response(status: .ok, headers: [.contentType: "application/json"], body: json)
    case .nothing: Response(status: .noContent)
    case .end(let end): Response(status: .ok, headers: ["Content-Type": "application/jsonl"], body: end.line)
    }
  }
}
