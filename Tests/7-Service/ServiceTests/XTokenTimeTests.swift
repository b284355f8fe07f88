import Accounts
import Dispatch
import Formats
import HTTP
import SandboxSupport
import Service
import Settings
import Storage
import Testing
import Time
import Timeline

@testable import Sandbox

@Suite("When an X token is renewed") struct XTokenTimeTests {
  @Test(
    "a scheduled renewal happens before the token expires, and only once per token, regardless of the server's clock",
    arguments: [0, 3_600, -3_600])
  func ahead(offset: Int64) async throws {
    let fixture = try XFixture.ofX { $0.clockOffset = .seconds(offset) }
    await fixture.start()
    await fixture.run(for: .seconds(12 * 3600))
    // A token is valid for 7200 s, and its renewal is due in the last ten minutes.
    #expect((6...7).contains(fixture.renewals.count), "\(fixture.renewals.count)")
    #expect(fixture.visits.filter { $0.status != 200 }.isEmpty)
    #expect(Set(fixture.renewals.map(\.token)).count == fixture.renewals.count)
    await fixture.close()
  }

  @Test(
    "programs that exit after each refresh renew tokens no more often, regardless of the server's clock",
    arguments: [3_600, -3_600])
  func shortLived(offset: Int64) async throws {
    let fixture = try XFixture.ofX {
      $0.clockOffset = .seconds(offset)
      $0.oauth2.policy.accessLife = .seconds(3_500)
    }
    for _ in 0..<16 {
      let accountManager = fixture.nextAccountManager()
      #expect(try await fixture.refresh(accountManager).failure == nil)
      await withCheckedContinuation { done in accountManager.shutDown { done.resume() } }
      fixture.time.pass(.seconds(900))
    }
    #expect((3...4).contains(fixture.renewals.count), "\(fixture.renewals.count)")
    await fixture.close()
  }

  /// The temporary failures of the token endpoint, and of proxies in front of it.
  static let troubles: [SandboxFault] = [
    .named(.serverError), .named(.captivePortal), .drop(worked: false),
    .respond(Response(status: .tooManyRequests)), .respond(Response(status: .serviceUnavailable)),
    .respond(Response(status: .forbidden, type: "text/html", text: "<html><body>Just a moment</body></html>")),
  ]

  @Test(
    "failures of the token endpoint are not final, and the old token is used as long as it is valid",
    arguments: troubles.indices)
  func trouble(index: Int) async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    let end = try #require(first.expiresAt)
    fixture.play { $0.faults.add(Self.troubles[index], to: XRoute.token.path, times: 10_000) }
    await fixture.start()
    await fixture.run(for: (end - fixture.time.now) - .seconds(1))
    let attempts = fixture.renewals.map(\.at)
    #expect(!attempts.isEmpty && attempts.count <= 10, "\(attempts.count)")
    let pauses = Self.pauses(attempts)
    #expect(pauses.count > 1 && zip(pauses, pauses.dropFirst()).allSatisfy { $0 < $1 }, "\(pauses)")
    #expect(fixture.pages.allSatisfy { $0.status == 200 } && fixture.pages.count >= 8)
    #expect(try fixture.published().head.problem == nil)
    #expect(try fixture.token() == first)

    await fixture.run(for: .seconds(2 * 3600))
    let problem = try #require(try fixture.published().head.problem)
    #expect(problem.code == .provider || problem.code == .network)
    #expect(problem.message.contains("renew"), "\(problem.message)")
    #expect(fixture.renewals.count < attempts.count + 16)
    #expect(fixture.pages.allSatisfy { $0.at < end }, "a token is not used after its expiry")
    #expect(try fixture.token() == first)

    fixture.play { $0.faults.removeAll() }
    await fixture.run(for: .seconds(3_600))
    #expect(try fixture.published().head.problem == nil)
    #expect(try fixture.token().accessToken != first.accessToken)
    await fixture.close()
  }

  /// Returns the times between attempts. A second attempt at the same time counts as part of the first one.
  private static func pauses(_ attempts: [Timestamp]) -> [Duration] {
    let moments = attempts.reduce(into: [Timestamp]()) { if $0.last != $1 { $0.append($1) } }
    return zip(moments.dropFirst(), moments).map { $0 - $1 }
  }
}
