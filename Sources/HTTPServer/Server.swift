package import Dispatch
package import HTTP
package import Platform

/// Serves HTTP/1.1 on listening sockets of any family, all on one serial queue.
///
/// Silent and slow connections cost a descriptor and no thread, and never stand before a request; one timer serves all
/// deadlines. A started server lives until it is stopped.
// Sendable because everything that changes in it is touched on `queue` only.
package final class Server: @unchecked Sendable {
  /// Is called on the server's queue with each request; the answer goes to the exchange, then or later.
  package typealias Handler = @Sendable (Request, Exchange) -> Void

  /// How long accepting pauses when there is no descriptor left, unless one of ours is closed before.
  private static let exhaustionPause = Duration.milliseconds(100)

  /// The TCP port; nil on Unix sockets.
  package let port: UInt16?
  private let queue: DispatchQueue
  private let configuration: ServerConfiguration
  private let handler: Handler
  /// Until the start.
  private var sockets: ListeningSockets?
  /// Whom the kernel knows at the other ends, where the rule asks for it.
  private var owners: PeerOwners?
  /// The file of the Unix socket, where it is ours.
  private var file: SocketFile?
  private var alarm: Alarm?
  private var ready: ReadySockets?
  private let input = QueueConfined(InputBuffer())
  /// The moment that the alarm is set to.
  private var armed: BootInstant?
  /// Named by the numbers from -1 downwards.
  private var acceptors: [Acceptor] = []
  private var acceptsAgain: BootInstant?
  private var table: ConnectionTable
  private var connections: [Int: Connection] = [:]
  private var lastID = 0
  private var stopsAt: BootInstant?
  private var unbound: [@Sendable () -> Void] = []
  private var stopped: [@Sendable () -> Void] = []

  /// - Parameter queue: a serial queue; the handler and all callbacks run on it.
  package init(
    _ sockets: consuming ListeningSockets, on queue: DispatchQueue, configuration: ServerConfiguration,
    handler: @escaping Handler
  ) {
    port = sockets.port
    self.sockets = consume sockets
    self.queue = queue
    self.configuration = configuration
    self.handler = handler
    table = ConnectionTable(capacity: configuration.maximumConnections)
  }

  /// Begins to accept. To be called once, from any thread.
  /// - Throws: `SystemError` when the kernel has no descriptor left for the timer or for watching.
  package func start() throws(SystemError) {
    let alarm = try Alarm(on: queue) { [weak self] in self?.ring() }
    let ready = try ReadySockets(on: queue) { [weak self] name, ready in self?.wake(name, for: ready) }
    queue.async { self.accept(with: alarm, ready) }
  }

  /// Closes the listening sockets and every connection without a request at once, and the others when their answers are
  /// out, or after `grace`: so long streams may go on. May be called from any thread, and again to shorten the grace.
  /// - Parameters:
  ///   - completion: runs on the queue once every socket is closed.
  ///   - unbound: runs on the queue before that, once the listening sockets are closed, so that the address is free.
  package func stop(
    grace: Duration = .zero, completion: @escaping @Sendable () -> Void = {},
    unbound: @escaping @Sendable () -> Void = {}
  ) {
    queue.async { self.end(grace, unbound, completion) }
  }

  private func accept(with alarm: Alarm, _ ready: ReadySockets) {
    guard let (numbers, file, isShared) = sockets.take()?.release() else { return }
    self.alarm = alarm
    self.ready = ready
    self.file = file
    if case .userOverTCP = configuration.peers {
      let owners = PeerOwners(listeners: numbers, handed: configuration.diagnosis)
      if owners.way == nil { configuration.found(.cannotBeAsked) }
      self.owners = owners
    }
    let reports = Acceptor.Reports(accepted: { self.admit($0) }, exhausted: { self.pauseAccepting() })
    acceptors = numbers.enumerated().map { place, number in
      Acceptor(owning: number, as: -1 - place, isShared: isShared, among: ready, reports)
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
    // Before anything is read: a peer that sends and closes would be nobody's by then.
    switch configuration.peers.judge(descriptor.number, by: owners) {
    case .taken: break
    case .closed(let peer): return configuration.refused(peer)
    case .ownerless: return configuration.found(.noOwner)
    case .forbidden(let user):
      configuration.found(.otherUser(user))
      reports = forbidding
    }
    if table.isFull {
      guard let id = table.mostDispensable else { return }  // All are busy: the newcomer goes.
      dismiss(id)
    }
    lastID += 1
    let connection = Connection(
      id: lastID, owning: descriptor,
      state: ConnectionState(limits: configuration.limits, deadlines: configuration.deadlines, at: .now), on: queue,
      among: ready, input: input.value, reports)
    connections[lastID] = connection
    connection.start()
  }

  private var reports: Connection.Reports {
    Connection.Reports(
      handle: handler, changed: { self.note($0) }, closed: { self.forget($0) }, date: configuration.date)
  }

  /// For connections of users whose requests are refused, whatever they are.
  private var forbidding: Connection.Reports {
    Connection.Reports(
      handle: { [configuration] _, exchange in exchange.respond(configuration.forbidden(), closing: true) },
      changed: { self.note($0) }, closed: { self.forget($0) }, date: configuration.date)
  }

  private func note(_ connection: Connection) {
    if connection.state.isClosed {
      table.remove(connection.id)
    } else {
      table.note(connection.state.standing, of: connection.id)
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

  /// There is no descriptor left: makes room if it can, and lets new connections wait in the kernel until one of
  /// ours is closed, or for a moment where the descriptors are somebody else's.
  private func pauseAccepting() {
    for acceptor in acceptors { acceptor.isOn = false }
    let again = BootInstant.now + Self.exhaustionPause
    acceptsAgain = again
    arm(for: again)
    if let id = table.mostDispensable { dismiss(id) }
  }

  private func resumeAccepting() {
    acceptsAgain = nil
    for acceptor in acceptors { acceptor.isOn = true }
  }

  // MARK: Deadlines

  /// Sets the alarm if it would ring later than wanted. It is never put off: under load it rings once in a while for a
  /// deadline that has moved on, which is cheaper than setting it with each request; without connections it rings
  /// once more at most.
  private func arm(for instant: BootInstant) {
    if let armed, armed <= instant { return }
    armed = instant
    alarm?.set(instant)
  }

  private func ring() {
    armed = nil
    let now = BootInstant.now
    func isDue(_ instant: BootInstant?) -> Bool { instant.map { $0 <= now } ?? false }
    for connection in connections.values where isDue(connection.state.due) { connection.handle(.rang) }
    if isDue(acceptsAgain) { resumeAccepting() }
    if isDue(stopsAt) { for connection in connections.values { connection.abort() } }
    let next = connections.values.compactMap(\.state.due).min()
    let others = [acceptsAgain, stopsAt].compactMap { $0 }.filter { $0 > now }.min()
    if let soonest = [next, others].compactMap({ $0 }).min() { arm(for: soonest) }
  }

  // MARK: The end

  private func end(
    _ grace: Duration, _ unbound: @escaping @Sendable () -> Void, _ completion: @escaping @Sendable () -> Void
  ) {
    self.unbound.append(unbound)
    stopped.append(completion)
    let end = BootInstant.now + grace
    stopsAt = min(stopsAt ?? end, end)
    sockets = nil
    // While the socket still listens: a client finds no file, rather than one that refuses it.
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
  /// Empties the array, and answers what was in it.
  fileprivate mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
