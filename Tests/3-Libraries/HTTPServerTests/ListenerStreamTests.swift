import Dispatch
import HTTP
import HTTPServer
import HTTPTestServer
import Platform
import TestSupport
import Testing

@Suite("Streamed responses")
struct ListenerStreamTests {
  /// Records how a stream ended. A test can wait for the end.
  private final class Ending: Sendable {
    private let outcomes = Locked<[Bool]>([])
    private let reported = DispatchSemaphore(value: 0)

    func note(_ whole: Bool) {
      outcomes.withLock { $0.append(whole) }
      reported.signal()
    }

    func wait() -> Bool? {
      guard reported.wait(timeout: .now() + 30) == .success else { return nil }
      return outcomes.withLock { $0.count == 1 ? $0[0] : nil }
    }
  }

  private let server: TestServer
  private let ending = Ending()

  init() throws { server = try TestServer(deadlines: .init(request: .milliseconds(500))) }

  private func open(_ client: TestClient, _ request: String = "GET /keep HTTP/1.1\r\nHost: a\r\n\r\n") throws
    -> ResponseStream
  {
    try client.send(request)
    return server.nextKept().stream(Response(status: .ok, headers: ["Content-Type": "text/plain"])) { [ending] in
      ending.note($0)
    }
  }

  /// Reads until the received bytes end with `end`.
  private func text(_ client: TestClient, to end: String) throws -> String {
    var all: [UInt8] = []
    while !String(decoding: all, as: UTF8.self).hasSuffix(end) {
      let bytes = try client.receive()
      guard !bytes.isEmpty else { throw TestClient.Failure(description: "the stream ended before \(end)") }
      all += bytes
    }
    return String(decoding: all, as: UTF8.self)
  }

  @Test("stream content from any queue arrives in order, and the connection can be reused afterwards")
  func pieces() throws {
    let client = try TestClient(port: server.port)
    let stream = try open(client)
    #expect(try text(client, to: "\r\n\r\n").contains("\r\nTransfer-Encoding: chunked\r\n"))
    for word in ["one\n", "twelve bytes"] {
      stream.write(Array(word.utf8))
      #expect(try text(client, to: "\(word)\r\n") == "\(String(word.utf8.count, radix: 16))\r\n\(word)\r\n")
    }
    stream.end()
    #expect(try text(client, to: "0\r\n\r\n") == "0\r\n\r\n")
    #expect(ending.wait() == true)
    stream.write([1])
    stream.end()
    try client.request("/hello")
    #expect(try client.readResponse().text == "hello\n")
  }

  @Test("HTTP/1.0 clients get the plain content of a stream, which ends with the connection")
  func old() throws {
    let client = try TestClient(port: server.port)
    let stream = try open(client, "GET /keep HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    stream.write(Array("one".utf8))
    stream.write(Array("two".utf8))
    stream.end()
    let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
    #expect(all.hasSuffix("\r\n\r\nonetwo") && all.contains("\r\nConnection: close\r\n"))
    #expect(ending.wait() == true)
  }

  @Test("a HEAD request gets the head of a streamed response, and the content is discarded")
  func head() throws {
    let client = try TestClient(port: server.port)
    let stream = try open(client, "HEAD /keep HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readResponse(toHead: true).status == 200)
    #expect(ending.wait() == true)
    stream.write([1, 2, 3])
    try client.request("/hello")
    #expect(try client.readResponse().text == "hello\n")
    stream.end()
  }

  @Test("the server notices that a client has disconnected even if nothing is being written", arguments: [true, false])
  func gone(resets: Bool) throws {
    let client = try TestClient(port: server.port)
    let stream = try open(client)
    _ = try text(client, to: "\r\n\r\n")
    if resets { client.reset() } else { client.close() }
    #expect(ending.wait() == false)
    stream.write([1])
    stream.end()
    #expect(try TestClient.get("/hello", port: server.port).status == 200)
  }

  @Test("the server notices that a client disconnected before the stream started")
  func goneBefore() throws {
    let client = try TestClient(port: server.port)
    try client.request("/keep")
    let exchange = server.nextKept()
    client.close()
    let stream = exchange.stream(Response(status: .ok)) { [ending] in ending.note($0) }
    #expect(ending.wait() == false)
    stream.end()
  }

  @Test("a request sent during a stream is answered after the stream")
  func early() throws {
    let client = try TestClient(port: server.port)
    let stream = try open(client)
    try client.request("/hello")
    stream.write(Array("piece".utf8))
    _ = try text(client, to: "piece\r\n")
    stream.end()
    _ = try text(
      client,
      to: "0\r\n\r\nHTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 6\r\n\r\nhello\n")
  }

  @Test("a client that does not read its stream is disconnected once a megabyte has been buffered")
  func slow() throws {
    let client = try TestClient(port: server.port, receiveBuffer: 4096)
    let stream = try open(client)
    // The kernel also buffers bytes: at most 4 MiB for the sending socket (tcp_wmem), and as many as the client's
    // receive buffer holds.
    for _ in 0..<100 { stream.write([UInt8](repeating: 7, count: 100_000)) }
    #expect(ending.wait() == false)
  }

  @Test("a stream released before its end breaks the connection, so that the response does not look complete")
  func abandoned() throws {
    let client = try TestClient(port: server.port)
    do {
      let stream = try open(client)
      stream.write(Array("part".utf8))
      _ = try text(client, to: "part\r\n")
    }
    #expect(try client.receiveToEnd() == [])
    #expect(ending.wait() == false)
  }

  @Test("a stopping server waits for its streams until the grace period ends")
  func stopping() throws {
    let client = try TestClient(port: server.port)
    let stream = try open(client)
    let stopped = DispatchSemaphore(value: 0)
    server.server.stop(grace: .seconds(30)) { stopped.signal() }
    stream.write(Array("late".utf8))
    _ = try text(client, to: "late\r\n")
    server.stop(grace: .milliseconds(10))
    #expect(stopped.wait(timeout: .now() + 30) == .success)
    #expect(ending.wait() == false)
    #expect(try client.receiveToEnd() == [])
  }
}
