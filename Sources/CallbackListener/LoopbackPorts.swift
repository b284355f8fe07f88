internal import Dispatch
internal import HTTP
internal import HTTPServer
internal import Platform

/// The open ports of a `RedirectServer`, each shared by all visits that request it.
///
/// There may be several ports, because the configured port may change while a login is waiting. An adopted port stays open.
// Sendable because all mutable state is accessed only on the server's queue.
final class LoopbackPorts: @unchecked Sendable {
  /// Receives each request on a port, on the queue.
  typealias Serve = @Sendable (_ request: Request, _ port: UInt16, _ exchange: Exchange) -> Void

  private let queue: DispatchQueue
  private let configuration: ServerConfiguration
  private let serve: Serve
  /// The socket with which to query the kernel for a connection's user, if a service manager passed one.
  var diagnosis: SocketDiagnosis?
  private var open: [LoopbackPort] = []
  /// Ports whose listening sockets are about to be closed.
  private var closing: [UInt16: DispatchGroup] = [:]

  init(on queue: DispatchQueue, configuration: ServerConfiguration, serve: @escaping Serve) {
    self.queue = queue
    self.configuration = configuration
    self.serve = serve
  }

  /// Serves sockets that a service manager opened.
  func adopt(_ sockets: AdoptedSockets) throws(ListenError) {
    guard let sockets = try sockets.loopback(), let number = sockets.port else { return }
    open.append(try listen(at: sockets, number, wanted: nil))
  }

  /// Returns the group to wait for before a port can be opened again; nil if no waiting is needed.
  func closing(_ port: UInt16) -> DispatchGroup? { closing[port] }

  /// Returns an open port that can be used for this number, or opens a new port.
  func port(_ wanted: UInt16, _ host: ListeningSockets.Host) throws(ListenError) -> (LoopbackPort, isNew: Bool) {
    if let port = open.first(where: { $0.serves(wanted) }) {
      // The port was opened for a literal address, so a program on the same port of [::1] did not matter then.
      if let warning = port.warning, host == .localhost { throw warning }
      return (port, isNew: false)
    }
    let sockets = try ListeningSockets.loopback(port: wanted, host: host)
    let (number, warning) = (sockets.port!, sockets.warning)
    let port = try listen(at: sockets, number, wanted: wanted, warning)
    open.append(port)
    return (port, isNew: true)
  }

  /// Closes a port, unless it is adopted. Responses in progress have a second to complete.
  /// - Parameter closed: called once: when the last connection has been closed, or at once for an adopted port.
  func close(_ port: LoopbackPort, closed: (@Sendable () -> Void)?) {
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
  ) throws(ListenError) -> LoopbackPort {
    var configuration = configuration
    configuration.diagnosis = diagnosis
    let server = Server(sockets, on: queue, configuration: configuration) { [serve] request, exchange in
      serve(request, number, exchange)
    }
    do throws(SystemError) { try server.start() } catch { throw .system(error) }
    return LoopbackPort(number: number, wanted: wanted, warning: warning, server: server)
  }
}

/// An open port: its server, and how it was opened.
// Sendable because all mutable state is accessed only on the queue of its server.
final class LoopbackPort: @unchecked Sendable {
  let number: UInt16
  /// The requested port number; 0 if any free port was requested; nil for an adopted port, which stays open.
  let wanted: UInt16?
  /// The reason this program listens only on 127.0.0.1: another program uses the port on [::1]; nil if it listens on both.
  let warning: ListenError?
  let server: Server

  init(number: UInt16, wanted: UInt16?, warning: ListenError?, server: Server) {
    self.number = number
    self.wanted = wanted
    self.warning = warning
    self.server = server
  }

  var isAdopted: Bool { wanted == nil }

  /// Returns whether this port can serve a visit that requests the given port, where 0 means any port.
  func serves(_ port: UInt16) -> Bool { port == number || port == (wanted ?? 0) }
}
