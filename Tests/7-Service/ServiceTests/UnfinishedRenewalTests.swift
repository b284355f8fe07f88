import Accounts
import Bytes
import Folders
import Formats
import HTTP
import HomelineOAuth
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import StorageFiles
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// Renewals that an earlier process left without a response, and renewals that the server finally refuses.
@Suite("Unfinished and refused renewals", .timeLimit(.minutes(3))) struct UnfinishedRenewalTests {
  private typealias ServiceFixture = BearerFixture<PlainAuthorizationServer>

  private func fixture() throws -> ServiceFixture {
    let fixture = try ServiceFixture(PlainAuthorizationServer()) { address in
      AccountSettings(
        name: AccountName("mail")!, provider: "oauth2",
        credentials: .oauth2(clientID: PlainAuthorizationServer.client.identifier, clientSecret: nil),
        endpoints: [
          "authorize": try RequestURL(address + PlainAuthorizationServer.flow.authorize),
          "token": try RequestURL(address + PlainAuthorizationServer.flow.token),
        ])
    }
    fixture.play { $0.oauth2.policy.grace = .seconds(3) }
    try fixture.authorise(as: PlainAuthorizationServer.client, PlainAuthorizationServer.flow)
    return fixture
  }

  /// Leaves the files of a process that was killed during a renewal, just after the server had renewed the token.
  private func killDuringRenewal(_ fixture: ServiceFixture, unfinished: Int = 1) throws {
    let refreshToken = try #require(try fixture.token().refreshToken).withExposedText { $0 }
    let now = fixture.time.now
    let response = fixture.play {
      $0.response(
        to: .form(
          PlainAuthorizationServer.flow.token,
          [
            Parameter("grant_type", "refresh_token"), Parameter("refresh_token", refreshToken),
            Parameter("client_id", PlainAuthorizationServer.client.identifier),
          ]), at: now)
    }.response
    #expect(response.status == .ok)
    try AtomicFile.write([UInt8](repeating: 0, count: 8_192), to: fixture.files.token + ".next", .synced)
    try Folder.create(fixture.files.dataFolder)
    try StartMarker(fixture.files).write(
      RequestStart(at: fixture.time.clocks.boot(), wall: now, unfinished: unfinished))
  }

  @Test("a renewal that a killed process left unanswered is repeated immediately, within the server's grace period")
  func killed() async throws {
    let fixture = try fixture()
    fixture.time.pass(.seconds(7_000))
    try killDuringRenewal(fixture)
    fixture.time.pass(.seconds(1))
    await fixture.start()
    // The clock does not move until the renewal has been repeated.
    #expect(try await eventually { fixture.renewals.count == 1 })
    #expect(
      try await eventually { try fixture.token().expiresAt.map { $0 > fixture.time.now + .seconds(7_000) } == true })
    #expect(fixture.renewals.map(\.status) == [200])
    await fixture.run(for: .seconds(60))
    #expect(fixture.renewals.count == 1)
    await fixture.close()
  }

  @Test("a token is renewed even if it is not due, because the server may have used up its refresh token")
  func killedEarly() async throws {
    let fixture = try fixture()
    try killDuringRenewal(fixture)
    let former = try fixture.token()
    await fixture.start()
    #expect(try await eventually { try fixture.token().accessToken != former.accessToken })
    #expect(fixture.renewals.map(\.status) == [200])
    await fixture.close()
  }

  @Test("if the program is killed during every renewal, it pauses before the next attempt")
  func killedAgain() async throws {
    let fixture = try fixture()
    fixture.time.pass(.seconds(7_000))
    try killDuringRenewal(fixture, unfinished: 4)
    await fixture.start()
    #expect(fixture.renewals.isEmpty)
    await fixture.run(for: .seconds(121))
    #expect(fixture.renewals.count == 1)
    await fixture.close()
  }

  @Test("if a renewal is finally refused, the token is used until it expires, and the log gives the expiry")
  func refused() async throws {
    let fixture = try BearerFixture<MastodonSandbox>(.mastodon)
    fixture.play {
      $0.oauth.policy.accessLife = .seconds(7_200)
      $0.oauth.policy.refreshTokens = .always
    }
    try await fixture.accountManager.logIn(fixture.account).get()
    let end = try #require(try fixture.token().expiresAt)
    fixture.play {
      $0.faults.add(
        .respond(
          Response(
            status: .badRequest, headers: [.contentType: "application/json"],
            body: Array(#"{"error":"invalid_grant","error_description":"no more"}"#.utf8))),
        to: "/oauth/token", times: 10)
    }
    fixture.time.pass(.seconds(7_000))
    for _ in 0..<2 { #expect(try await fixture.refresh().failure == nil) }
    #expect(fixture.renewals.count == 1)
    let notices = fixture.lines.withLock { $0.filter { $0.contains("The login ends at \(end.rfc3339)") } }
    #expect(notices.count == 1 && notices[0].contains("no more"), "\(notices)")
    #expect(try fixture.published().head.loginNeededBy == end)
    // The service asks for a login in time, and continues to refresh.
    await fixture.start()
    fixture.time.pass(.seconds(120))
    #expect(try await fixture.refresh().failure == nil)
    fixture.time.pass(.seconds(100))
    let failure = try #require(try await fixture.refresh().failure)
    #expect(failure.kind == .notAuthorised && failure.message.contains("no more"), "\(failure.message)")
    #expect(fixture.renewals.count == 1)
    await fixture.close()
  }
}
