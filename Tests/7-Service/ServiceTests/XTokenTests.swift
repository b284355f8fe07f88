import Accounts
import Dispatch
import Formats
import Glibc
import HTTP
import HomelineOAuth
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import Testing
import Time
import Timeline

@testable import Sandbox

@Suite("An OAuth 2.0 token from X") struct XTokenTests {
  @Test("an expired X token is renewed before any request")
  func expired() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    fixture.time.pass(.seconds(7_201))
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.visits.map(\.status) == [200, 200] && fixture.visits[0].isRenewal)
    let second = try fixture.token()
    #expect(second.accessToken != first.accessToken && second.refreshToken != first.refreshToken)
    #expect(second.expiresAt.map { $0 - fixture.time.now > .seconds(7_190) } == true)
    #expect(try fixture.published().posts.count == 20)
    await fixture.close()
  }

  @Test(
    "an X token refused before it expires is renewed only once, and the request is sent again",
    arguments: [0, 3_600, -3_600])
  func early(ahead: Int64) async throws {
    let fixture = try XFixture.ofX { $0.clockOffset = .seconds(ahead) }
    #expect(try await fixture.refresh().failure == nil)
    try fixture.endAccess()
    fixture.server.with { $0.forgetVisits() }
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.visits.map(\.isRenewal) == [false, true, false])
    #expect(fixture.visits.map(\.status) == [401, 200, 200])
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test(
    "an empty 401 or 403 leads to one renewal; after that, its cause is uncertain, and the requests are repeated",
    arguments: [StatusCode.unauthorized, .forbidden])
  func refusedWithoutReason(status: StatusCode) async throws {
    let fixture = try XFixture.ofX()
    fixture.server.with { $0.refusals["x"] = Response(status: status) }
    await fixture.start()
    await fixture.run(for: .seconds(3600))
    #expect(fixture.visits.prefix(3).map(\.isRenewal) == [false, true, false] && fixture.renewals.count == 1)
    #expect(try fixture.published().head.problem?.code == .provider)
    fixture.server.with { $0.refusals = [:] }
    await fixture.run(for: .seconds(2400))
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test(
    "a second refusal after the renewal requires a login, and X, which charges for posts, is asked again after a day")
  func refusedAgain() async throws {
    let fixture = try XFixture.ofX()
    fixture.server.with {
      $0.refusals["x"] = Response(
        status: .unauthorized,
        headers: [
          "WWW-Authenticate": "Bearer error=\"invalid_token\", error_description=\"The token is not valid\""
        ])
    }
    await fixture.start()
    await fixture.run(for: .seconds(4 * 3600))
    #expect(fixture.visits.map(\.isRenewal) == [false, true, false])
    #expect(try fixture.published().head.problem?.code == .notAuthorised)
    #expect(try fixture.published().head.problem?.message.contains("homeline login x") == true)
    #expect(
      try fixture.token().expiresAt.map { $0 > fixture.time.now - .seconds(4 * 3600) } == true, "nothing is deleted")
    await fixture.close()
  }

  @Test("an outage where X responds to every request with 401 ends no authorisation and causes no repeated renewals")
  func outage() async throws {
    let fixture = try XFixture.ofX()
    #expect(try await fixture.refresh().failure == nil)
    let bare = #"{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}"#
    fixture.server.with {
      $0.refusals["x"] = Response(
        status: .unauthorized, headers: [.contentType: "application/problem+json"], body: Array(bare.utf8))
    }
    await fixture.start()
    await fixture.run(for: .seconds(3_600))
    #expect(try fixture.published().head.problem?.code == .provider)
    #expect(fixture.renewals.count <= 2, "a new token is also refused")
    #expect(fixture.pages.count > 3)
    fixture.server.with { $0.refusals = [:] }
    await fixture.run(for: .seconds(3_600))
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test("an invalid refresh token ends the authorisation with X's message, but deletes nothing")
  func dead() async throws {
    let fixture = try XFixture.ofX()
    #expect(try await fixture.refresh().failure == nil)
    let before = try fixture.token()
    fixture.play { $0.oauth2.tokens.revokeAll(of: nil) }
    fixture.time.pass(.seconds(7_201))
    let report = try await fixture.refresh()
    #expect(report.failure?.kind == .notAuthorised)
    let problem = try #require(try fixture.published().head.problem)
    #expect(problem.code == .notAuthorised && problem.message.contains("Value passed for the token was invalid."))
    #expect(problem.message.contains("homeline login x"))
    #expect(try fixture.token() == before)
    #expect(try fixture.published().posts.count == 20)
    #expect(fixture.renewals.count == 1)
    await fixture.start()
    await fixture.run(for: .seconds(3 * 3600))
    #expect(fixture.renewals.count == 1, "only the user can cause another renewal")
    await fixture.close()
  }

  @Test("a token without expires_in is used until X refuses it, and is then renewed")
  func endless() async throws {
    let fixture = try XFixture.ofX { $0.oauth2.policy.accessLife = nil }
    #expect(try fixture.token().expiresAt == nil)
    await fixture.start()
    await fixture.run(for: .seconds(9 * 3600))
    #expect(fixture.renewals.isEmpty && fixture.pages.count > 30)
    try fixture.endAccess()
    await fixture.run(for: .seconds(3 * 3600))
    #expect(fixture.renewals.count == 1 && fixture.visits.filter { $0.status == 401 }.count == 1)
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }
}
