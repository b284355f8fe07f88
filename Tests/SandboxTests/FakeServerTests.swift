import CivilTime
import Dispatch
import HTTP
import HomelineOAuth
import Platform
import Sandbox
import TestSupport
import Testing
import Transport

@Suite("A played provider on a port")
struct FakeServerTests {
  private let client = Client(policy: ClientPolicy(userAgent: "test", environment: [:]))

  private func get(_ url: String, _ headers: HeaderFields = [:]) async throws -> Response {
    try await withCheckedContinuation { continuation in
      client.send(ClientRequest(method: .get, url: url, headers: headers), on: DispatchQueue(label: "test")) {
        continuation.resume(returning: $0)
      }
    }.get()
  }

  private func stop(_ server: any RunningSandbox) async {
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
  }

  @Test("the running provider is read and changed from outside, and Date follows its clock")
  func reached() async throws {
    let records = Locked<[SandboxRecord]>([])
    let server = try FakeServer(
      service: XSandbox(redirects: [OAuth2Walk.redirect]), clock: WallClock { OAuth2Walk.start },
      onRequest: { record in records.withLock { $0.append(record) } })
    #expect(try await get(server.baseURL + "/2/users/me").status == .unauthorized)
    server.with {
      $0.faults.add(.serviceUnavailable, to: "/2/users/me")
      $0.clockOffset = .seconds(90)
    }
    let response = try await get(server.baseURL + "/2/users/me")
    #expect(response.status == .serviceUnavailable)
    #expect(response.headers.all("Date") == [(OAuth2Walk.start + .seconds(90)).imfFixdate])
    #expect(server.with { $0.ledger } == SandboxLedger())
    #expect(records.withLock { $0.map(\.status) } == [.unauthorized, .serviceUnavailable])
    #expect(try await get(server.baseURL + "/", [.host: "example.org"]).status == .misdirectedRequest)
    await stop(server)
    client.stop()
  }

  @Test("each kind is served by its name", arguments: SandboxKind.allCases)
  func kinds(kind: SandboxKind) async throws {
    let folder = TemporaryFolder()
    let server = try kind.serve(
      on: try .loopback(port: 0, host: .literal),
      SandboxOptions(stateFolder: folder.path + "/state", redirects: []))
    #expect(SandboxKind(rawValue: kind.rawValue) == kind)
    #expect(try await get(server.baseURL + "/2/users/me").status.code >= 400)
    await stop(server)
    client.stop()
  }
}
