import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct PortHolderTests {
  @Test("the process listening on a port is found")
  func named() throws {
    let socket = try BoundSocket()
    #expect(PortHolder.of(port: socket.port) == nil, "a bound socket is not listening yet")
    try socket.listen()
    #expect(PortHolder.of(port: socket.port)?.processID == getpid())
  }
}
