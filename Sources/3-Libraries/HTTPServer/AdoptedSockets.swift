internal import CLinux
internal import Glibc
internal import Platform

/// Listening sockets that a service manager created and passed on (sd_listen_fds(3)), for example those with the same
/// `FileDescriptorName=`.
///
/// Servers receive duplicates, so the sockets outlive each server. The next server accepts the connections that arrived in between. The
/// descriptors are closed with this object. The service manager keeps its own descriptors and also owns the file of a Unix socket.
package final class AdoptedSockets: Sendable {
  private let unixNumbers: [Int32]
  private let loopbackNumbers: [Int32]
  /// The port of the TCP sockets; nil if there are none.
  package let port: UInt16?
  package var hasUnix: Bool { !unixNumbers.isEmpty }

  /// Takes ownership of listening stream sockets: Unix sockets, and TCP sockets that are bound to the same port on loopback. If any socket
  /// is refused, all sockets are closed.
  package init(owning numbers: [Int32]) throws(ListenError) {
    let owned = ListeningSockets(owning: numbers, port: nil, isShared: true)
    var kinds: (unix: [Int32], loopback: [Int32]) = ([], [])
    var shared: UInt16?
    for number in numbers {
      if let port = try SocketInformation.loopbackPort(ofListening: number) {
        if let shared, shared != port { throw .differentPorts(shared, port) }
        shared = port
        kinds.loopback.append(number)
      } else {
        kinds.unix.append(number)
      }
      do throws(SystemError) {
        let flags = try check("fcntl") { fcntl(number, F_GETFL) }
        try check("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
        try check("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
      } catch { throw .system(error) }
    }
    (unixNumbers, loopbackNumbers) = kinds
    port = shared
    _ = owned.release()
  }

  /// Takes ownership of sockets that this process opened, to serve them itself or to pass them to a child.
  package convenience init(keeping sockets: consuming ListeningSockets) throws(ListenError) {
    try self.init(owning: sockets.release().numbers)
  }

  /// The descriptors of the TCP sockets, for passing to a child process. This object still owns them.
  package var loopbackDescriptors: [Int32] { loopbackNumbers }

  deinit { for number in unixNumbers + loopbackNumbers { _ = close(number) } }

  /// The path of the first Unix socket; nil if there is none or it has no file.
  package var unixPath: String? { unixNumbers.first.flatMap { SocketInformation.path(of: $0) } }

  /// Returns duplicates of the Unix sockets, for a server; nil if there are none.
  package func unix() throws(ListenError) -> ListeningSockets? {
    if unixNumbers.isEmpty { return nil }
    return ListeningSockets(owning: try Self.duplicates(of: unixNumbers), port: nil, isShared: true)
  }

  /// Returns duplicates of the TCP sockets, for a server; nil if there are none.
  package func loopback() throws(ListenError) -> ListeningSockets? {
    if loopbackNumbers.isEmpty { return nil }
    return ListeningSockets(owning: try Self.duplicates(of: loopbackNumbers), port: port, isShared: true)
  }

  /// Closes all waiting connections. Call this in a process that exits without serving the sockets. Otherwise the service manager would
  /// restart the process for the same connections, until it gives up on the sockets (`StartLimitBurst=`).
  package func refusePendingConnections() {
    for number in unixNumbers + loopbackNumbers {
      while case let connection = clinux_accept(number), connection >= 0 { _ = close(connection) }
    }
  }

  private static func duplicates(of numbers: [Int32]) throws(ListenError) -> [Int32] {
    var duplicates: [Int32] = []
    do throws(SystemError) {
      for number in numbers { duplicates.append(try check("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 0) }) }
    } catch {
      for duplicate in duplicates { _ = close(duplicate) }
      throw .system(error)
    }
    return duplicates
  }
}
