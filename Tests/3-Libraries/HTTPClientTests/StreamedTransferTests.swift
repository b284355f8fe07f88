import Dispatch
import HTTP
import HTTPClient
import HTTPTestServer
import Platform
import TestSupport
import Testing

@Suite struct StreamedTransferTests {
  private struct LocalFault: Error, CustomStringConvertible {
    let description = "the disk is full"
  }

  private func send(_ request: ClientRequest) async -> Result<Response, ClientError> {
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    return await withCheckedContinuation { done in
      client.send(request, on: DispatchQueue(label: "answers")) { done.resume(returning: $0) }
    }
  }

  private func failure(_ result: Result<Response, ClientError>) -> ClientError? {
    if case .failure(let error) = result { error } else { nil }
  }

  /// Returns a request body read in pieces of at most `piece` bytes.
  private func streamed(_ bytes: [UInt8], piece: Int, announcing count: Int? = nil) -> StreamedBody {
    let offset = Locked(0)
    return StreamedBody(count: count ?? bytes.count) { space in
      offset.withLock { offset in
        let count = min(space.count, piece, bytes.count - offset)
        space.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
      }
    }
  }

  private func put(_ body: StreamedBody, to server: TestServer) -> ClientRequest {
    var request = ClientRequest(method: .put, url: "http://127.0.0.1:\(server.port)/echo")
    request.body = .streamed(body)
    return request
  }

  @Test("a streamed request body is sent unchanged, regardless of its size", arguments: [0, 1, 65_536, 1_000_000])
  func upload(size: Int) async throws {
    let server = try TestServer(limits: .sandbox)
    let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let response = try await send(put(streamed(body, piece: 10_007), to: server)).get()
    #expect(response.body == body)
  }

  @Test("several streamed request bodies can be sent one after the other")
  func joined() async throws {
    let server = try TestServer(limits: .sandbox)
    let middle = [UInt8](repeating: 7, count: 100_000)
    let none = StreamedBody([])
    let body = StreamedBody(joining: [
      StreamedBody([1, 2]), none, streamed(middle, piece: 999), none, StreamedBody([3]),
    ])
    #expect(try await send(put(body, to: server)).get().body == [1, 2] + middle + [3])
  }

  @Test("a request fails with a local error if its streamed body ends early or cannot be read")
  func brokenUpload() async throws {
    let server = try TestServer(limits: .sandbox)
    let short = failure(await send(put(streamed([1, 2], piece: 2, announcing: 5), to: server)))
    #expect(short?.kind == .local)
    #expect(short?.description == "the file became shorter while it was being sent")
    let unreadable = StreamedBody(count: 5) { _ in throw LocalFault() }
    #expect(failure(await send(put(unreadable, to: server)))?.description == "the disk is full")
  }

  @Test("the receiver of a response gets the head once, and then all bytes of the body")
  func download() async throws {
    let server = try TestServer()
    let heads = Locked<[Int]>([])
    let received = Locked<[UInt8]>([])
    var request = ClientRequest(method: .get, url: "http://127.0.0.1:\(server.port)/big")
    request.receiver = BodyReceiver { status, headers in
      heads.withLock { $0.append(status.code) }
      return headers.first(.contentLength) == "\(TestServer.bigBody.count)"
    } receive: { bytes in
      received.withLock { received in received.append(contentsOf: bytes) }
      return true
    }
    let response = try await send(request).get()
    #expect(response.body.isEmpty)
    #expect(heads.withLock { $0 } == [200])
    #expect(received.withLock { $0 } == TestServer.bigBody)
  }

  @Test("a body that the receiver declines is returned in the response")
  func declined() async throws {
    let server = try TestServer()
    var request = ClientRequest(method: .get, url: "http://127.0.0.1:\(server.port)/nothing")
    request.receiver = BodyReceiver { status, _ in
      status == .ok
    } receive: { _ in
      throw LocalFault()
    }
    let response = try await send(request).get()
    #expect(response.status == .notFound)
    #expect(response.body == Array("404\n".utf8))
  }

  @Test("the receiver of a response can end the transfer")
  func stopped() async throws {
    let server = try TestServer()
    var request = ClientRequest(method: .get, url: "http://127.0.0.1:\(server.port)/big")
    request.receiver = BodyReceiver { _, _ in
      true
    } receive: { _ in
      false
    }
    #expect(failure(await send(request))?.kind == .tooLarge)
    request.receiver = BodyReceiver { _, _ in
      true
    } receive: { _ in
      throw LocalFault()
    }
    #expect(failure(await send(request))?.description == "the disk is full")
  }

  @Test("a transfer without progress times out, regardless of its total time limit")
  func idle() async throws {
    let server = try RawServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1"), .stall] }
    let rules = ResponseRules(idleTimeout: .seconds(1))
    #expect(failure(await send(ClientRequest(method: .get, url: server.base, rules: rules)))?.kind == .timedOut)
  }
}
