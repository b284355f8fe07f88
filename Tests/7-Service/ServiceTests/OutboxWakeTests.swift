import Accounts
import Dispatch
import HTTP
import Platform
import Posting
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox
@testable import Service

/// Posts that wait in the outbox, on a clock that only the test moves: without a success of another request, no pause ends.
@Suite("Waking the outbox") struct OutboxWakeTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>
  private static let path = "/api/v1/statuses"

  private func fixture() throws -> Fixture {
    try Fixture(ofMastodon: MastodonSandbox(.mastodon), allowing: ["write:statuses"])
  }

  /// Posts a text, and returns what the user learns immediately.
  private func post(_ text: String, _ fixture: Fixture) async throws -> PostOutcome {
    try await withCheckedThrowingContinuation { continuation in
      let waiter = PostWaiter(patience: .zero) { _ in
      } completion: {
        continuation.resume(with: $0)
      }
      do {
        _ = try fixture.accountManager.post(PostDraft(text: text), attaching: [], to: fixture.account, waiter: waiter)
      } catch { waiter.leave() }
    }
  }

  private func attempts(_ fixture: Fixture) -> Int {
    fixture.visits.count { $0.path == Self.path }
  }

  private func published(_ fixture: Fixture) -> Int { fixture.play { $0.provider.api.publications.posts.count } }

  private func rest(_ fixture: Fixture) async {
    await withCheckedContinuation { done in fixture.accountManager.whenPostsRest(on: .main) { done.resume() } }
  }

  private static let page = Response(status: .forbidden, type: "text/html", text: "<html><body>Sign in</body></html>")

  @Test("a post stopped between client and server is sent when a refresh succeeds")
  func woken() async throws {
    let fixture = try fixture()
    fixture.play { $0.faults.add(.respond(Self.page), to: Self.path) }
    let outcome = try await post("Woken.", fixture)
    #expect(outcome.wait?.until == fixture.time.now + .seconds(5))
    #expect(outcome.wait?.reason.contains("web page (status 403)") == true)
    #expect(try await fixture.refresh().failure == nil)
    await rest(fixture)
    #expect(published(fixture) == 1)
    #expect(attempts(fixture) == 2)
    await fixture.close()
  }

  @Test("a post that is stopped again although other requests succeed waits for its whole pause the next time")
  func again() async throws {
    let fixture = try fixture()
    fixture.play { $0.faults.add(.respond(Self.page), to: Self.path, times: 2) }
    _ = try await post("Stopped twice.", fixture)
    for _ in 1...3 {
      _ = try await fixture.refresh()
      await rest(fixture)
    }
    #expect(attempts(fixture) == 2)
    fixture.time.pass(.seconds(15))
    _ = try await fixture.refresh()
    await rest(fixture)
    #expect(try await eventually { published(fixture) == 1 })
    await fixture.close()
  }

  @Test("no other request ends a pause that the server has asked for", arguments: [429, 503])
  func limited(status: Int) async throws {
    let fixture = try fixture()
    var response = Response(status: StatusCode(status), headers: [.contentType: "application/json"])
    response.body = Array(#"{"error": "Too many requests"}"#.utf8)
    response.headers.set("Retry-After", "20")
    fixture.play { $0.faults.add(.respond(response), to: Self.path) }
    let outcome = try await post("Limited.", fixture)
    #expect(outcome.wait?.until == fixture.time.now + .seconds(20))
    _ = try await fixture.refresh()
    await rest(fixture)
    #expect(attempts(fixture) == 1)
    await fixture.close()
  }
}
