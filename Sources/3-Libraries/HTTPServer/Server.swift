package import Dispatch
package import HTTP
internal import Platform

/// An HTTP/1.1 server on listening sockets of any family. The server runs entirely on one serial queue.
///
/// Idle and slow connections use a descriptor but no thread, and do not delay other requests. One timer serves all deadlines. A started
/// server lives until it is stopped.
// Sendable because its mutable state is used only on `queue`.
package final class Server: @unchecked Sendable {
  /// Called on the server's queue for each request. The response is given to the exchange, immediately or later.
  package typealias Handler = @Sendable (Request, Exchange) -> Void

  /// How long the server stops accepting connections when no file descriptors are left, unless a connection is closed before that.
  private static let exhaustionPause = Duration.milliseconds(100)

  private let queue: DispatchQueue
  private let configuration: ServerConfiguration
  private let handler: Handler
  /// The listening sockets before the start; nil afterwards. `start` takes them, and `end` if the server was never started.
  private var sockets: ListeningSockets?
  /// The lookup of peers' users, for `PeerRule.userOverTCP`.
  private var owners: PeerOwners?
  /// The file of the Unix socket, if this server has to remove it.
  private var file: SocketFile?
  private var alarm: Alarm?
  private var ready: ReadySockets?
  private let input = QueueConfined(InputBuffer())
  private let pieces = QueueConfined(FilePieces())
  /// When the alarm will fire.
  private var armed: BootInstant?
  /// The listening sockets, named -1, -2 and so on in `ReadySockets`.
  private var acceptors: [Acceptor] = []
  private var acceptsAgain: BootInstant?
  private var table: ConnectionTable
  private var connections: [Int: Connection] = [:]
  private var lastID = 0
  private var stopsAt: BootInstant?
  private var unbound: [@Sendable () -> Void] = []
  private var stopped: [@Sendable () -> Void] = []

  /// - Parameter queue: a serial queue that the handler and all callbacks run on.
  package init(
    _ sockets: consuming ListeningSockets, on queue: DispatchQueue, configuration: ServerConfiguration,
    handler: @escaping Handler
  ) {
    self.sockets = consume sockets
    self.queue = queue
    self.configuration = configuration
    self.handler = handler
    table = ConnectionTable(capacity: configuration.maximumConnections)
  }

  /// Starts accepting connections. Must be called once, from any thread.
  /// - Throws: `.system` if the process has no file descriptors left for the timer or for epoll; `.ownersUnknown` if the peer rule needs
  ///   the kernel to report owners, and it cannot. The sockets are closed then.
  package func start() throws(ListenError) {
    let alarm: Alarm
    let ready: ReadySockets
    do throws(SystemError) {
      alarm = try Alarm(on: queue) { [weak self] in self?.handleAlarm() }
      ready = try ReadySockets(on: queue) { [weak self] name, ready in self?.wake(name, for: ready) }
    } catch { throw .system(error) }
    guard let sockets = sockets.take() else { return }
    let owners = try owners(for: sockets)
    let released = sockets.release()
    queue.async { self.accept(with: alarm, ready, released, owners) }
  }

  private func owners(for sockets: borrowing ListeningSockets) throws(ListenError) -> PeerOwners? {
    guard case .userOverTCP(_, let unknown) = configuration.peers else { return nil }
    let owners = PeerOwners(
      listeners: sockets.descriptors, handed: configuration.diagnosis, ways: configuration.ownerLookups)
    if owners.way == nil, unknown == .refused { throw .ownersUnknown(port: sockets.port ?? 0) }
    return owners
  }

  /// Stops the server. Listening sockets and connections without a request are closed immediately. Other connections are closed when their
  /// responses, including streams, have been sent, but after `grace` at the latest. May be called from any thread, and again with a shorter
  /// grace period.
  /// - Parameters:
  ///   - completion: called on the queue when all sockets have been closed.
  ///   - unbound: called on the queue before that, when the listening sockets have been closed and the address is free.
  package func stop(
    grace: Duration = .zero, completion: @escaping @Sendable () -> Void = {},
    unbound: @escaping @Sendable () -> Void = {}
  ) {
    queue.async { self.end(grace, unbound, completion) }
  }

  private func accept(
    with alarm: Alarm, _ ready: ReadySockets, _ sockets: ListeningSockets.Released, _ owners: PeerOwners?
  ) {
    self.alarm = alarm
    self.ready = ready
    self.owners = owners
    file = sockets.file
    if let owners, owners.way == nil { configuration.found(.cannotBeAsked) }
    let reports = Acceptor.Reports(accepted: { self.admit($0) }, exhausted: { self.pauseAccepting() })
    acceptors = sockets.numbers.enumerated().map { index, number in
      Acceptor(owning: number, as: -1 - index, isShared: sockets.isShared, among: ready, reports)
    }
  }

  private func wake(_ name: Int, for interest: ReadySockets.Interest) {
    if name > 0 {
      connections[name]?.wake(for: interest)
    } else if acceptors.indices.contains(-1 - name) {
      acceptors[-1 - name].accept()
    }
  }

  // MARK: Connections

  private func admit(_ descriptor: consuming Descriptor) {
    guard stopsAt == nil, let ready else { return }
    var reports = reports
    var limits = configuration.limits
    var refusal = configuration.refusal
    var user: UInt32?
    // The owner is determined before anything is read, because it is unknown after the peer has closed its socket.
    switch configuration.peers.admission(of: descriptor.number, by: owners) {
    case .accepted(let peer): user = peer
    case .closed(let peer): return configuration.refused(peer)
    case .ownerless: return configuration.found(.noOwner)
    case .forbidden(let user):
      configuration.found(.otherUser(user))
      reports = forbidding
      limits.body = 0
      refusal = { [configuration] _ in configuration.forbidden() }
    }
    if table.isFull {
      guard let id = table.leastImportant else { return }  // All connections are busy, so the new connection is closed.
      dismiss(id)
    }
    lastID += 1
    let connection = Connection(
      id: lastID, owning: descriptor,
      state: ConnectionState(
        limits: limits, asksForLimits: reports.content != nil, deadlines: configuration.deadlines,
        refusal: refusal, at: .now),
      on: queue, among: ready, input: input.value, pieces: pieces.value, peer: user, reports)
    connections[lastID] = connection
    connection.start()
  }

  private var reports: Connection.Reports {
    Connection.Reports(
      handle: handler, changed: { self.note($0) }, closed: { self.forget($0) }, date: configuration.date,
      content: configuration.content, halfway: configuration.halfway)
  }

  /// The callbacks for connections whose requests all receive 403.
  private var forbidding: Connection.Reports {
    Connection.Reports(
      handle: { [configuration] _, exchange in exchange.respond(configuration.forbidden(), closing: true) },
      changed: { self.note($0) }, closed: { self.forget($0) }, date: configuration.date)
  }

  private func note(_ connection: Connection) {
    if connection.state.isClosed {
      table.remove(connection.id)
    } else {
      table.note(connection.state.activity, of: connection.id)
      if let due = connection.state.due { arm(for: due) }
    }
  }

  private func dismiss(_ id: Int) {
    table.remove(id)
    connections[id]?.abort()
  }

  private func forget(_ connection: Connection) {
    table.remove(connection.id)
    connections[connection.id] = nil
    if acceptsAgain != nil { resumeAccepting() }
    finishStopping()
  }

  // MARK: Without descriptors

  /// Handles running out of file descriptors: closes a connection if possible, and lets new connections wait in the kernel until a
  /// connection is closed or a short time has passed.
  private func pauseAccepting() {
    for acceptor in acceptors { acceptor.isOn = false }
    let again = BootInstant.now + Self.exhaustionPause
    acceptsAgain = again
    arm(for: again)
    if let id = table.leastImportant { dismiss(id) }
  }

  private func resumeAccepting() {
    acceptsAgain = nil
    for acceptor in acceptors { acceptor.isOn = true }
  }

  // MARK: Deadlines

  /// Sets the alarm, unless the alarm is already set to an earlier time. The alarm is never postponed: an occasional alarm without a due
  /// deadline costs less than setting the alarm for each request.
  private func arm(for instant: BootInstant) {
    if let armed, armed <= instant { return }
    armed = instant
    alarm?.set(instant)
  }

  private func handleAlarm() {
    armed = nil
    let now = BootInstant.now
    func isDue(_ instant: BootInstant?) -> Bool { instant.map { $0 <= now } ?? false }
    for connection in connections.values where isDue(connection.state.due) { connection.handle(.deadlineReached) }
    if isDue(acceptsAgain) { resumeAccepting() }
    if isDue(stopsAt) { for connection in connections.values { connection.abort() } }
    let next = connections.values.compactMap(\.state.due).min()
    let others = [acceptsAgain, stopsAt].compactMap { $0 }.filter { $0 > now }.min()
    if let soonest = [next, others].compactMap({ $0 }).min() { arm(for: soonest) }
  }

  // MARK: Stopping

  private func end(
    _ grace: Duration, _ unbound: @escaping @Sendable () -> Void, _ completion: @escaping @Sendable () -> Void
  ) {
    self.unbound.append(unbound)
    stopped.append(completion)
    let end = BootInstant.now + grace
    stopsAt = min(stopsAt ?? end, end)
    sockets = nil
    // Remove the file while the socket is still listening, so that a client never finds a file that refuses connections.
    file?.remove()
    file = nil
    acceptsAgain = nil
    for acceptor in acceptors { acceptor.close() }
    acceptors = []
    for connection in connections.values { connection.handle(.stopped) }
    if grace <= .zero {
      for connection in connections.values { connection.abort() }
    } else {
      arm(for: end)
    }
    finishStopping()
  }

  private func finishStopping() {
    guard stopsAt != nil else { return }
    for completion in unbound.takeAll() { completion() }
    guard connections.isEmpty else { return }
    alarm = nil
    ready = nil
    owners = nil
    for completion in stopped.takeAll() { completion() }
  }
}

extension Array {
  /// Removes all elements and returns them.
  fileprivate mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
