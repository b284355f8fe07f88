internal import Commands
internal import HTTPServer
internal import Platform

/// The listening sockets that a service manager has handed to this process, by the names in the units (`FileDescriptorName=`).
struct ActivationSockets: Sendable {
  /// Where other processes command the service.
  var control: AdoptedSockets?
  /// Where browsers come back to.
  var callback: AdoptedSockets?

  /// Where the kernel is asked whose connections are.
  var diagnosis: SocketDiagnosis?

  static let none = ActivationSockets()

  /// Takes them over. To be called once, before this process opens anything else.
  /// - Throws: 78 for sockets that cannot be what they are called.
  static func receive(_ variables: [String: String], log: Log) throws(CommandFailure) -> ActivationSockets {
    var handed = ActivationSockets()
    do {
      var descriptors = try ListenDescriptors.receive(environment: variables)
      handed.control = try sockets(descriptors.take("control"))
      handed.callback = try sockets(descriptors.take("callback"))
      let peers = descriptors.take("peers")
      for number in peers {
        guard let diagnosis = SocketDiagnosis(owning: number) else {
          throw CommandFailure(
            .configuration, "the socket named 'peers' has to be one of netlink (ListenNetlink=inet-diag)")
        }
        handed.diagnosis = diagnosis
      }
      for name in descriptors.names {
        log(.warning, "the service manager handed over a socket named '\(name)', which is not used")
      }
    } catch { throw CommandFailure(.configuration, "the service manager's sockets cannot be used: \(error)") }
    if let control = handed.control, !control.hasUnix || control.port != nil {
      throw CommandFailure(.configuration, "the socket named 'control' has to be a Unix socket (ListenStream=PATH)")
    }
    if let callback = handed.callback, callback.hasUnix {
      throw CommandFailure(.configuration, "the sockets named 'callback' have to be TCP ones on loopback")
    }
    return handed
  }

  /// For a service that ends without having served anybody.
  func turnAway() {
    control?.turnAway()
    callback?.turnAway()
  }

  private static func sockets(_ numbers: [Int32]) throws(ListenError) -> AdoptedSockets? {
    numbers.isEmpty ? nil : try AdoptedSockets(owning: numbers)
  }

  /// The control socket, where one was handed over.
  func controlSocket() throws(CommandFailure) -> ControlSocket? {
    do throws(ListenError) {
      guard let control, let path = control.unixPath, let sockets = try control.unix() else { return nil }
      return ControlSocket(sockets: sockets, path: path, temporaryFolder: nil)
    } catch { throw CommandFailure(.configuration, "the service manager's control socket cannot be used: \(error)") }
  }
}
