package import Accounts
internal import CivilTime
internal import Control
internal import Dispatch
internal import HTTP
package import HTTPServer
package import Platform
internal import Settings

/// Serves the control protocol on Unix sockets, where other processes of the user send requests to the owner of the state.
///
/// Each request is a job of its own: none waits for another. A client that goes away ends a login that waits for its user, and nothing
/// else.
// Sendable because everything that changes in it is touched on `queue` only.
package final class ControlServer: @unchecked Sendable {
  /// The requests that every owner serves.
  package static let requests: [any HandledRequest.Type] = [
    StatusRequest.self, RefreshRequest.self, LoginRequest.self, LoginInputRequest.self, LogoutRequest.self,
    IssueTokenRequest.self, MarkRequest.self, ImportRequest.self, PurgeRequest.self, ReloadRequest.self,
  ]

  /// Connections at a time: a command each, and a login may last minutes.
  private static let maximumConnections = 64
  /// For requests under way at a socket that is replaced: a login waits for its user for as long as it takes.
  private static let withoutEnd = Duration.seconds(365 * 86_400)

  private let requests: [any HandledRequest.Type]
  private let context: ControlContext
  private let log: Log
  private let queue: DispatchQueue
  private var servers: [Server] = []
  private var isStopping = false
  /// Jobs under way, and responses that are not out yet.
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

  /// Serves these sockets too, for processes of the same user only: root is another user.
  package func serve(_ sockets: consuming ListeningSockets) throws(Failure) {
    let server = try start(sockets)
    queue.sync { add(server) }
  }

  /// Serves these sockets instead of the former ones. Requests under way there continue.
  package func move(to sockets: consuming ListeningSockets) throws(Failure) {
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
    // The end has come first: it has closed the others.
    if isStopping { server.stop() }
  }

  private func start(_ sockets: consuming ListeningSockets) throws(Failure) -> Server {
    let log = log
    let server = Server(
      sockets, on: queue,
      configuration: ServerConfiguration(
        limits: .control, maximumConnections: Self.maximumConnections, peers: .sameUser,
        refused: { peer in
          log(.warning, "refused a request of another user (\(peer.map { "\($0)" } ?? "an unknown one"))")
        })
    ) { [weak self] request, exchange in self?.take(request, exchange) }
    do throws(SystemError) { try server.start() } catch {
      throw Failure(.cannotCreate, "the control socket cannot be served: \(error)")
    }
    return server
  }

  /// Calls back once, on the server's queue, when no request is under way and every response is out.
  package func whenIdle(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.whenIdle.append(body)
      self.tellIfIdle()
    }
  }

  /// Stops: closes the sockets, removes the files that were made here, and ends open streams after `grace`. The keeper's own end gives
  /// logins up.
  /// - Parameter completion: runs on the server's queue once every connection is closed.
  package func stop(grace: Duration, completion: @escaping @Sendable () -> Void) {
    queue.async { self.end(grace, completion) }
  }

  /// Stops as soon as no request is under way. Until then it accepts further ones.
  package func stopWhenIdle(completion: @escaping @Sendable () -> Void) {
    // Every response is out then; only the clients still have to close.
    whenIdle { self.end(.seconds(1), completion) }
  }

  // MARK: Requests

  private func take(_ request: Request, _ exchange: Exchange) {
    let received: any ControlRequest
    do throws(ControlRefusal) { received = try ReceivedRequest.read(request, among: requests.map { $0 }) } catch {
      return exchange.respond(error.response)
    }
    if isStopping { return exchange.respond(ControlRefusal.ending.response, closing: true) }
    guard let handled = received as? any HandledRequest else { preconditionFailure("only handled requests are read") }
    underWay += 1
    let responder = ControlResponder(exchange, on: queue) { self.leave() }
    // Handlers may wait: opening an account may run the command that prints its secret. Not one concurrent queue: after its first use
    // Dispatch checks its threads once a second for ever.
    DispatchQueue(label: "homeline.control.work").async { [context] in
      do throws(ControlRefusal) { try handled.handle(in: context, responder) } catch { responder.refuse(error) }
    }
  }

  private func leave() {
    underWay -= 1
    tellIfIdle()
  }

  private func tellIfIdle() {
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

extension ControlRefusal {
  fileprivate static let ending = ControlRefusal(
    .serviceUnavailable, exit: .temporary, "the owner of the state is about to end; try again")
}
