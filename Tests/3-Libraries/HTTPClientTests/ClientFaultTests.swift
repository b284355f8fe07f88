import Dispatch
import Glibc
import HTTP
import HTTPClient
import TestSupport
import Testing

/// Slow servers and oversized responses, with short timeouts and small limits.
@Suite("The client's timeouts and size limits") struct ClientFaultTests {
  private func policy(total: Duration = .seconds(60), connect: Duration = .seconds(60)) -> ClientPolicy {
    var policy = ClientPolicy(userAgent: "homeline-test", environment: [:])
    policy.totalTimeout = total
    policy.connectTimeout = connect
    return policy
  }

  private func get(_ url: String, _ policy: ClientPolicy) async -> Result<Response, ClientError> {
    let client = Client(policy: policy)
    return await withCheckedContinuation { done in
      client.send(ClientRequest(method: .get, url: url), on: DispatchQueue(label: "answers")) {
        done.resume(returning: $0)
      }
    }
  }

  private func failure(_ result: Result<Response, ClientError>) -> ClientError? {
    if case .failure(let error) = result { error } else { nil }
  }

  // These variables also keep references to the arrays. Pointers inside enum cases have extra bits set, so a leak
  // checker would report them as leaks.
  private static let blanks = [UInt8](repeating: 0x20, count: 100_000)
  private static let letters = [UInt8](repeating: 0x61, count: 100_000)

  /// The points where a server stops sending.
  static let stalls: [(String, [RawServer.Step])] = [
    ("before the first byte", [.stall]),
    ("within the header", [.text("HTTP/1.1 200 OK\r\nContent-"), .stall]),
    ("after an interim response", [.text("HTTP/1.1 100 Continue\r\n\r\n"), .stall]),
    ("after the header", [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), .stall]),
    ("within the body", [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1"), .stall]),
    ("within a chunk", [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[1"), .stall]),
    (
      "never, but sends one byte at a time",
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
        .drip(blanks, every: .milliseconds(10)),
      ]
    ),
    (
      "never, but sends the header one byte at a time",
      [.text("HTTP/1.1 200 OK\r\nX: "), .drip(letters, every: .milliseconds(10))]
    ),
  ]

  @Test("a request times out when the server stops sending or sends too slowly", arguments: stalls)
  func stalled(_ position: String, _ steps: [RawServer.Step]) async throws {
    let server = try RawServer { _ in steps }
    let error = try #require(failure(await get(server.base, policy(total: .milliseconds(400)))))
    #expect(error.kind == .timedOut)
    #expect(error.wasSent)
    #expect(error.received == nil)
    #expect("\(error)".contains("127.0.0.1:\(server.port) did not respond in time"))
  }

  @Test("a TLS handshake without a response fails after the connection timeout, before the request is sent")
  func silentHandshake() async throws {
    let server = try RawServer { _ in [] }
    let policy = policy(connect: .milliseconds(400))
    let error = try #require(failure(await get("https://127.0.0.1:\(server.port)/", policy)))
    #expect(error.kind == .timedOut)
    #expect(!error.wasSent)
  }

  @Test("a plain HTTP response to a TLS handshake is a TLS error, and the request has not been sent")
  func plainOnTLS() async throws {
    let server = try RawServer(listensFirst: false) { _ in [.text("HTTP/1.1 400 Bad Request\r\n\r\n")] }
    let error = try #require(failure(await get("https://127.0.0.1:\(server.port)/", policy())))
    #expect(error.kind == .tls)
    #expect(!error.wasSent)
  }

  @Test("a port where no server is listening is unreachable, and the request has not been sent")
  func refused() async throws {
    let nobody = try BoundSocket()
    let error = try #require(failure(await get("http://127.0.0.1:\(nobody.port)/", policy())))
    #expect(error.kind == .unreachable)
    #expect(!error.wasSent)
  }

  @Test("a response header may be as large as the limit, and one more byte is an error", arguments: [0, 1])
  func headerLimit(_ more: Int) async throws {
    let policy = policy()
    var head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
    while head.utf8.count < policy.headerLimit - 200 { head += "X-A: \(String(repeating: "a", count: 90))\r\n" }
    let rest = policy.headerLimit - head.utf8.count - "X-B: \r\n\r\n".utf8.count
    head += "X-B: \(String(repeating: "b", count: rest + more))\r\n\r\n"
    try #require(head.utf8.count == policy.headerLimit + more)
    let bytes = Array(head.utf8)
    let server = try RawServer { _ in [.send(bytes)] }
    let result = await get(server.base, policy)
    if more == 0 {
      #expect(try result.get().status == .ok)
    } else {
      #expect(failure(result)?.kind == .tooLarge)
    }
  }

  @Test("a response body may be as large as the limit, and one more byte is an error", arguments: [0, 1])
  func bodyLimit(_ more: Int) async throws {
    let policy = policy()
    let count = policy.responseLimit + more
    // The response has no Content-Length, so that the client must count the bytes.
    let server = try RawServer { _ in
      [.text("HTTP/1.1 200 OK\r\n\r\n"), .flood([UInt8](repeating: 0x20, count: 1 << 16), bytes: count)]
    }
    let result = await get(server.base, policy)
    if more == 0 {
      #expect(try result.get().body.count == count)
    } else {
      #expect(failure(result)?.kind == .tooLarge)
    }
  }

  @Test(
    "a response without a valid status line is an error",
    arguments: [
      "[]", "HTTP/1.1 \r\n\r\n[]", "HTTP/1.1 20 OK\r\n\r\n[]", "HTTP/9.9 200 OK\r\n\r\n[]", "HTTP/1.1 000 OK\r\n\r\n[]",
      "ICY 200 OK\r\n\r\n[]", "\0\0\0\0", "SSH-2.0-OpenSSH_9.2\r\n",
    ])
  func nonsense(_ text: String) async throws {
    let server = try RawServer { _ in [.text(text)] }
    let error = try #require(failure(await get(server.base, policy())))
    #expect(error.kind == .broken)
  }
}
