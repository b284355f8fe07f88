internal import Glibc

/// The open sockets that a service manager passed to this process (sd_listen_fds(3)). This value owns the sockets until they are taken, and
/// closes the rest.
package struct ListenDescriptors: ~Copyable {
  private var left: [(name: String, number: Int32)]

  private init(_ descriptors: [(name: String, number: Int32)]) { left = descriptors }

  deinit {
    for descriptor in left { _ = Glibc.close(descriptor.number) }
  }

  /// The names of the remaining descriptors, in their original order.
  package var names: [String] { left.map(\.name) }

  /// Transfers all descriptors with a name (`FileDescriptorName=`) to the caller, who must close them.
  package mutating func take(_ name: String) -> [Int32] {
    let taken = left.filter { $0.name == name }.map(\.number)
    left.removeAll { $0.name == name }
    return taken
  }

  /// The number of the first passed descriptor (`SD_LISTEN_FDS_START`).
  static let firstNumber: Int32 = 3

  /// Takes ownership of the passed descriptors and makes them close-on-exec. Call this once per process.
  ///
  /// A descriptor without a name is called `unknown`, as in sd_listen_fds_with_names(3).
  /// - Parameter first: the number of the first descriptor.
  /// - Returns: no descriptors if the variables are missing or meant for another process.
  /// - Throws: EINVAL for an invalid variable; EBADF for a descriptor that is not open.
  package static func receive(
    environment: [String: String], processID: Int32 = ProcessEnvironment.processID, first: Int32 = firstNumber
  ) throws(SystemError) -> ListenDescriptors {
    guard let process = environment[ServiceVariables.listenProcess],
      let count = environment[ServiceVariables.listenCount]
    else { return ListenDescriptors([]) }
    guard let meant: Int32 = ServiceVariables.number(process) else { throw invalid(ServiceVariables.listenProcess) }
    guard meant == processID else { return ListenDescriptors([]) }
    guard let count: Int32 = ServiceVariables.number(count), count <= Int32.max - first else {
      throw invalid(ServiceVariables.listenCount)
    }
    var received: [(name: String, number: Int32)] = []
    for number in first..<first + count {
      // This is done before the names are checked, so that no child inherits a descriptor even if a name is invalid.
      try check("fcntl", "descriptor \(number) of the service manager") { fcntl(number, F_SETFD, FD_CLOEXEC) }
      received.append(("unknown", number))
    }
    if let names = environment[ServiceVariables.listenNames] {
      let names = names.split(separator: ":", omittingEmptySubsequences: false)
      guard names.count == received.count || received.isEmpty else { throw invalid(ServiceVariables.listenNames) }
      received = zip(names, received).map { (String($0), $1.number) }
    }
    return ListenDescriptors(received)
  }

  private static func invalid(_ variable: String) -> SystemError {
    SystemError(call: "sd_listen_fds", code: EINVAL, subject: variable)
  }
}
