import Glibc

/// A port on both loopback addresses reserved for a test for as long as this object exists, even if no socket is listening on it. Sockets
/// with SO_REUSEADDR can listen on the port, close and listen again. The kernel never assigns the port to a socket that asks for any free
/// port.
///
/// Tests use this type if they need a port for longer than one socket exists. A port that was free a moment ago is not
/// enough, because concurrent tests and their programs get hundreds of ports a minute.
package final class ReservedPort: Sendable {
  package let port: UInt16
  private let sockets: [BoundSocket]

  package init() throws {
    while true {
      // These ports are below the kernel's range of ephemeral ports.
      let port = UInt16.random(in: 12_000..<22_000)
      guard let sockets = try Self.bound(at: port) else { continue }
      // The sockets become shared only now. Until now, no other socket could have the port, including reservations of
      // other tests.
      for socket in sockets { socket.share() }
      (self.port, self.sockets) = (port, sockets)
      return
    }
  }

  /// - Returns: the bound sockets; nil if the port is in use.
  private static func bound(at port: UInt16) throws -> [BoundSocket]? {
    var sockets: [BoundSocket] = []
    do throws(BoundSocket.Failure) {
      for address in [BoundSocket.Address.loopback, .loopback6] {
        sockets.append(try BoundSocket(address, port: port))
      }
    } catch {
      if error.code == EADDRINUSE { return nil }
      let lacksIPv6 = error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL
      guard lacksIPv6, !sockets.isEmpty else { throw error }
    }
    return sockets
  }
}
