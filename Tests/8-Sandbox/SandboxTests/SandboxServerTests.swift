import Bytes
import Dispatch
import HTTP
import HTTPClient
import HomelineOAuth
import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

@Suite("The sandbox's HTTP server")
struct SandboxServerTests {
  private let folder = TemporaryFolder()
  private let client = Client(policy: ClientPolicy(userAgent: "test", environment: [:]))

  private func send(_ method: RequestMethod, _ url: String, _ headers: HeaderFields = [:], body: [UInt8]? = nil) async
    -> Result<Response, ClientError>
  {
    await withCheckedContinuation { continuation in
      client.send(
        ClientRequest(method: method, url: url, headers: headers, body: body), on: DispatchQueue(label: "test")
      ) { continuation.resume(returning: $0) }
    }
  }

  private func send(_ signed: OutgoingRequest) async -> Result<Response, ClientError> {
    let headers = HeaderFields(signed.headers.map { HeaderFields.Field(FieldName($0.name)!, FieldValue($0.value)!) })
    return await send(RequestMethod(signed.method)!, signed.url, headers, body: signed.body)
  }

  private func nonceTimestamp() throws -> NonceTimestamp {
    try NonceTimestamp.random(timestamp: WallClock.system.now.seconds)
  }

  private func login(_ server: SandboxServer<TwitterSandbox>) async throws -> TokenCredentials {
    let first = try await send(
      TemporaryCredentialsRequest(
        endpoint: RequestURL(server.address(of: .requestToken)), callback: .url(RequestURL("http://127.0.0.1:1/c"))
      ).signed(by: TwitterSandbox.consumer, nonceTimestamp: nonceTimestamp())
    ).get()
    let temporary = try TemporaryCredentialsResponse(
      OAuthResponse(status: first.status.code, body: first.body), requireCallbackConfirmation: true
    ).credentials
    let form = "oauth_token=\(temporary.identifier)&action=allow"
    let word = try await send(
      .post, server.address(of: .authorize), [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8)
    ).get()
    let location = try RequestURL(try #require(word.headers.first("Location")))
    guard case .granted(_, let verifier) = Callback(query: location.query) else { throw TestClientError.noVerifier }
    let last = try await send(
      TokenRequest(
        endpoint: RequestURL(server.address(of: .accessToken)), temporary: temporary, verifier: verifier
      ).signed(by: TwitterSandbox.consumer, nonceTimestamp: nonceTimestamp())
    ).get()
    return try TokenResponse(OAuthResponse(status: last.status.code, body: last.body)).credentials
  }

  private func call(
    _ server: SandboxServer<TwitterSandbox>, _ route: TwitterRoute, _ query: String = "", by token: TokenCredentials
  ) async throws -> Result<Response, ClientError> {
    let method = route == .invalidateToken ? RequestMethod.post : .get
    let url = try RequestURL(server.address(of: route) + query)
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .token(token))
      .sign(SignableRequest(method: method.name, url: url), nonceTimestamp: nonceTimestamp())
    return await send(method, url.text, ["Authorization": FieldValue(authorization.headerValue)!])
  }

  @Test("A token also works in a second sandbox with the same folder, and stays revoked after a restart")
  func wholeWay() async throws {
    let records = Locked<[RequestRecord]>([])
    var server = try SandboxServer(stateFolder: folder.path + "/a/b") { record in records.withLock { $0.append(record) }
    }
    let token = try await login(server)
    let page = try await call(server, .homeTimeline, "?count=200&tweet_mode=extended", by: token).get()
    #expect(try ReceivedPost.page(page.body).count == 200)
    #expect(page.headers.all("Date").count == 1)
    #expect(
      records.withLock { $0 } == [
        .init(method: .post, path: "/oauth/request_token", status: .ok),
        .init(method: .post, path: "/oauth/authorize", status: .found),
        .init(method: .post, path: "/oauth/access_token", status: .ok),
        .init(
          method: .get, path: "/1.1/statuses/home_timeline.json", query: "count=200&tweet_mode=extended", status: .ok),
      ])
    for file in ["key"] {
      let facts = try FileStatus.of("\(folder.path)/a/b/\(file)")
      #expect(facts.permissions == 0o600 && facts.size == 32)
    }

    let second = try SandboxServer(stateFolder: folder.path + "/a/b")
    #expect(second.port != server.port)
    await server.stopAndWait()
    server = second
    #expect(try await call(server, .homeTimeline, by: token).get().status == .ok)
    #expect(try await call(server, .invalidateToken, by: token).get().status == .ok)
    await server.stopAndWait()

    server = try SandboxServer(stateFolder: folder.path + "/a/b")
    #expect(try await call(server, .homeTimeline, by: token).get().status == .unauthorized)
    let other = try await login(server)
    #expect(try await call(server, .homeTimeline, by: other).get().status == .ok)
    await server.stopAndWait()
    client.stop()
  }

  @Test("A dropped response breaks the client's connection, and the next request succeeds")
  func drops() async throws {
    let server = try SandboxServer(stateFolder: folder.path)
    let token = try await login(server)
    for worked in [false, true] {
      server.withFaults { $0.add(.drop(worked: worked), to: .homeTimeline) }
      let outcome = try await call(server, .homeTimeline, by: token)
      guard case .failure(let error) = outcome else {
        Issue.record("answered: \(outcome)")
        continue
      }
      #expect(error.kind == .broken)
      #expect(try await call(server, .homeTimeline, by: token).get().status == .ok)
    }
    await server.stopAndWait()
    client.stop()
  }

  @Test("The sandbox does not send a delayed response early")
  func delays() async throws {
    let server = try SandboxServer(stateFolder: folder.path)
    let token = try await login(server)
    server.withFaults { $0.add(.delay(.milliseconds(200)), to: .homeTimeline) }
    let start = ContinuousClock.now
    #expect(try await call(server, .homeTimeline, by: token).get().status == .ok)
    #expect(ContinuousClock.now - start >= .milliseconds(200))
    await server.stopAndWait()
    client.stop()
  }

  @Test("To prevent DNS rebinding, requests with a host name other than the sandbox's are refused")
  func rebinding() async throws {
    let server = try SandboxServer(stateFolder: folder.path)
    #expect(
      try await send(.get, server.address(of: .authorize), [.host: "example.org"]).get().status == .misdirectedRequest)
    await server.stopAndWait()
    client.stop()
  }

  @Test("A corrupt key file causes an error and is not overwritten")
  func badKey() throws {
    let path = folder.path + "/key"
    try AtomicFile.write([1, 2, 3], to: path, .replaced)
    let error = #expect(throws: SandboxError.self) { _ = try StateFolder(folder.path).state() }
    guard case .badKey(let named) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(named == path)
    #expect(try File.read(path, limit: 10) == [1, 2, 3])
  }
}
