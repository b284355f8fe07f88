internal import CivilTime
internal import Dispatch
internal import HTTP
internal import HTTPServer
internal import Platform
internal import Settings

/// The callback ports that are open, each shared by all logins whose settings name it.
///
/// Settings may change while a login waits, so there may be more than one. A port that was handed over is served for good, and answers
/// strays as any other does.
// Sendable because everything that changes in it is touched on the desk's queue only.
final class CallbackPorts: @unchecked Sendable {
  /// Told of a request at a port, on the desk's queue.
  typealias Serve = @Sendable (_ request: Request, _ port: UInt16, _ exchange: Exchange) -> Void

  private let queue: DispatchQueue
  private let clock: WallClock
  private let serve: Serve
  private let found: @Sendable (TCPPeerFinding) -> Void
  /// Where the kernel is asked whose a connection is, if that was handed over.
  var diagnosis: SocketDiagnosis?
  private var open: [CallbackPort] = []
  /// Those whose listening sockets are about to be closed.
  private var closing: [UInt16: DispatchGroup] = [:]

  /// - Parameter found: told, on the desk's queue, of connections that are not the user's.
  init(
    on queue: DispatchQueue, clock: WallClock, found: @escaping @Sendable (TCPPeerFinding) -> Void,
    serve: @escaping Serve
  ) {
    self.found = found
    self.queue = queue
    self.clock = clock
    self.serve = serve
  }

  /// Serves sockets that a service manager handed over.
  func adopt(_ sockets: AdoptedSockets) throws(Failure) {
    do throws(ListenError) {
      guard let sockets = try sockets.loopback(), let number = sockets.port else { return }
      open.append(try listen(at: sockets, number, wanted: nil))
    } catch { throw Self.failure(error) }
  }

  /// What to wait for until a port can be had again; nil where nothing is in the way.
  func closing(_ port: UInt16) -> DispatchGroup? { closing[port] }

  /// The port for these settings: one that is open, or a new one.
  /// - Throws: `Failure` that names who holds the port.
  func port(for settings: CallbackSettings) throws(Failure) -> (CallbackPort, isNew: Bool) {
    do throws(ListenError) {
      if let port = open.first(where: { $0.serves(settings.port) }) {
        // It was opened for an address with which a stranger at the other stack does not matter.
        if let stranger = port.warning, settings.host == .localhost { throw stranger }
        return (port, isNew: false)
      }
      let sockets = try ListeningSockets.loopback(
        port: settings.port, host: settings.host == .localhost ? .localhost : .literal)
      let (number, warning) = (sockets.port!, sockets.warning)
      let port = try listen(at: sockets, number, wanted: settings.port, warning)
      open.append(port)
      return (port, isNew: true)
    } catch { throw Self.failure(error) }
  }

  /// Closes a port that was opened here; answers still on their way get a moment.
  /// - Parameter closed: called once, on the desk's queue: when the last connection is closed, or at once for a port that stays.
  func close(_ port: CallbackPort, closed: (@Sendable () -> Void)?) {
    guard !port.isAdopted else {
      closed?()
      return
    }
    open.removeAll { $0 === port }
    let group = DispatchGroup()
    group.enter()
    closing[port.number] = group
    port.server.stop(
      grace: .seconds(1), completion: { closed?() },
      unbound: {
        self.closing[port.number] = nil
        group.leave()
      })
  }

  private func listen(
    at sockets: consuming ListeningSockets, _ number: UInt16, wanted: UInt16?, _ warning: ListenError? = nil
  ) throws(ListenError) -> CallbackPort {
    let clock = clock
    let server = Server(
      sockets, on: queue,
      configuration: ServerConfiguration(
        limits: .callback, peers: .sameUserOverTCP, diagnosis: diagnosis, found: found,
        forbidden: { CallbackRules.otherUser },
        date: { FieldValue(clock.now.imfFixdate) })
    ) { [serve] request, exchange in serve(request, number, exchange) }
    do throws(SystemError) { try server.start() } catch { throw .system(error) }
    return CallbackPort(number: number, wanted: wanted, warning: warning, server: server)
  }

  private static func failure(_ error: ListenError) -> Failure {
    guard case .portInUse(let address, let port) = error else {
      return Failure(.cannotCreate, "the callback listener cannot be opened: \(error)")
    }
    let known = PortHolder.of(port: port)
    if let known, known.command == "systemd" {
      return Failure(
        .cannotCreate,
        "the callback port \(address.text):\(port) is held by \(known) for the service, which does not run. "
          + "Start it: systemctl --user start homeline")
    }
    let holder = known.map { "\($0)" } ?? "another program"
    return Failure(
      .cannotCreate,
      "the callback port \(address.text):\(port) is taken by \(holder). End it, or choose another port with "
        + "callback.port in the configuration (and register the new callback address with the provider)")
  }
}

/// A port where browsers come back to: its server, and what is known of how it was opened.
// Sendable because everything that changes in it is touched on its desk's queue only.
final class CallbackPort: @unchecked Sendable {
  let number: UInt16
  /// What the configuration asked for: 0 for a free one; nil for a port that was handed over, which stays open for good.
  let wanted: UInt16?
  /// Who else is at the port, at the address that is done without.
  let warning: ListenError?
  let server: Server

  init(number: UInt16, wanted: UInt16?, warning: ListenError?, server: Server) {
    self.number = number
    self.wanted = wanted
    self.warning = warning
    self.server = server
  }

  var isAdopted: Bool { wanted == nil }

  /// Whether a login that is configured for this port, or for any free one, can use it.
  func serves(_ port: UInt16) -> Bool { port == number || port == (wanted ?? 0) }
}
