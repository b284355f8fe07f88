internal import CLinux
internal import Glibc
internal import Platform

/// Listening sockets that a service manager made and keeps (sd_listen_fds(3)), such as those of one `FileDescriptorName=`.
///
/// Servers get duplicates, so that the sockets outlive each of them and a later one accepts what came in between. They are
/// closed with this value; the service manager has its own, and a Unix socket's file is its business too.
package final class AdoptedSockets: Sendable {
  private let unixNumbers: [Int32]
  private let loopbackNumbers: [Int32]
  /// The port of the TCP sockets; nil if there are none.
  package let port: UInt16?
  package var hasUnix: Bool { !unixNumbers.isEmpty }

  /// Takes over stream sockets that listen: Unix sockets, and TCP ones that are bound to loopback and share a port. They are
  /// closed in any case, also when one of them is refused.
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

  /// Keeps sockets that were opened here, to be served by this process or by a child of it.
  package convenience init(keeping sockets: consuming ListeningSockets) throws(ListenError) {
    try self.init(owning: sockets.release().numbers)
  }

  /// The descriptors of the TCP sockets, for a child; they stay this value's own.
  package var loopbackDescriptors: [Int32] { loopbackNumbers }

  deinit { for number in unixNumbers + loopbackNumbers { _ = close(number) } }

  /// Where the first of the Unix sockets lies; nil if there is none, or it has no file.
  package var unixPath: String? { unixNumbers.first.flatMap { SocketInformation.path(of: $0) } }

  /// The Unix sockets, for a server; nil if there are none.
  package func unix() throws(ListenError) -> ListeningSockets? {
    if unixNumbers.isEmpty { return nil }
    return ListeningSockets(owning: try Self.duplicates(of: unixNumbers), port: nil, isShared: true)
  }

  /// The TCP sockets, for a server; nil if there are none.
  package func loopback() throws(ListenError) -> ListeningSockets? {
    if loopbackNumbers.isEmpty { return nil }
    return ListeningSockets(owning: try Self.duplicates(of: loopbackNumbers), port: port, isShared: true)
  }

  /// Closes the connections that wait, for a process that ends without having served. Otherwise the service manager would start it
  /// for them again and again, until it gives the sockets up (`StartLimitBurst=`).
  package func turnAway() {
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
