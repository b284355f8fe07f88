package import Dispatch
package import HTTP
package import HTTPServer
package import Platform
internal import TestSupport

/// A test server on a free port of both loopback addresses. Its responses depend on the path. The server stops when it
/// is released.
package final class TestServer: Sendable {
  /// A body of 8 MiB whose bytes repeat with a period that is not a power of two.
  package static let bigBody: [UInt8] = {
    var bytes = [UInt8](0..<251)
    while bytes.count < 8_000_000 { bytes += bytes }
    return bytes
  }()

  package let server: Server
  package var port: UInt16 { reserved.port }
  /// The reservation of the port, which continues after the server has stopped, so that a test can check that nothing is listening on the
  /// port.
  private let reserved: ReservedPort
  package let queue = DispatchQueue(label: "listener under test")
  /// The exchanges for requests to `/keep` that have no response yet, in order.
  package let kept = Locked<[Exchange]>([])
  private let arrived = DispatchSemaphore(value: 0)

  package init(
    limits: RequestParser.Limits = .callback, deadlines: ConnectionDeadlines = ConnectionDeadlines(),
    maximumConnections: Int = 512
  ) throws {
    reserved = try ReservedPort()
    let sockets = try ListeningSockets.loopback(port: reserved.port, host: .literal)
    let elsewhere = DispatchQueue(label: "elsewhere")
    server = Server(
      sockets, on: queue,
      configuration: .init(
        limits: limits, deadlines: deadlines, maximumConnections: maximumConnections,
        date: { "Sun, 06 Nov 1994 08:49:37 GMT" })
    ) { [kept, arrived] request, exchange in
      switch request.target.path {
      case "/hello": exchange.respond(Response(status: .ok, text: "hello"))
      case "/echo": exchange.respond(Response(status: .ok, body: request.body))
      case "/big": exchange.respond(Response(status: .ok, body: Self.bigBody))
      case "/close": exchange.respond(Response(status: .ok, text: "bye"), closing: true)
      case "/elsewhere": elsewhere.async { exchange.respond(Response(status: .ok, text: "from elsewhere")) }
      case "/drop": break
      case "/keep":
        kept.withLock { $0.append(exchange) }
        arrived.signal()
      default: exchange.respond(Response(status: .notFound, text: "404"))
      }
    }
    try server.start()
  }

  /// Creates a server with its own handler.
  package init(_ configuration: ServerConfiguration, handler: @escaping Server.Handler) throws {
    reserved = try ReservedPort()
    server = Server(
      try ListeningSockets.loopback(port: reserved.port, host: .literal), on: queue, configuration: configuration,
      handler: handler)
    try server.start()
  }

  deinit { server.stop() }

  /// Waits for the next request for `/keep` and returns its exchange.
  package func nextKept() -> Exchange {
    precondition(arrived.wait(timeout: .now() + 30) == .success, "no request arrived")
    return kept.withLock { $0.removeFirst() }
  }

  /// Stops the server and waits until it has stopped.
  package func stop(grace: Duration = .zero) {
    let done = DispatchSemaphore(value: 0)
    server.stop(grace: grace) { done.signal() }
    precondition(done.wait(timeout: .now() + 30) == .success, "the server did not stop")
  }
}
