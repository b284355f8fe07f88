import Dispatch
import Glibc
import HTTP
import Platform
import TestSupport
import Testing
import Transport

/// A server that promises to keep connections and closes each after one answer, as some do.
private final class RudeServer: Sendable {
  let port: UInt16
  /// The request lines that came.
  let seen = Locked<[String]>([])
  private let listening: Int32

  init() {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(number, $0, length) == 0 && listen(number, 64) == 0 && getsockname(number, $0, &length) == 0)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    listening = number
    let seen = seen
    DispatchQueue(label: "rude server").async {
      while true {
        let connection = accept(number, nil, nil)
        if connection < 0 { return }
        RudeServer.serve(connection, seen)
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listening, Int32(SHUT_RDWR))
    close(listening)
  }

  private static func serve(_ connection: Int32, _ seen: Locked<[String]>) {
    var request: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(connection, &chunk, chunk.count)
      if count <= 0 { return }
      request += chunk[..<count]
    }
    let line = String(decoding: request.prefix { $0 != 0x0d }, as: UTF8.self)
    seen.withLock { $0.append(line) }
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok".utf8)
    _ = write(connection, answer, answer.count)
  }
}

@Suite struct ClientStaleConnectionTests {
  @Test("a server that closes what it promised to keep loses no request, and gets each of ours once")
  func rude() async throws {
    let server = RudeServer()
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
    #expect(server.seen.withLock { $0 } == (0..<20).map { "\($0 % 2 == 0 ? "POST" : "GET") /\($0) HTTP/1.1" })
  }
}
