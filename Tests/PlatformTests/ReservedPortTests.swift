import TestSupport
import Testing

@Suite struct ReservedPortTests {
  @Test("a reserved port can be listened on repeatedly by sockets that share it, but by no others")
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
