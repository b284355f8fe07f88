package import Accounts
package import ControlProtocol
internal import Dispatch
internal import HTTP
package import HTTPServer
package import Platform
internal import Settings
internal import Time

/// Serves the control protocol on Unix sockets. The user's other processes send requests to the state owner through them.
///
/// Requests do not wait for each other. If a client disconnects while its login is waiting for the user, the login ends; other requests
/// continue.
// Sendable because its mutable state is accessed only on `queue`.
package final class ControlServer: @unchecked Sendable {
  /// The requests that every state owner serves.
  static let requests: [any HandledRequest.Type] = [
    StatusRequest.self, RefreshRequest.self, PublishRequest.self, LoginRequest.self, LoginInputRequest.self,
    LogoutRequest.self,
    TimelinesRequest.self, IssueTokenRequest.self, MarkRequest.self, ImportRequest.self, PurgeRequest.self,
    SendPostRequest.self,
    OutboxRequest.self, PostActionRequest.self, ReloadRequest.self,
    ProtectTokensRequest.self, WebPageRequest.self,
  ]

  /// The maximum number of simultaneous connections. Each command needs one, and a login may take minutes.
  private static let maximumConnections = 64
  /// The grace period for requests on a replaced socket. It is practically unlimited, because a login may wait for its user for any length
  /// of time.
  private static let withoutEnd = Duration.seconds(365 * 86_400)

  private let requests: [any HandledRequest.Type]
  private let context: ControlContext
  private let log: Log
  private let queue: DispatchQueue
  private var servers: [Server] = []
  private var isStopping = false
  /// The number of requests whose job is running or whose response has not been sent yet.
  private var underWay = 0
  private var whenIdle: [@Sendable () -> Void] = []

  package init(
    accountManager: AccountManager, _ delegate: ControlDelegate,
    requests: [any HandledRequest.Type] = ControlServer.requests, log: Log
  ) {
    queue = DispatchQueue(label: "homeline.control")
    context = ControlContext(accountManager: accountManager, delegate, on: queue)
    self.requests = requests
    self.log = log
  }

  /// Serves these sockets too, but only for the same user's processes. Root counts as another user.
  package func serve(_ sockets: consuming ListeningSockets) throws(OperationError) {
    let server = try start(sockets)
    queue.sync { add(server) }
  }

  /// Serves these sockets in place of the previous ones, where running requests continue.
  package func move(to sockets: consuming ListeningSockets) throws(OperationError) {
    let server = try start(sockets)
    queue.sync {
      for former in servers {
        former.stop(grace: Self.withoutEnd) { [weak self] in self?.servers.removeAll { $0 === former } }
      }
      add(server)
    }
  }

  private func add(_ server: Server) {
    servers.append(server)
    // The control server was stopped in the meantime, and has closed its other sockets.
    if isStopping { server.stop() }
  }

  private func start(_ sockets: consuming ListeningSockets) throws(OperationError) -> Server {
    let log = log
    let server = Server(
      sockets, on: queue,
      configuration: ServerConfiguration(
        limits: .control, maximumConnections: Self.maximumConnections, peers: .sameUser,
        refused: { peer in
          log(.warning, "refused a request from another user (\(peer.map { "\($0)" } ?? "unknown"))")
        })
    ) { [weak self] request, exchange in self?.take(request, exchange) }
    do throws(ListenError) { try server.start() } catch {
      throw OperationError(.cannotCreate, "could not serve the control socket: \(error)")
    }
    return server
  }

  /// Calls back once, on the server's queue, when no request is running and every response has been sent.
  func whenIdle(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.whenIdle.append(body)
      self.reportIfIdle()
    }
  }

  /// Stops: closes the sockets, removes the files created for them, and ends open streams after `grace`. The account manager ends the
  /// logins when it shuts down.
  /// - Parameter completion: called on the server's queue once every connection has been closed.
  package func stop(grace: Duration, completion: @escaping @Sendable () -> Void) {
    queue.async { self.end(grace, completion) }
  }

  /// Stops as soon as no request is running. Until then, further requests are accepted.
  package func stopWhenIdle(completion: @escaping @Sendable () -> Void) {
    // Every response has then been sent; only the clients have yet to disconnect.
    whenIdle { self.end(.seconds(1), completion) }
  }

  // MARK: Requests

  private func take(_ request: Request, _ exchange: Exchange) {
    let received: any ControlRequest
    do throws(ControlError) { received = try RequestReader.read(request, among: requests.map { $0 }) } catch {
      return exchange.respond(error.response)
    }
    if isStopping { return exchange.respond(ControlError.ending.response, closing: true) }
    guard let handled = received as? any HandledRequest else { preconditionFailure("only handled requests are read") }
    begin(handled, SocketOutput(exchange))
  }

  /// Carries out a request of this process itself, with the same handlers as a command's request.
  /// - Parameters:
  ///   - event: called with each event, apart from the last one.
  ///   - completion: called once with the end of the response. Both functions are called one after the other, on another queue.
  /// - Returns: the function to call, on any queue, if nobody waits for the response any more. Nothing is passed on then, and the handler
  ///   learns it as from a client that disconnects.
  package func carryOut(
    _ request: any HandledRequest, event: @escaping @Sendable (any ControlEvent) -> Void,
    completion: @escaping @Sendable (ControlResponse) -> Void
  ) -> @Sendable () -> Void {
    let output = CallerOutput(on: queue, event: event, completion: completion)
    queue.async {
      if self.isStopping { return output.respond(.refusal(.ending)) {} }
      self.begin(request, output)
    }
    return { output.leave() }
  }

  private func begin(_ request: any HandledRequest, _ output: any ControlOutput) {
    underWay += 1
    let responder = ControlResponder(output, on: queue) { self.leave() }
    // Handlers may wait: opening an account may run the command that prints its secret. Each job has its own serial queue: once a
    // concurrent queue has been used, Dispatch checks its threads every second.
    DispatchQueue(label: "homeline.control.work").async { [context] in
      do throws(ControlError) { try request.handle(in: context, responder) } catch { responder.refuse(error) }
    }
  }

  private func leave() {
    underWay -= 1
    reportIfIdle()
  }

  private func reportIfIdle() {
    guard underWay == 0, !whenIdle.isEmpty else { return }
    let bodies = whenIdle
    whenIdle = []
    for body in bodies { body() }
  }

  private func end(_ grace: Duration, _ completion: @escaping @Sendable () -> Void) {
    isStopping = true
    let all = DispatchGroup()
    for server in servers {
      all.enter()
      server.stop(grace: grace) { all.leave() }
    }
    all.notify(queue: queue, execute: completion)
  }
}

extension ControlError {
  fileprivate static let ending = ControlError(
    .serviceUnavailable, exit: .temporary, "the state owner is shutting down; try again")
}
