import Dispatch
import Glibc
import HTTP
import HTTPServer
import Platform
import TestSupport
import Testing

@Suite("Listening sockets inherited from a service manager")
struct ListenerAdoptedTests {
  private func server(_ sockets: consuming ListeningSockets, saying word: String) throws -> Server {
    let server = Server(
      sockets, on: DispatchQueue(label: "adopted"), configuration: .init(limits: .callback)
    ) { _, exchange in exchange.respond(Response(status: .ok, text: word)) }
    try server.start()
    return server
  }

  private func stop(_ server: Server) {
    let done = DispatchSemaphore(value: 0)
    server.stop { done.signal() }
    #expect(done.wait(timeout: .now() + 30) == .success)
  }

  /// Returns a listening socket such as a service manager passes. The object that adopts the socket closes it.
  private func inheritedSocket(at port: UInt16 = 0) throws -> (number: Int32, port: UInt16) {
    let socket = try BoundSocket(port: port, shared: port != 0)
    return (try socket.handOver(), socket.port)
  }

  @Test(
    "an adopted socket stays open when its server stops, and the next server answers the connections that arrived meanwhile"
  )
  func outlives() throws {
    let (handed, port) = try inheritedSocket()
    let adopted = try AdoptedSockets(owning: [handed])
    #expect(adopted.port == port && !adopted.hasUnix)
    let first = try server(try adopted.loopback()!, saying: "first")
    #expect(try TestClient.get("/", port: port).text == "first\n")
    stop(first)
    let between = try TestClient(port: port)
    try between.request("/")
    let second = try server(try adopted.loopback()!, saying: "second")
    #expect(try between.readResponse().text == "second\n")
    stop(second)
  }

  @Test("adopted Unix and TCP sockets are distinguished, and a Unix socket's file remains when its server stops")
  func kinds() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/socket"
    let (tcp, port) = try inheritedSocket()
    let adopted = try AdoptedSockets(owning: [tcp, try UnixSocket.listening(at: path)])
    #expect(adopted.port == port && adopted.hasUnix)
    for word in ["first", "second"] {
      let socket = try adopted.unix()!
      #expect(socket.port == nil)
      let server = try server(socket, saying: word)
      let client = try TestClient(unix: path)
      try client.request("/")
      #expect(try client.readResponse().text == "\(word)\n")
      stop(server)
      #expect(File.exists(path))
    }
    let onlyTCP = try AdoptedSockets(owning: [try inheritedSocket().number])
    #expect(!onlyTCP.hasUnix)
    if (try onlyTCP.unix()) != nil { Issue.record("unexpected Unix socket") }
  }

  @Test(
    "inherited sockets that are not bound to loopback, are not listening or have different ports are refused and closed"
  )
  func refused() throws {
    let everywhere = try BoundSocket(.everywhere).handOver()
    #expect(throws: ListenError.notLoopback(descriptor: everywhere)) { _ = try AdoptedSockets(owning: [everywhere]) }
    let file = dup(0)
    #expect(throws: ListenError.notListening(descriptor: file)) { _ = try AdoptedSockets(owning: [file]) }
    let udp = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #expect(throws: ListenError.notListening(descriptor: udp)) { _ = try AdoptedSockets(owning: [udp]) }
    let ports = (try ReservedPort(), try ReservedPort())
    let (one, other) = (try inheritedSocket(at: ports.0.port).number, try inheritedSocket(at: ports.1.port).number)
    #expect(throws: ListenError.differentPorts(ports.0.port, ports.1.port)) {
      _ = try AdoptedSockets(owning: [one, other])
    }
    for port in [ports.0, ports.1] { #expect(throws: TestClient.Failure.self) { try TestClient(port: port.port) } }
  }
}
