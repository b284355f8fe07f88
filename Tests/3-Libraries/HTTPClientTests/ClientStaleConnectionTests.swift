import Dispatch
import Glibc
import HTTP
import HTTPClient
import Platform
import TestSupport
import Testing

/// A server that offers persistent connections, but closes each connection at its second request without a response.
private final class RudeServer: Sendable {
  let port: UInt16
  /// The request lines that the server has received.
  let seen = Locked<[String]>([])
  private let listening: Int32

  init() throws {
    let socket = try BoundSocket()
    let number = try socket.handOver()
    port = socket.port
    listening = number
    let seen = seen
    DispatchQueue(label: "rude server").async {
      while true {
        let connection = BlockingConnection.accepted(from: number)
        if connection < 0 {
          // The listener is closed here, after the last accept, because the descriptor number may be reused.
          close(number)
          return
        }
        DispatchQueue(label: "rude connection").async {
          if RudeServer.read(from: connection, seen) {
            let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok".utf8)
            _ = write(connection, response, response.count)
            _ = RudeServer.read(from: connection, seen)
          }
          close(connection)
        }
      }
    }
  }

  deinit {
    shutdown(listening, Int32(SHUT_RDWR))
  }

  /// Reads one request and records its first line.
  /// - Returns: whether a request was read; false if the client has closed the connection.
  private static func read(from connection: Int32, _ seen: Locked<[String]>) -> Bool {
    var request: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let count = Glibc.read(connection, &chunk, chunk.count)
      if count <= 0 { return false }
      request += chunk[..<count]
    }
    let line = String(decoding: request.prefix { $0 != 0x0d }, as: UTF8.self)
    seen.withLock { $0.append(line) }
    return true
  }
}

@Suite struct ClientStaleConnectionTests {
  @Test("every request is answered even if connections break, and requests with side effects are sent only once")
  func rude() async throws {
    let server = try RudeServer()
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    let queue = DispatchQueue(label: "answers")
    for index in 0..<20 {
      let request = ClientRequest(
        method: index % 2 == 0 ? .post : .get, url: "http://127.0.0.1:\(server.port)/\(index)",
        body: index % 2 == 0 ? [] : nil)
      let result: Result<Response, ClientError> = await withCheckedContinuation { done in
        client.send(request, on: queue) { done.resume(returning: $0) }
      }
      #expect(try result.get().status == .ok)
    }
    let seen = server.seen.withLock { $0 }
    // The client may repeat a GET on a new connection, but it must not repeat a POST.
    #expect(seen.filter { $0.hasPrefix("POST") } == stride(from: 0, to: 20, by: 2).map { "POST /\($0) HTTP/1.1" })
    #expect(Set(seen).count == 20)
  }
}
