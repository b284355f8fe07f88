import Accounts
import Folders
import Login
import Platform
import Settings
import TestSupport
import Testing

@testable import ControlProtocol
@testable import Service

extension ControlFixture {
  /// Waits until the server is idle, without occupying a thread of the tests.
  fileprivate func isIdle() async -> Bool {
    await withCheckedContinuation { done in server.whenIdle { done.resume(returning: true) } }
  }
}

/// Requests of the state owner's own process, which go to the same handlers as those of the control socket.
@Suite("Requests within the state owner") struct InternalRequestTests {
  /// What a caller gets.
  private final class Caller: Sendable {
    let events = Locked<[any ControlEvent]>([])
    let responses = Locked<[ControlResponse]>([])

    /// Starts a request.
    func start(_ request: any HandledRequest, in fixture: ControlFixture) -> @Sendable () -> Void {
      fixture.server.carryOut(request) { event in
        self.events.withLock { $0.append(event) }
      } completion: { response in
        self.responses.withLock { $0.append(response) }
      }
    }

    /// Returns the end of the response.
    func end() async throws -> ControlResponse? {
      _ = try await eventually { self.responses.withLock { !$0.isEmpty } }
      return responses.withLock { $0.first }
    }

    /// Waits for the address of a login.
    func address() async throws -> AddressEvent {
      _ = try await eventually { self.events.withLock { $0.contains { $0 is AddressEvent } } }
      return try #require(events.withLock { $0.compactMap { $0 as? AddressEvent }.first })
    }
  }

  @Test("A caller gets the same events as a command, as values, and then the end")
  func login() async throws {
    let fixture = try ControlFixture()
    let caller = Caller()
    _ = caller.start(LoginRequest(account: "one"), in: fixture)
    let address = try await caller.address()
    SandboxVisitor(client: fixture.accountManager.client).authorise(at: address.url) { _ in }
    #expect(try await caller.end() == .end(EndEvent(exit: .done)))
    let names = caller.events.withLock { $0.map { type(of: $0).name } }
    #expect(names == ["begun", "address", "authorised", "stored", "refreshed"])
    #expect(await fixture.isIdle())
    #expect(File.exists(fixture.files("one").token))
  }

  @Test("A refusal, a document and an empty response arrive as such")
  func whole() async throws {
    let fixture = try ControlFixture()
    let (unknown, status, input) = (Caller(), Caller(), Caller())
    _ = unknown.start(RefreshRequest(accounts: ["nobody"]), in: fixture)
    guard case .refusal(let error) = try await unknown.end() else {
      Issue.record("an unknown account was accepted")
      return
    }
    #expect(error.exitCode == .usage && error.message.contains("nobody"))
    _ = status.start(StatusRequest(), in: fixture)
    guard case .document(let json) = try await status.end() else {
      Issue.record("there is no status")
      return
    }
    #expect(String(decoding: json, as: UTF8.self).contains("\"one\""))
    _ = input.start(LoginInputRequest(login: "none", .end), in: fixture)
    guard case .refusal(let none) = try await input.end() else {
      Issue.record("a login that does not exist got input")
      return
    }
    #expect(none.exitCode == .temporary)
  }

  @Test("A login ends when its caller leaves, and nothing more is passed on")
  func left() async throws {
    let fixture = try ControlFixture()
    let caller = Caller()
    let leave = caller.start(LoginRequest(account: "one"), in: fixture)
    _ = try await caller.address()
    leave()
    leave()
    #expect(await fixture.isIdle())
    #expect(caller.responses.withLock { $0.isEmpty })
    #expect(!File.exists(fixture.files("one").token))
  }

  @Test("A server that has stopped refuses requests of its own process too")
  func stopped() async throws {
    let fixture = try ControlFixture()
    await withCheckedContinuation { done in fixture.server.stop(grace: .zero) { done.resume() } }
    let caller = Caller()
    _ = caller.start(RefreshRequest(), in: fixture)
    guard case .refusal(let error) = try await caller.end() else {
      Issue.record("a request was accepted")
      return
    }
    #expect(error.exitCode == .temporary)
  }
}
