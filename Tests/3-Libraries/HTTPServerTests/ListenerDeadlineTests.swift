import HTTP
import HTTPServer
import HTTPTestServer
import TestSupport
import Testing

@Suite("The server's deadlines")
struct ListenerDeadlineTests {
  /// Deadlines that are longer than a client pauses between two steps on a busy machine.
  private let short = ConnectionDeadlines(
    request: .milliseconds(500), write: .milliseconds(500), linger: .milliseconds(500))

  @Test("an idle connection is closed without a response")
  func silent() throws {
    let server = try TestServer(deadlines: short)
    #expect(try TestClient(port: server.port).receiveToEnd() == [])
  }

  @Test("an incomplete request receives 408, and its connection is closed (RFC 9110 §15.5.9)")
  func halfSent() throws {
    let server = try TestServer(deadlines: short)
    let client = try TestClient(port: server.port)
    try client.send("GET /hello HTTP/1.1\r\n")
    let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
    #expect(all.hasPrefix("HTTP/1.1 408 Request Timeout\r\n") && all.contains("\r\nConnection: close\r\n"))
  }

  @Test("a connection that stays idle after its response is closed")
  func silentAfterAnswer() throws {
    let server = try TestServer(deadlines: short)
    let client = try TestClient(port: server.port)
    try client.request("/hello")
    #expect(try client.readResponse().status == 200)
    #expect(try client.receiveToEnd() == [])
  }

  @Test("a request has no deadline while its handler runs")
  func patient() throws {
    let server = try TestServer(deadlines: short)
    let client = try TestClient(port: server.port)
    try client.request("/keep")
    let exchange = server.nextKept()
    // Two other connections start and reach their deadlines in the meantime.
    #expect(try TestClient(port: server.port).receiveToEnd() == [])
    #expect(try TestClient(port: server.port).receiveToEnd() == [])
    exchange.respond(Response(status: .ok, text: "at last"))
    #expect(try client.readResponse().text == "at last\n")
  }

  @Test("a client that does not read its response is disconnected")
  func neverReads() throws {
    let server = try TestServer(deadlines: short)
    let client = try TestClient(port: server.port, receiveBuffer: 4096)
    try client.request("/big")
    server.stop(grace: .seconds(20))  // The read waits until the connection has ended.
    #expect(throws: (any Error).self) { try client.readResponse() }
  }

  @Test("a client that neither reads nor closes after its last response is disconnected")
  func lingers() throws {
    let server = try TestServer(deadlines: short)
    let client = try TestClient(port: server.port)
    try client.request("/close")
    #expect(try client.readResponse().text == "bye\n")
    server.stop(grace: .seconds(20))
    #expect(try client.receiveToEnd() == [])
  }

  @Test(
    "a client that has closed its sending side is disconnected right after its response, without waiting for a deadline",
    arguments: 1...20)
  func ended(_ round: Int) throws {
    let server = try TestServer(deadlines: .init(write: .seconds(600), linger: .seconds(600)))
    let client = try TestClient(port: server.port)
    try client.request("/keep", fields: round.isMultiple(of: 2) ? ["Connection: close"] : [])
    let exchange = server.nextKept()
    if round.isMultiple(of: 3) { client.close() } else { client.endOutput() }
    exchange.respond(Response(status: .ok, text: "late"))
    if !round.isMultiple(of: 3) { #expect(try client.readResponse().text == "late\n") }
    server.stop(grace: .seconds(600))
  }
}
