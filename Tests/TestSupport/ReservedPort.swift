import Glibc

/// A port of both loopback addresses that is this test's as long as this lives, whether anything listens there or not: who allows others
/// at it (SO_REUSEADDR), as servers do, can listen there, close it and listen again, and nobody who asks for any port is given it.
///
/// For whatever a test needs one port for longer than one socket lives. A port that was free a moment ago is not enough: tests beside it
/// and programs of theirs are given hundreds of ports a minute.
package final class ReservedPort: Sendable {
  package let port: UInt16
  private let sockets: [BoundSocket]

  package init() throws {
    while true {
      // Below the kernel's ephemeral ports.
      let port = UInt16.random(in: 12_000..<22_000)
      guard let sockets = try Self.bound(at: port) else { continue }
      // Only now: until here nobody else may have it, another test's reservation among them.
      for socket in sockets { socket.share() }
      (self.port, self.sockets) = (port, sockets)
      return
    }
  }

  /// - Returns: nil if somebody has the port.
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
