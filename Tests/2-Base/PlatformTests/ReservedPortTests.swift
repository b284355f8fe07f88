import TestSupport
import Testing

@Suite struct ReservedPortTests {
  @Test("sockets that share a reserved port can listen on it repeatedly, and other sockets cannot")
  func reserved() throws {
    let reserved = try ReservedPort()
    for _ in 0..<2 {
      let server = try BoundSocket(port: reserved.port, shared: true)
      try server.listen()
      _ = try TestClient(port: reserved.port)
    }
    #expect(throws: BoundSocket.Failure.self) { try BoundSocket(port: reserved.port) }
    #expect(throws: TestClient.Failure.self) { try TestClient(port: reserved.port) }
  }
}
