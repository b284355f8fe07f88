import Dispatch
import HTTP
import HTTPClient
import Platform
import TestSupport
import Testing

/// Responses whose `Content-Encoding` names no coding, or whose content continues after its compressed part.
@Suite struct ContentCodingTests {
  private static let text = #"[{"id": "2003", "content": "<p>Good morning.</p>"}]"#
  private static let plain = Array(text.utf8)
  /// The text compressed by gzip(1).
  private static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8b, 0xae, 0x56, 0xca, 0x4c, 0x51, 0xb2, 0x52, 0x50,
    0x32, 0x32, 0x30, 0x30, 0x56, 0xd2, 0x51, 0x50, 0x4a, 0xce, 0xcf, 0x2b, 0x49, 0xcd, 0x2b, 0x01, 0x09, 0xd9, 0x14,
    0xd8, 0xb9, 0xe7, 0xe7, 0xa7, 0x28, 0xe4, 0xe6, 0x17, 0xe5, 0x65, 0xe6, 0xa5, 0xeb, 0xd9, 0xe8, 0x17, 0xd8, 0x29,
    0xd5, 0xc6, 0x02, 0x00, 0xe4, 0xae, 0x97, 0x3f, 0x33, 0x00, 0x00, 0x00,
  ]

  private func send(_ request: ClientRequest, _ client: Client) async -> Result<Response, ClientError> {
    await withCheckedContinuation { done in
      client.send(request, on: DispatchQueue(label: "answers")) { done.resume(returning: $0) }
    }
  }

  private func failure(_ result: Result<Response, ClientError>) -> ClientError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test(
    "an unknown coding in Content-Encoding is ignored, and later requests to the server ask for no compression",
    arguments: ["aws-chunked", "UTF-8", "8bit", "ISO-8859-1", "binary", "utf-8, aws-chunked"])
  func uncoded(coding: String) async throws {
    let server = try CodedServer([
      ("\(coding)", Self.plain),
      ("\(coding)", Self.plain),
      ("\(coding)", Self.plain),
    ])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    #expect(try await send(ClientRequest(method: .get, url: server.url), client).get().body == Self.plain)
    #expect(server.requests.count == 2)
    let posted = ClientRequest(method: .post, url: server.url, body: Array("a=1".utf8))
    #expect(try await send(posted, client).get().body == Self.plain)
    #expect(server.requests.count == 3)
    #expect(server.requests.map { $0.lowercased().contains("\r\naccept-encoding: ") } == [true, false, false])
  }

  @Test("a request that changes something is not repeated because of a word in Content-Encoding")
  func posted() async throws {
    let server = try CodedServer([("UTF-8", Self.plain)])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    let result = await send(ClientRequest(method: .post, url: server.url, body: Array("a=1".utf8)), client)
    let error = try #require(failure(result))
    #expect(error.kind == .broken && error.wasSent)
    #expect(server.requests.count == 1)
  }

  @Test("a server that compresses without being asked is asked for compression again")
  func compressed() async throws {
    let server = try CodedServer([
      ("UTF-8", Self.plain),
      ("UTF-8", Self.plain),
      ("gzip", Self.gzip),
      ("gzip", Self.gzip),
    ])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    for _ in 0..<2 { _ = try await send(ClientRequest(method: .get, url: server.url), client).get() }
    #expect(try await send(ClientRequest(method: .get, url: server.url), client).get().body == Self.plain)
  }

  @Test("bytes after the compressed content are ignored", arguments: [[0, 0, 0, 0], [0x0d, 0x0a], [0x20]])
  func following(bytes: [UInt8]) async throws {
    let server = try CodedServer([("gzip", Self.gzip + bytes)])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    #expect(try await send(ClientRequest(method: .get, url: server.url), client).get().body == Self.plain)
  }

  @Test("a wrong checksum is still an error")
  func checksum() async throws {
    var gzip = Self.gzip
    gzip[gzip.count - 8] ^= 1
    let server = try CodedServer([("gzip", gzip)])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    let error = try #require(failure(await send(ClientRequest(method: .get, url: server.url), client)))
    #expect(error.kind == .broken)
  }

  @Test("the error for an unknown coding names the server and the coding")
  func unknown() async throws {
    let server = try CodedServer([("zz-unknown", [0x93, 1, 0xff])])
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    let error = try #require(failure(await send(ClientRequest(method: .get, url: server.url), client)))
    #expect(
      "\(error)" == "127.0.0.1:\(server.port) compressed its response with “zz-unknown”, which homeline cannot decode")
    #expect(server.requests.count == 1)
  }
}

/// A server that gives its answers one after another, each with a `Content-Encoding`.
private final class CodedServer: Sendable {
  private let server: RawServer
  private let heads: Locked<[String]>

  init(_ answers: [(coding: String, body: [UInt8])]) throws {
    let heads = Locked<[String]>([])
    self.heads = heads
    server = try RawServer { request in
      let number = heads.withLock {
        $0.append(request.head)
        return $0.count - 1
      }
      guard answers.indices.contains(number) else { return [.reset] }
      let (coding, body) = answers[number]
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
      return [.text(head), .send(body)]
    }
  }

  var url: String { server.base + "/" }
  var port: UInt16 { server.port }
  var requests: [String] { heads.withLock { $0 } }
}
