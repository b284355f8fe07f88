internal import Glibc
internal import Platform

/// Owns non-blocking listening sockets until a server takes them over.
package struct ListeningSockets: ~Copyable {
  private var numbers: [Int32]
  /// The file of a Unix socket that this process bound; nil for inherited sockets.
  private var file: SocketFile?
  /// Whether another process or object keeps descriptors of the same sockets.
  private let isShared: Bool
  /// The TCP port of the sockets; nil for Unix sockets.
  package let port: UInt16?
  /// The error if an optional address could not be bound.
  package let warning: ListenError?

  /// Takes ownership of listening descriptors. The caller must have checked them.
  init(
    owning numbers: [Int32], port: UInt16?, file: SocketFile? = nil, isShared: Bool = false,
    warning: ListenError? = nil
  ) {
    self.isShared = isShared
    self.numbers = numbers
    self.port = port
    self.file = file
    self.warning = warning
  }

  deinit {
    file?.remove()
    for number in numbers { StreamSocket.stopListening(at: number, isShared: isShared) }
  }

  typealias Released = (numbers: [Int32], file: SocketFile?, isShared: Bool)

  /// The descriptors, which this value still owns.
  var descriptors: [Int32] { numbers }

  /// Transfers the descriptors and the file to the caller, who must remove the file before closing the descriptors.
  consuming func release() -> Released {
    let released = (numbers, file, isShared)
    numbers = []
    file = nil
    return released
  }
}

extension ListeningSockets {
  /// The host in the callback URL. It determines whether another program that uses the port on ::1 is an error.
  package enum Host: Sendable {
    /// `127.0.0.1`: a program on [::1] does not receive callbacks, so it causes only a warning.
    case literal
    /// `localhost`: browsers may try ::1 first, so a program listening there would receive callbacks.
    case localhost
  }

  /// Listens on 127.0.0.1 and ::1 with the same port, or only on 127.0.0.1 if the machine has no IPv6.
  /// - Parameter port: the port; 0 chooses one that is free on both addresses.
  /// - Throws: `ListenError.portInUse` with the address that is in use.
  package static func loopback(port: UInt16, host: Host) throws(ListenError) -> ListeningSockets {
    guard port == 0 else { return try atPort(port, host) }
    // The kernel chooses a port that is free on 127.0.0.1 but may be in use on ::1, so this may take several attempts.
    for _ in 0..<16 {
      let sockets = try atPort(0, host, takenFails: false)
      if sockets.warning == nil { return sockets }
    }
    return try atPort(0, host)
  }

  private static func atPort(
    _ requested: UInt16, _ host: Host, takenFails: Bool = true
  ) throws(ListenError) -> ListeningSockets {
    guard let first = try listening(.v4, requested) else {
      throw .system(SystemError(call: "socket", code: EAFNOSUPPORT, subject: LoopbackAddress.v4.text))
    }
    let port: UInt16
    do throws(SystemError) { port = try SocketInformation.port(of: first.number) } catch { throw .system(error) }
    do throws(ListenError) {
      guard let second = try listening(.v6, port) else {
        return ListeningSockets(owning: [first.release()], port: port)
      }
      return ListeningSockets(owning: [first.release(), second.release()], port: port)
    } catch {
      guard case .portInUse = error, host == .literal || !takenFails else { throw error }
      return ListeningSockets(owning: [first.release()], port: port, warning: error)
    }
  }

  /// Returns a listening socket for one address; nil if the machine does not have the address.
  private static func listening(_ address: LoopbackAddress, _ port: UInt16) throws(ListenError) -> Descriptor? {
    do throws(SystemError) {
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let socket = Descriptor(owning: try check("socket", address.text) { Glibc.socket(address.family, type, 0) })
      let number = socket.number
      if address == .v6 { try set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, on: number) }
      // Accepted sockets inherit this option. It sends the end of a long response without waiting for an acknowledgement.
      try set(Int32(IPPROTO_TCP), TCP_NODELAY, on: number)
      if port != 0 { try set(SOL_SOCKET, SO_REUSEADDR, on: number) }
      try unsafe address.withSocketAddress(port: port) { (pointer, length) throws(SystemError) in
        _ = try check("bind", "\(address.text):\(port)") { unsafe bind(number, pointer, length) }
      }
      // SO_REUSEADDR lets a restarted server bind while connections from the previous run are in TIME_WAIT. Those connections must have the
      // option too. For a fixed port, the option is set before bind(2). For a free port, it is set afterwards, so that the kernel does not
      // choose a port that another program has bound but not yet listened on.
      if port == 0 { try set(SOL_SOCKET, SO_REUSEADDR, on: number) }
      try check("listen", "\(address.text):\(port)") { listen(number, SOMAXCONN) }
      return socket
    } catch {
      if error.isAddressInUse { throw .portInUse(address, port: port) }
      if address == .v6, error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL { return nil }
      throw .system(error)
    }
  }

  private static func set(_ level: Int32, _ option: Int32, on number: Int32) throws(SystemError) {
    var yes: Int32 = 1
    try check("setsockopt") { unsafe setsockopt(number, level, option, &yes, socklen_t(MemoryLayout<Int32>.size)) }
  }
}
