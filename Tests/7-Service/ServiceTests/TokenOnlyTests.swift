import HomelineOAuth
import Accounts
import Bytes
import Dispatch
import Folders
import HTTP
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import Testing
import Time
import Timeline

@testable import Sandbox

@Suite("An account that only maintains a token") struct TokenOnlyTests {
  private typealias ServiceFixture = BearerFixture<PlainAuthorizationServer>

  private func fixture(life: Duration = .seconds(7_200)) throws -> ServiceFixture {
    let fixture = try ServiceFixture(PlainAuthorizationServer(life: life)) { address in
      AccountSettings(
        name: AccountName("mail")!, provider: "oauth2",
        credentials: .oauth2(clientID: PlainAuthorizationServer.client.identifier, clientSecret: nil),
        endpoints: [
          "authorize": try RequestURL(address + PlainAuthorizationServer.flow.authorize),
          "token": try RequestURL(address + PlainAuthorizationServer.flow.token),
        ])
    }
    try fixture.authorise(as: PlainAuthorizationServer.client, PlainAuthorizationServer.flow)
    return fixture
  }

  @Test("a token-only account renews its token before it expires, sends no other requests and publishes nothing")
  func ahead() async throws {
    let fixture = try fixture()
    await fixture.start()
    for _ in 0..<72 {
      await fixture.run(for: .seconds(600))
      #expect(try fixture.token().expiresAt.map { $0 > fixture.time.now } == true)
    }
    #expect((6...7).contains(fixture.renewals.count), "\(fixture.renewals.count)")
    #expect(fixture.visits.count == fixture.renewals.count && fixture.visits.allSatisfy { $0.status == 200 })
    #expect(!File.exists(fixture.files.timeline))
    await fixture.close()
  }

  @Test("a manual refresh of a token-only account checks its token, and renews it only if it is due")
  func user() async throws {
    let fixture = try fixture()
    for _ in 0..<3 { #expect(try await fixture.refresh().failure == nil) }
    #expect(fixture.visits.isEmpty)
    fixture.time.pass(.seconds(7_000))
    for _ in 0..<3 { #expect(try await fixture.refresh().failure == nil) }
    #expect(fixture.visits.map(\.isRenewal) == [true])
    #expect(!File.exists(fixture.files.timeline))
    await fixture.close()
  }

  @Test("a token-only account without a token sends no request, and tells the user the next step")
  func unauthorised() async throws {
    let fixture = try fixture()
    try File.remove(fixture.files.token)
    await fixture.start()
    await fixture.run(for: .seconds(3_600))
    #expect(try await fixture.refresh().failure?.message.contains("homeline login mail") == true)
    #expect(fixture.visits.isEmpty && !File.exists(fixture.files.timeline))
    await fixture.close()
  }

  @Test("a token-only account waits longer and longer while the server fails, and then resumes")
  func pauses() async throws {
    let fixture = try fixture()
    fixture.play { $0.faults.add(.named(.serverError), to: PlainAuthorizationServer.flow.token, times: 10_000) }
    await fixture.start()
    await fixture.run(for: .seconds(4 * 3600))
    #expect((8...20).contains(fixture.renewals.count), "\(fixture.renewals.count)")
    fixture.play { $0.faults.removeAll() }
    await fixture.run(for: .seconds(3_600))
    #expect(try fixture.token().expiresAt.map { $0 > fixture.time.now } == true)
    #expect(fixture.visits.count == fixture.renewals.count && !File.exists(fixture.files.timeline))
    await fixture.close()
  }

  @Test("after a final refusal, a token-only account asks for a login when its token expires, and then waits")
  func dead() async throws {
    let fixture = try fixture(life: .seconds(600))
    fixture.play { $0.oauth2.tokens.revokeAll(of: nil) }
    await fixture.start()
    await fixture.run(for: .seconds(6 * 3600))
    #expect(fixture.renewals.count == 1)
    #expect(fixture.accountManager.scheduler.snapshots.values.first?.trouble?.contains("homeline login mail") == true)
    await fixture.close()
  }

  @Test(
    "a token-only account does not loop, even if the server issues tokens that expire immediately", arguments: [0, 1])
  func hot(life: Int64) async throws {
    let fixture = try fixture(life: .seconds(life))
    await fixture.start()
    await fixture.run(for: .seconds(600))
    #expect((2...21).contains(fixture.renewals.count), "\(fixture.renewals.count)")
    #expect(Set(fixture.renewals.map(\.token)).count == fixture.renewals.count)
    #expect(fixture.visits.count == fixture.renewals.count)
    await fixture.close()
  }
}
