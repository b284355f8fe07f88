import Dispatch
import HTTP
import HTTPServer
import HTTPTestServer
import Platform
import TestSupport
import Testing

@Suite("The server's responses")
struct ListenerResponseTests {
  @Test("the server responds over IPv4 and IPv6 on the same port")
  func bothStacks() throws {
    let server = try TestServer()
    #expect(try TestClient.get("/hello", port: server.port).text == "hello\n")
    #expect(try TestClient.get("/hello", port: server.port, overIPv6: true).text == "hello\n")
  }

  @Test("a response has Content-Length and Date")
  func head() throws {
    let server = try TestServer()
    let response = try TestClient.get("/hello", port: server.port)
    #expect(response.status == 200)
    #expect(response.head.contains("\r\nContent-Length: 6"))
    #expect(response.head.contains("\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT"))
  }

  @Test("a connection is reused for further requests (RFC 9112 §9.3)")
  func keepAlive() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    for _ in 0..<100 {
      try client.request("/hello")
      #expect(try client.readResponse().text == "hello\n")
    }
  }

  @Test("pipelined requests are answered in order, even if the handler responds to the first request last (§9.3.2)")
  func pipelining() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    let paths = ["/keep", "/elsewhere", "/hello", "/missing"]
    try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    let exchange = server.nextKept()
    exchange.respond(Response(status: .ok, text: "kept"))
    #expect(try client.readResponse().text == "kept\n")
    #expect(try client.readResponse().text == "from elsewhere\n")
    #expect(try client.readResponse().text == "hello\n")
    #expect(try client.readResponse().status == 404)
  }

  @Test("a HEAD request gets the same head as GET, and the connection stays open (RFC 9110 §9.3.2)")
  func headRequest() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/hello", method: "HEAD")
    let response = try client.readResponse(toHead: true)
    #expect(response.status == 200 && response.head.contains("Content-Length: 6"))
    try client.request("/hello")
    #expect(try client.readResponse().text == "hello\n")
  }

  @Test("an HTTP/1.0 connection is closed after the response unless the client requests keep-alive (§9.3)")
  func old() throws {
    let server = try TestServer()
    let once = try TestClient(port: server.port)
    try once.send("GET /hello HTTP/1.0\r\n\r\n")
    let all = String(decoding: try once.receiveToEnd(), as: UTF8.self)
    #expect(all.contains("\r\nConnection: close\r\n") && all.hasSuffix("\r\n\r\nhello\n"))
    let kept = try TestClient(port: server.port)
    for _ in 0..<3 {
      try kept.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(try kept.readResponse().head.contains("\r\nConnection: keep-alive"))
    }
  }

  @Test("a request that arrives byte by byte is answered")
  func byteByByte() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    for byte in Array("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".utf8) { try client.send([byte]) }
    #expect(try client.readResponse().text == "hello\n")
  }

  @Test("a client that closes its sending side after the request still gets the response")
  func halfClosed() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/keep")
    client.endOutput()
    server.nextKept().respond(Response(status: .ok, text: "late"))
    #expect(String(decoding: try client.receiveToEnd(), as: UTF8.self).hasSuffix("late\n"))
  }

  @Test("a malformed request gets an explanation, and the connection is closed without a reset")
  func refused() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.send("GET / HTTP/1.1\r\n\r\n" + String(repeating: "x", count: 100_000))
    let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
    #expect(
      all.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && all.hasSuffix("400 Bad Request: the Host field is missing\n"))
  }

  @Test("a request with unwanted content is answered without its content being read, and the connection is closed")
  func announced() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/hello", method: "POST", fields: ["Content-Length: 1000000"])
    try client.send([UInt8](repeating: 0x20, count: 100_000))
    let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
    #expect(all.contains("\r\nConnection: close\r\n") && all.hasSuffix("hello\n"))
  }

  @Test("the handler receives the request content, after 100 Continue if the client expects it (RFC 9110 §10.1.1)")
  func content() throws {
    let server = try TestServer(limits: .sandbox)
    let client = try TestClient(port: server.port)
    let body = [UInt8](repeating: 7, count: 1 << 20)
    try client.request("/echo", method: "POST", fields: ["Content-Length: \(body.count)", "Expect: 100-continue"])
    #expect(try client.readResponse().head == "HTTP/1.1 100 Continue")
    try client.send(body)
    #expect(try client.readResponse().body == body)
  }

  @Test(
    "a client that reads slowly into a small buffer gets all of a long response, without delaying other clients")
  func bigAnswer() throws {
    let server = try TestServer()
    let slow = try TestClient(port: server.port, receiveBuffer: 4096)
    try slow.request("/big")
    #expect(try slow.receive(upTo: 10).count == 10)
    #expect(try TestClient.get("/hello", port: server.port).status == 200)
    let rest = try slow.restOfBigAnswer()
    #expect(rest == TestServer.bigBody)
    try slow.request("/hello")
    #expect(try slow.readResponse().text == "hello\n")
  }

  @Test(
    "a client that resets its connection during a response does not affect other clients, and the handler is notified")
  func resetWithinAnswer() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port, receiveBuffer: 4096)
    try client.request("/keep")
    let outcome = Locked<Bool?>(nil)
    let reported = DispatchSemaphore(value: 0)
    server.nextKept().respond(Response(status: .ok, body: TestServer.bigBody)) { whole in
      outcome.withLock { $0 = whole }
      reported.signal()
    }
    #expect(try client.receive(upTo: 10).count == 10)
    client.reset()
    #expect(reported.wait(timeout: .now() + 30) == .success)
    #expect(outcome.withLock { $0 } == false)
    #expect(try TestClient.get("/hello", port: server.port).status == 200)
  }

  @Test("a response that the client has accepted completely is reported as delivered")
  func delivered() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/keep")
    let outcome = Locked<Bool?>(nil)
    let reported = DispatchSemaphore(value: 0)
    server.nextKept().respond(Response(status: .ok)) { whole in
      outcome.withLock { $0 = whole }
      reported.signal()
    }
    #expect(reported.wait(timeout: .now() + 30) == .success)
    #expect(outcome.withLock { $0 } == true)
    #expect(try client.readResponse().status == 200)
  }

  @Test("an exchange released without a response sends status 500 and closes the connection")
  func dropped() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/drop")
    let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
    #expect(all.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n") && all.contains("\r\nConnection: close\r\n"))
  }

  @Test("the server can close the connection after a response to a keep-alive request")
  func closing() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/close")
    #expect(String(decoding: try client.receiveToEnd(), as: UTF8.self).contains("\r\nConnection: close\r\n"))
  }

  @Test("a second response to the same exchange traps in a debug build")
  func twice() async {
    await #expect(processExitsWith: .failure) {
      let server = try TestServer()
      let client = try TestClient(port: server.port)
      try client.request("/keep")
      let exchange = server.nextKept()
      exchange.respond(Response(status: .ok))
      exchange.respond(Response(status: .ok))
    }
  }

  @Test("a response to a client that has disconnected is discarded")
  func gone() throws {
    let server = try TestServer()
    let client = try TestClient(port: server.port)
    try client.request("/keep")
    let exchange = server.nextKept()
    client.reset()
    exchange.respond(Response(status: .ok, text: "nobody"))
    #expect(try TestClient.get("/hello", port: server.port).status == 200)
  }
}

extension TestClient {
  /// Returns the body of `/big` after the first bytes of the head have been read.
  fileprivate func restOfBigAnswer() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while true {
      bytes += try receive(upTo: 3000)
      if let at = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) {
        bytes.removeFirst(at + 4)
        break
      }
    }
    while bytes.count < TestServer.bigBody.count { bytes += try receive(upTo: 30000) }
    return bytes
  }
}
