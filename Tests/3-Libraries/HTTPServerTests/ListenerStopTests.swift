import Dispatch
import Glibc
import HTTP
import HTTPServer
import HTTPTestServer
import TestSupport
import Testing

@Suite("Stopping the server")
struct ListenerStopTests {
  @Test("a stopping server finishes the response in progress and closes all other connections immediately")
  func graceful() throws {
    let server = try TestServer()
    let busy = try TestClient(port: server.port)
    try busy.request("/keep")
    let exchange = server.nextKept()
    let silent = try TestClient(port: server.port)
    try silent.request("/hello")
    #expect(try silent.readResponse().status == 200)

    let stopped = DispatchSemaphore(value: 0)
    server.server.stop(grace: .seconds(30)) { stopped.signal() }
    #expect(try silent.receiveToEnd() == [])
    exchange.respond(Response(status: .ok, text: "in flight"))
    let all = String(decoding: try busy.receiveToEnd(), as: UTF8.self)
    #expect(all.contains("\r\nConnection: close\r\n") && all.hasSuffix("in flight\n"))
    busy.close()
    #expect(stopped.wait(timeout: .now() + 20) == .success)
    #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
  }

  @Test("a stopping server frees its address before the last response is sent, and reports completion afterwards")
  func unboundFirst() throws {
    let server = try TestServer()
    let busy = try TestClient(port: server.port)
    try busy.request("/keep")
    let exchange = server.nextKept()
    let (unbound, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    server.server.stop(grace: .seconds(30), completion: { stopped.signal() }, unbound: { unbound.signal() })
    #expect(unbound.wait(timeout: .now() + 30) == .success)
    #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
    // All work queued before has now run.
    server.queue.sync {}
    #expect(stopped.wait(timeout: .now()) == .timedOut)
    exchange.respond(Response(status: .ok))
    _ = try busy.receiveToEnd()
    busy.close()
    #expect(stopped.wait(timeout: .now() + 30) == .success)
  }

  @Test("a stopping server closes the remaining connections after the grace period")
  func graceEnds() throws {
    let server = try TestServer()
    let busy = try TestClient(port: server.port)
    try busy.request("/keep")
    let exchange = server.nextKept()
    server.stop(grace: .milliseconds(50))
    #expect(try busy.receiveToEnd() == [])
    exchange.respond(Response(status: .ok))
  }

  @Test("the port can be bound again as soon as the server has closed its connections")
  func again() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/close")
    _ = try client.receiveToEnd()
    client.close()
    server.stop()
    let sockets = try ListeningSockets.loopback(port: server.port, host: .localhost)
    let port = sockets.port
    #expect(port == server.port)
  }

  @Test("every call to `stop` completes, and a server that was never started can be stopped")
  func twice() throws {
    let server = try TestServer()
    server.stop()
    server.stop()
    let (queue, reserved) = (DispatchQueue(label: "never started"), try ReservedPort())
    let idle = Server(
      try ListeningSockets.loopback(port: reserved.port, host: .literal), on: queue,
      configuration: .init(limits: .callback)
    ) { _, _ in }
    let done = DispatchSemaphore(value: 0)
    idle.stop { done.signal() }
    #expect(done.wait(timeout: .now() + 30) == .success)
    #expect(throws: TestClient.Failure.self) { try TestClient(port: reserved.port) }
  }

  @Test(
    "the port is free after the server has stopped, even if a starting child process has copies of the sockets")
  func copies() throws {
    let server = try TestServer()
    // This number is higher than any descriptor number that tests of hundreds of accounts use in the same process.
    let copies = (0..<65_536).filter { isListening($0, at: server.port) }.map { dup($0) }
    #expect(!copies.isEmpty)
    defer { for copy in copies { close(copy) } }
    server.stop()
    #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
    let sockets = try ListeningSockets.loopback(port: server.port, host: .localhost)
    let port = sockets.port
    #expect(port == server.port)
  }

  private func isListening(_ number: Int32, at port: UInt16) -> Bool {
    var (listens, size) = (Int32(0), socklen_t(4))
    guard getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else { return false }
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let found = withUnsafeMutablePointer(to: &address) {
      getsockname(number, UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self), &length)
    }
    // The port is at the same offset in sockaddr_in.
    return found == 0 && [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) && address.sin6_port.bigEndian == port
  }
}
