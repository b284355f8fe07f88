internal import Commands
internal import HTTPServer
internal import Platform

/// The sockets that the service manager passed to this process, by their names in the units (`FileDescriptorName=`).
struct ActivationSockets: Sendable {
  /// The listening control socket.
  var control: AdoptedSockets?
  /// The listening sockets for browser redirects.
  var callback: AdoptedSockets?

  /// The netlink socket that reports which user opened a connection.
  var diagnosis: SocketDiagnosis?

  static let none = ActivationSockets()

  /// Receives the sockets. Call this once, before the process opens any other descriptor.
  /// - Throws: 78 if a socket is of the wrong kind.
  static func receive(_ variables: [String: String], log: Log) throws(CommandError) -> ActivationSockets {
    var handed = ActivationSockets()
    do {
      var descriptors = try ListenDescriptors.receive(environment: variables)
      handed.control = try sockets(descriptors.take("control"))
      handed.callback = try sockets(descriptors.take("callback"))
      let peers = descriptors.take("peers")
      for number in peers {
        guard let diagnosis = SocketDiagnosis(owning: number) else {
          throw CommandError(
            .configuration, "the socket named 'peers' must be a netlink socket (ListenNetlink=inet-diag)")
        }
        handed.diagnosis = diagnosis
      }
      for name in descriptors.names {
        log(.warning, "ignoring the unknown socket '\(name)' from the service manager")
      }
    } catch let error as CommandError {
      throw error
    } catch { throw CommandError(.configuration, "the service manager's sockets cannot be used: \(error)") }
    if let control = handed.control, !control.hasUnix || control.port != nil {
      throw CommandError(.configuration, "the socket named 'control' must be a Unix socket (ListenStream=PATH)")
    }
    if let callback = handed.callback, callback.hasUnix {
      throw CommandError(.configuration, "the sockets named 'callback' must be TCP sockets on loopback")
    }
    return handed
  }

  /// Closes pending connections, for a service that exits without serving requests.
  func refusePendingConnections() {
    control?.refusePendingConnections()
    callback?.refusePendingConnections()
  }

  private static func sockets(_ numbers: [Int32]) throws(ListenError) -> AdoptedSockets? {
    numbers.isEmpty ? nil : try AdoptedSockets(owning: numbers)
  }

  /// Returns the control socket, if the service manager passed one.
  func controlSocket() throws(CommandError) -> ControlSocket? {
    do throws(ListenError) {
      guard let control, let path = control.unixPath, let sockets = try control.unix() else { return nil }
      return ControlSocket(sockets: sockets, path: path, temporaryFolder: nil)
    } catch { throw CommandError(.configuration, "the service manager's control socket cannot be used: \(error)") }
  }
}
