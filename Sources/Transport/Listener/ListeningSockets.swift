internal import Glibc
internal import Platform

/// The one owner of sockets that listen and do not block, until a server takes them over.
package struct ListeningSockets: ~Copyable {
  private var numbers: [Int32]
  /// The TCP port that all of them share; nil for Unix sockets.
  package let port: UInt16?
  /// What could not be listened on, and is done without.
  package let warning: ListenError?

  /// Takes over descriptors that listen already and that nobody else will close; they are checked by whoever calls.
  init(owning numbers: [Int32], port: UInt16?, warning: ListenError? = nil) {
    self.numbers = numbers
    self.port = port
    self.warning = warning
  }

  /// Takes over listening stream sockets from a service manager (sd_listen_fds(3)): Unix sockets, and TCP ones that
  /// are bound to loopback. They are closed in any case, also when one of them is refused.
  package init(adopting numbers: [Int32]) throws(ListenError) {
    let sockets = ListeningSockets(owning: numbers, port: nil)
    var ports: [UInt16] = []
    for number in numbers {
      if let port = try SocketFacts.loopbackPort(ofListening: number) { ports.append(port) }
      do throws(SystemError) {
        let flags = try check("fcntl") { fcntl(number, F_GETFL) }
        try check("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
        try check("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
      } catch { throw .system(error) }
    }
    self.init(owning: sockets.release(), port: ports.first)
  }

  deinit {
    for number in numbers { _ = close(number) }
  }

  /// Gives the descriptors away: from now on the caller closes them.
  consuming func release() -> [Int32] {
    let released = numbers
    numbers = []
    return released
  }
}
