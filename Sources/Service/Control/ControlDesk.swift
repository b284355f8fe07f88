internal import CivilTime
internal import Control
internal import Dispatch
internal import HTTP
package import HTTPServer
package import Platform
internal import Settings

/// Where other processes of the user command the owner of the state: it serves the control protocol on Unix sockets.
///
/// Each request is a job. What a job waits for never stands before another request; a client that goes away ends a login that
/// waits for its user, and nothing else.
// Sendable because everything that changes in it is touched on `queue` only.
package final class ControlDesk: @unchecked Sendable {
  /// Connections at a time: a command each, and a login may last minutes.
  private static let maximumConnections = 64
  /// For commands that are under way at a socket that is given up: a login waits for its user, who may take their time.
  private static let withoutEnd = Duration.seconds(365 * 86_400)

  private let jobs: ControlJobs
  private let log: Log
  private let queue: DispatchQueue
  private var servers: [Server] = []
  private var isStopping = false
  /// Jobs that go on, and answers that are not out yet.
  private var underWay = 0
  private var whenIdle: [@Sendable () -> Void] = []

  package init(keeper: Keeper, _ duties: ControlDuties, log: Log) {
    queue = DispatchQueue(label: "homeline.control")
    jobs = ControlJobs(keeper: keeper, duties, on: queue)
    self.log = log
  }

  /// Takes commands at these sockets too, from processes of the same user alone: also root is another one.
  package func serve(_ sockets: consuming ListeningSockets) throws(Failure) {
    let server = try start(sockets)
    queue.sync { add(server) }
  }

  /// Takes commands at these sockets instead of the former ones. Commands that are under way there go on.
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
          log(.warning, "a command of another user was refused (\(peer.map { "\($0)" } ?? "nobody knows whose"))")
        })
    ) { [weak self] request, exchange in self?.take(request, exchange) }
    do throws(SystemError) { try server.start() } catch {
      throw Failure(.cannotCreate, "the control socket cannot be served: \(error)")
    }
    return server
  }

  /// Calls back once, on the desk's queue, when no command is under way and every answer is out: at once, if that is so.
  package func whenIdle(_ body: @escaping @Sendable () -> Void) {
    queue.async {
      self.whenIdle.append(body)
      self.tellIfIdle()
    }
  }

  /// Takes no more commands: closes the sockets, removes the files that were made here, and ends the streams that are open
  /// after `grace`. Logins are given up by the keeper's own end.
  /// - Parameter completion: runs on the desk's queue once every connection is closed.
  package func stop(grace: Duration, completion: @escaping @Sendable () -> Void) {
    queue.async { self.end(grace, completion) }
  }

  /// The same as soon as no command is under way. Until then further ones are taken.
  package func stopWhenIdle(completion: @escaping @Sendable () -> Void) {
    // Every answer is out then; what is left is the client's own end.
    whenIdle { self.end(.seconds(1), completion) }
  }

  // MARK: Requests

  private func take(_ request: Request, _ exchange: Exchange) {
    let asked: ControlRequest
    do throws(ControlRefusal) { asked = try ControlRequest(request) } catch { return exchange.answer(error.response) }
    if isStopping { return exchange.answer(ControlRefusal.ending.response, closing: true) }
    underWay += 1
    jobs.begin(asked, ControlAnswer(exchange, on: queue) { self.leave() })
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
