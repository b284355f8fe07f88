import Dispatch
import Glibc
import HTTP
import HTTPServer
import HTTPTestServer
import Platform
import TestSupport
import Testing

@Suite("The server under load")
struct ListenerPressureTests {
  @Test("requests are answered while 500 idle connections and 100 partial requests are open")
  func crowd() async {
    await #expect(processExitsWith: .success) {
      try raiseDescriptorLimit(above: 1200)
      let server = try TestServer(deadlines: .init(request: .seconds(60)), maximumConnections: 1000)
      let silent = try (0..<500).map { _ in try TestClient(port: server.port) }
      let halfSent = try (0..<100).map { _ in
        let client = try TestClient(port: server.port)
        try client.send("GET /hello HTTP/1.1\r\nHo")
        return client
      }
      for _ in 0..<20 { #expect(try TestClient.get("/hello", port: server.port).status == 200) }
      try halfSent[0].send("st: a\r\n\r\n")
      #expect(try halfSent[0].readResponse().text == "hello\n")
      try silent[0].request("/hello")
      #expect(try silent[0].readResponse().text == "hello\n")
    }
  }

  @Test(
    "at the connection limit, the connection that has been idle longest is closed first, then the oldest partial request"
  )
  func cap() throws {
    let server = try TestServer(deadlines: .init(request: .seconds(60)), maximumConnections: 4)
    let halfSent = try server.client(sending: "GET /hello HT")
    let first = try server.client(sending: "")
    let second = try server.client(sending: "")
    let busy = try TestClient(port: server.port)
    try busy.request("/keep")
    let exchange = server.nextKept()

    // The connection table is now full. Each new connection sends one request and then stays idle.
    let newcomer = try server.client(sending: "")
    #expect(try first.receiveToEnd() == [])
    try second.request("/hello")
    #expect(try second.readResponse().status == 200)
    server.queue.sync {}  // This connection has now been idle for a shorter time than the new connection.
    let another = try server.client(sending: "GET /hello HT")
    #expect(try newcomer.receiveToEnd() == [])
    let third = try server.client(sending: "GET /hello HT")
    #expect(try second.receiveToEnd() == [])
    let fourth = try server.client(sending: "GET /hello HT")
    #expect(throws: (any Error).self) { try halfSent.readResponse() }

    exchange.respond(Response(status: .ok, text: "kept"))
    #expect(try busy.readResponse().text == "kept\n")
    for client in [another, third, fourth] {
      try client.send("TP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse().status == 200)
    }
  }

  @Test("a new connection is closed if all other connections are busy")
  func allBusy() throws {
    let server = try TestServer(maximumConnections: 2)
    let busy = try (0..<2).map { _ in try TestClient(port: server.port) }
    for client in busy { try client.request("/keep") }
    let exchanges = [server.nextKept(), server.nextKept()]
    let newcomer = try TestClient(port: server.port)
    #expect(try newcomer.receiveToEnd() == [])
    for exchange in exchanges { exchange.respond(Response(status: .ok)) }
    for client in busy { #expect(try client.readResponse().status == 200) }
  }

  @Test("a burst of 300 connections is answered completely")
  func burst() async {
    await #expect(processExitsWith: .success) {
      try raiseDescriptorLimit(above: 600)
      let server = try TestServer()
      let clients = try (0..<300).map { _ in try TestClient(port: server.port) }
      for client in clients { try client.request("/hello", fields: ["Connection: close"]) }
      for client in clients {
        #expect(String(decoding: try client.receiveToEnd(), as: UTF8.self).hasSuffix("hello\n"))
      }
    }
  }

  @Test("when file descriptors run out, an idle connection is closed so that a waiting connection can be accepted")
  func exhaustedWithSilent() async {
    await #expect(processExitsWith: .success) {
      let server = try TestServer(deadlines: .init(request: .seconds(60)))
      let silent = try server.client(sending: "")
      let late = try TestClient(unconnectedTo: .v4(port: server.port))
      let hoard = try Hoard()
      try late.connect()
      try late.request("/hello")
      #expect(try late.readResponse().status == 200)
      #expect(try silent.receiveToEnd() == [])
      hoard.release()
    }
  }

  @Test(
    "if no descriptor is free and no connection is idle, a waiting connection is answered once a descriptor is free"
  )
  func exhausted() async {
    await #expect(processExitsWith: .success) {
      let server = try TestServer()
      let first = try TestClient(unconnectedTo: .v4(port: server.port))
      let busy = try TestClient(port: server.port)
      try busy.request("/keep")
      let exchange = server.nextKept()
      let hoard = try Hoard()
      try first.connect()
      try first.request("/hello")
      exchange.respond(Response(status: .ok))
      #expect(try busy.readResponse().status == 200)  // The server answers busy connections in the meantime.
      hoard.release()
      #expect(try first.readResponse().status == 200)
    }
  }

  @Test("no descriptor leaks, however servers and connections end")
  func leaks() async {
    await #expect(processExitsWith: .success) {
      func sockets() throws -> Int {
        try Folder.names(in: "/proc/self/fd").count { name in
          (try? ProcessEnvironment.linkTarget("/proc/self/fd/\(name)"))?.hasPrefix("socket:") ?? false
        }
      }
      let before = try sockets()
      for _ in 0..<5 {
        let server = try TestServer(deadlines: .init(linger: .milliseconds(10)), maximumConnections: 8)
        var clients: [TestClient] = []
        for round in 0..<40 {
          let client = try TestClient(port: server.port)
          switch round % 6 {
          case 0: break
          case 1: try client.send("GET /hel")
          case 2: try client.request("/hello")
          case 3:
            try client.request("/big")
            client.reset()
          case 4:
            try client.request("/hello", fields: ["Connection: close"])
            _ = try client.receiveToEnd()
          default: try client.request("/drop")
          }
          clients.append(client)
        }
        server.stop()
        for client in clients { client.close() }
      }
      #expect(try sockets() == before)
    }
  }
}

/// Raises the limit of a process that holds both ends of many connections. The usual limit is 1024, which one process for all tests would
/// share among them.
private func raiseDescriptorLimit(above count: UInt64) throws {
  try #require(OpenFileLimit.raise() > count, "the hard limit of open files is too low: ulimit -Hn")
}

/// Opens descriptors until the process can open no more.
private final class Hoard: Sendable {
  private let numbers: [Int32]

  init() throws {
    var limit = rlimit(rlim_cur: 256, rlim_max: 256)
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw TestClient.Failure(description: "setrlimit: errno \(errno)")
    }
    var taken: [Int32] = []
    while case let number = dup(0), number >= 0 { taken.append(number) }
    numbers = taken
  }

  func release() { for number in numbers { close(number) } }
}

extension TestServer {
  /// Returns a client that has sent `text` on an accepted connection. The connection must have been accepted, because
  /// an earlier request was answered on it.
  fileprivate func client(sending text: String) throws -> TestClient {
    let client = try TestClient(port: port)
    try client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n" + text)
    _ = try client.readResponse()
    queue.sync {}  // The client may get its response before the server has recorded that the response is sent.
    return client
  }
}
