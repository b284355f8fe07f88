internal import Dispatch
internal import HTTPServer
internal import Platform

/// The open ports of a `RedirectServer`, each shared by all visits that request it.
///
/// There may be several ports, because the configured port may change while a login is waiting. An adopted port stays open.
// Sendable because all mutable state is accessed only on the server's queue.
final class LoopbackPorts: @unchecked Sendable {
  /// Creates the server of a new port.
  typealias MakeServer = (_ sockets: consuming ListeningSockets, _ port: UInt16) -> Server

  private var open: [LoopbackPort] = []
  /// Ports whose listening sockets are about to be closed.
  private var closing: [UInt16: DispatchGroup] = [:]

  /// Serves sockets that a service manager opened.
  func adopt(_ sockets: AdoptedSockets, _ makeServer: MakeServer) throws(ListenError) {
    guard let sockets = try sockets.loopback(), let number = sockets.port else { return }
    open.append(try listen(at: sockets, number, wanted: nil, makeServer))
  }

  /// Returns the group to wait for before a port can be opened again; nil if no waiting is needed.
  func closing(_ port: UInt16) -> DispatchGroup? { closing[port] }

  /// Returns an open port that can be used for this number, or opens a new port.
  func port(
    _ wanted: UInt16, _ host: ListeningSockets.Host, _ makeServer: MakeServer
  ) throws(ListenError) -> (LoopbackPort, isNew: Bool) {
    if let port = open.first(where: { $0.serves(wanted) }) {
      // The port was opened for a literal address, so a program on the same port of [::1] did not matter at the time.
      if let warning = port.warning, host == .localhost { throw warning }
      return (port, isNew: false)
    }
    let sockets = try ListeningSockets.loopback(port: wanted, host: host)
    let (number, warning) = (sockets.port!, sockets.warning)
    let port = try listen(at: sockets, number, wanted: wanted, warning: warning, makeServer)
    open.append(port)
    return (port, isNew: true)
  }

  /// Closes a port, unless it is adopted. Responses in progress have a second to complete.
  /// - Parameter closed: called once: when the last connection has been closed, or immediately for an adopted port.
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
    at sockets: consuming ListeningSockets, _ number: UInt16, wanted: UInt16?, warning: ListenError? = nil,
    _ makeServer: MakeServer
  ) throws(ListenError) -> LoopbackPort {
    let server = makeServer(sockets, number)
    try server.start()
    return LoopbackPort(number: number, wanted: wanted, warning: warning, server: server)
  }
}
