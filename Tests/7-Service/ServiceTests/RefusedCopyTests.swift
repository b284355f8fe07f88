import Accounts
import Dispatch
import HTTP
import Posting
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox
@testable import Service

/// Posts that a server with OAuth 1.0a refuses because it has already received a request with the same nonce.
@Suite("Posts refused as copies", .timeLimit(.minutes(2))) struct RefusedCopyTests {
  private static let path = "/1.1/statuses/update.json"

  /// The refusal of an attempt.
  private static func used(_ attempt: Int) -> Response {
    Response(
      status: .unauthorized, type: "application/x-www-form-urlencoded",
      text: "oauth_problem=nonce_used&oauth_problem_advice=attempt+\(attempt)")
  }

  /// Sends a post, advances the clock after each refused attempt, and returns the post's state at the end.
  private func post(on service: SimulatedService, refused attempts: Int) async throws -> PostIntent {
    let settings = service.accounts[0]
    _ = try service.accountManager.post(
      PostDraft(text: "Only once."), attaching: [], to: settings,
      waiter: PostWaiter(progress: { _ in }, completion: { _ in }))
    let account = try service.accountManager.account(settings)
    func intent() throws -> PostIntent? { try service.accountManager.outboxes(of: [settings])[0].intents.first }
    for attempt in 1...attempts {
      let isRefused = try await eventually {
        guard case .sending(let current)? = try intent()?.state else { return false }
        return current.reason?.contains("attempt \(attempt)") == true
      }
      let state = try intent()?.state
      #expect(isRefused, "\(String(describing: state))")
      service.time.pass(.seconds(15))
      account.queue.sync { account.outbox.resume() }
    }
    let isSettled = try await eventually { try intent()?.isPending == false }
    let state = try intent()?.state
    #expect(isSettled, "\(String(describing: state))")
    return try #require(try intent())
  }

  private func service(_ faults: SandboxFault...) async throws -> SimulatedService {
    let service = try SimulatedService(accounts: 1, policy: SandboxPolicy())
    try await service.logIn()
    for fault in faults { service.sandbox.withFaults { $0.add(fault, to: Self.path) } }
    return service
  }

  private func published(_ service: SimulatedService) -> [String] {
    service.sandbox.with { $0.api.publications.posts.map { $0.pieces.map(\.text).joined() } }
  }

  @Test("a post whose first copy was published is found, and not sent again")
  func repeatedOnTheWay() async throws {
    let service = try await service(.change { $0 = Self.used(1) })
    #expect(try await post(on: service, refused: 1).isPosted)
    #expect(published(service) == ["Only once."])
    await service.close()
  }

  @Test("a post that was not published is sent once more, with a new nonce")
  func notPublished() async throws {
    let service = try await service(.respond(Self.used(1)))
    #expect(try await post(on: service, refused: 1).isPosted)
    #expect(published(service) == ["Only once."])
    await service.close()
  }

  @Test("a post whose repetition is refused too is left to the user")
  func refusedTwice() async throws {
    let service = try await service(.respond(Self.used(1)), .respond(Self.used(2)))
    guard case .unknown = try await post(on: service, refused: 2).state else {
      Issue.record("the post is sent again")
      return
    }
    #expect(published(service) == [])
    await service.close()
  }
}
