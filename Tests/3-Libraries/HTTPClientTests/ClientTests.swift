import Dispatch
import Glibc
import HTTP
import HTTPClient
import HTTPServer
import HTTPTestServer
import Platform
import TestSupport
import Testing

@Suite struct ClientTests {
  private func policy(_ change: (inout ClientPolicy) -> Void = { _ in }) -> ClientPolicy {
    var policy = ClientPolicy(userAgent: "homeline-test", environment: [:])
    change(&policy)
    return policy
  }

  private func send(
    _ request: ClientRequest, _ client: Client
  ) async -> Result<Response, ClientError> {
    await withCheckedContinuation { done in
      client.send(request, on: DispatchQueue(label: "answers")) { done.resume(returning: $0) }
    }
  }

  private func get(_ path: String, _ server: TestServer, _ client: Client) async -> Result<
    Response, ClientError
  > {
    await send(ClientRequest(method: .get, url: "http://127.0.0.1:\(server.port)\(path)"), client)
  }

  @Test("a response arrives complete with its status, header fields and body")
  func whole() async throws {
    let server = try TestServer()
    let client = Client(policy: policy())
    let hello = try await get("/hello", server, client).get()
    #expect(hello.status == .ok)
    #expect(hello.body == Array("hello\n".utf8))
    #expect(hello.headers.first(.date) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(try await get("/big", server, client).get().body == TestServer.bigBody)
    #expect(try await get("/nothing", server, client).get().status == .notFound)
  }

  @Test("a request body is sent unchanged, even an empty one")
  func post() async throws {
    let server = try TestServer(limits: .sandbox)
    let client = Client(policy: policy())
    for body in [[], Array("a=1&b=%20".utf8), [UInt8](repeating: 7, count: 100_000)] {
      let request = ClientRequest(
        method: .post, url: "http://127.0.0.1:\(server.port)/echo",
        headers: [.contentType: "application/x-www-form-urlencoded"], body: body)
      #expect(try await send(request, client).get().body == body)
    }
  }

  @Test("a response that exceeds the limit is aborted")
  func tooLarge() async throws {
    let server = try TestServer()
    let client = Client(policy: policy { $0.responseLimit = 1 << 20 })
    let result = await get("/big", server, client)
    guard case .failure(let error) = result else {
      Issue.record("the response was accepted")
      return
    }
    #expect(error.kind == .tooLarge)
    #expect(error.description.contains("127.0.0.1:\(server.port)"))
  }

  @Test("a request times out if the server does not respond, and fails as unreachable if no server is listening")
  func failures() async throws {
    let server = try TestServer()
    let client = Client(policy: policy { $0.totalTimeout = .milliseconds(200) })
    guard case .failure(let late) = await get("/keep", server, client) else {
      Issue.record("a response came")
      return
    }
    #expect(late.kind == .timedOut)
    _ = server.nextKept()  // The exchange is released only now, after the timeout.
    let port = server.port
    server.stop()
    let gone = await send(ClientRequest(method: .get, url: "http://127.0.0.1:\(port)/hello"), client)
    guard case .failure(let error) = gone else {
      Issue.record("a response came")
      return
    }
    #expect(error.kind == .unreachable)
    let nonsense = await send(ClientRequest(method: .get, url: "gopher://127.0.0.1/"), client)
    guard case .failure(let unsendable) = nonsense else {
      Issue.record("a response came")
      return
    }
    #expect(unsendable.kind == .unsendable)
  }

  @Test("a request that is cancelled, or in progress when the client stops, fails once with the error `cancelled`")
  func cancelled() async throws {
    let server = try TestServer()
    let client = Client(policy: policy())
    let queue = DispatchQueue(label: "answers")
    let url = "http://127.0.0.1:\(server.port)/keep"
    // The exchange is kept, because a released exchange responds with 500.
    let held = Locked<[Exchange]>([])
    let first: Result<Response, ClientError> = await withCheckedContinuation { done in
      let ticket = client.send(ClientRequest(method: .get, url: url), on: queue) { done.resume(returning: $0) }
      held.withLock { $0.append(server.nextKept()) }
      ticket.cancel()
    }
    let second: Result<Response, ClientError> = await withCheckedContinuation { done in
      client.send(ClientRequest(method: .get, url: url), on: queue) { done.resume(returning: $0) }
      client.stop()
    }
    let third = await send(ClientRequest(method: .get, url: url), client)
    server.stop()
    // Releasing the exchange breaks a reference cycle: it references its server, which references the exchanges it
    // keeps.
    server.kept.withLock { $0 = [] }
    held.withLock { $0 = [] }
    for result in [first, second, third] {
      guard case .failure(let error) = result else {
        Issue.record("a response came")
        continue
      }
      #expect(error.kind == .cancelled)
    }
  }

  @Test("two hundred simultaneous requests are all answered on the given queue")
  func many() async throws {
    let server = try TestServer()
    let client = Client(policy: policy())
    let url = "http://127.0.0.1:\(server.port)/hello"
    let queue = DispatchQueue(label: "answers")
    let answered = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await withCheckedContinuation { done in
            client.send(ClientRequest(method: .get, url: url), on: queue) { result in
              dispatchPrecondition(condition: .onQueue(queue))
              done.resume(returning: (try? result.get().status) == .ok)
            }
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(answered == 200)
  }

  @Test("the client uses the proxy from the environment, except for requests to this machine")
  func proxy() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer()
      setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      let own = try TestServer()
      let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
      func ask(_ url: String) async throws -> Response {
        try await withCheckedContinuation { done in
          client.send(ClientRequest(method: .get, url: url), on: DispatchQueue(label: "answers")) {
            done.resume(returning: $0)
          }
        }.get()
      }
      // Only the proxy can respond for a name that does not resolve.
      #expect(try await ask("http://provider.invalid/hello").body == Array("hello\n".utf8))
      proxy.stop()
      for host in ["127.0.0.1", "localhost", "[::1]"] {
        #expect(try await ask("http://\(host):\(own.port)/hello").status == .ok)
      }
      own.stop()
      // The process exits immediately, because a leak checker would report memory that its threads still use.
      ExitCode.done.endProcess()
    }
  }
}
