import Accounts
import Formats
import HTTP
import SandboxSupport
import Service
import Settings
import Testing
import Time
import Timeline

@testable import Sandbox

/// Answers that are not the timeline: which of them end something, and when homeline asks again.
@Suite("Answers in place of the timeline", .timeLimit(.minutes(4))) struct AskedAgainTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>

  private static let timeline = "/api/v1/timelines/home"
  private static let user = "/api/v1/accounts/verify_credentials"

  private static func html(_ status: Int, _ title: String) -> Response {
    Response(
      status: StatusCode(status), type: "text/html; charset=utf-8",
      text: "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><p>\(title)</p></body></html>")
  }

  private static func json(_ status: Int, _ body: String, retryAfter: FieldValue? = nil) -> Response {
    var response = Response(json: Array(body.utf8), status: StatusCode(status))
    if let retryAfter { response.headers.set("Retry-After", retryAfter) }
    return response
  }

  private static let between: [Response] = [
    html(401, "Back soon"), html(403, "One moment"), Response(status: .forbidden), html(404, "No such page"),
    Response(status: .notFound), html(200, "Guest network"), Response(status: .ok), html(451, "Blocked"),
    Response(status: .found, headers: ["Location": "https://sign-in.example/start"]),
    json(404, #"{"title":"Not Found","type":"about:blank","status":404,"detail":"Not Found"}"#),
  ]

  /// Returns when the timeline was requested, in hours after the first request.
  private func hours(_ fixture: Fixture) -> [Int] {
    let pages = fixture.pages
    return pages.map { Int(($0.at - pages[0].at).components.seconds / 3600) }
  }

  @Test(
    "whatever responds in the server's place, the account waits and recovers unaided", arguments: between.indices)
  func waits(index: Int) async throws {
    let fixture = try Fixture(.mastodon)
    #expect(try await fixture.refresh().failure == nil)
    fixture.server.with { $0.refusals["ann"] = Self.between[index] }
    await fixture.start()
    await fixture.run(for: .seconds(8 * 3600))
    let problem = try #require(try fixture.published().head.problem)
    #expect(problem.code == .provider, "\(problem)")
    #expect(problem.message.contains("127.0.0.1") && !problem.message.contains("homeline login"), "\(problem)")
    #expect((10...40).contains(fixture.pages.count), "\(fixture.pages.count) requests")
    fixture.server.with { $0.refusals = [:] }
    await fixture.run(for: .seconds(2400))
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test(
    "if an account's token is refused, its timeline is requested again after 1, 2, 4, … hours, even after a restart")
  func refused() async throws {
    let fixture = try Fixture(.mastodon)
    fixture.server.with { $0.refusals["ann"] = Self.json(401, #"{"error":"The access token is invalid"}"#) }
    await fixture.start()
    await fixture.run(for: .seconds(10 * 3600))
    let problem = try #require(try fixture.published().head.problem)
    #expect(problem.code == .notAuthorised && problem.message.contains("homeline login ann"), "\(problem)")
    #expect(hours(fixture).filter { $0 > 0 } == [1, 3, 7], "\(hours(fixture))")
    #expect(fixture.renewals.count <= 1)
    let retryAt = try #require(problem.retryAt)

    await withCheckedContinuation { done in fixture.accountManager.shutDown { done.resume() } }
    let next = fixture.nextAccountManager()
    await withCheckedContinuation { done in next.startSchedule { done.resume() } }
    #expect(hours(fixture).filter { $0 > 0 } == [1, 3, 7], "a restart asks immediately")
    fixture.server.with { $0.refusals = [:] }
    while fixture.time.now < retryAt + .seconds(10) {
      fixture.time.pass(.seconds(60))
      fixture.time.ring()
      _ = next.scheduler.snapshots
    }
    #expect(try await eventuallyFresh(fixture), "\(hours(fixture))")
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    await withCheckedContinuation { done in fixture.server.stop { done.resume() } }
  }

  private func eventuallyFresh(_ fixture: Fixture) async throws -> Bool {
    for _ in 0..<1000 {
      if try fixture.published().head.problem == nil { return true }
      try await Task.sleep(for: .milliseconds(20))
      fixture.time.ring()
    }
    return false
  }

  @Test("a server that no longer has the timeline is asked after 1, 2, 4, … hours, then daily")
  func closed() async throws {
    let fixture = try Fixture(.mastodon)
    #expect(try await fixture.refresh().failure == nil)
    fixture.server.with {
      $0.forgetVisits()
      $0.refusals["ann"] = Self.json(404, #"{"error":"Record not found"}"#)
    }
    await fixture.start()
    await fixture.run(for: .seconds(80 * 3600))
    #expect(try fixture.published().head.problem?.code == .closed)
    #expect(try fixture.published().head.problem?.message.contains("endpoints") == false)
    let waits = hours(fixture).filter { $0 > 0 }
    #expect(waits.starts(with: [1, 3, 7, 15, 31]) && waits.count == 7, "\(waits)")
    fixture.server.with { $0.refusals = [:] }
    await fixture.run(for: .seconds(25 * 3600))
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test("a logged-out account sends no requests")
  func loggedOut() async throws {
    let fixture = try Fixture(.mastodon)
    fixture.server.with { $0.refusals["ann"] = Self.json(401, #"{"error":"The access token was revoked"}"#) }
    await fixture.start()
    await fixture.run(for: .seconds(1800))
    await withCheckedContinuation { done in
      do { try fixture.accountManager.logout(fixture.account) { _ in done.resume() } } catch {
        Issue.record(error)
        done.resume()
      }
    }
    fixture.server.with { $0.forgetVisits() }
    await fixture.run(for: .seconds(48 * 3600))
    #expect(fixture.visits.isEmpty)
    await fixture.close()
  }

  @Test("after an empty 401, one request for the user decides whether the login has ended", arguments: [true, false])
  func checked(isRefused: Bool) async throws {
    let fixture = try Fixture(.snac)
    #expect(try await fixture.refresh().failure == nil)
    fixture.play { sandbox in
      sandbox.faults.add(.respond(Response(status: .unauthorized)), to: Self.timeline, times: 3)
      if isRefused { sandbox.faults.add(.respond(Response(status: .unauthorized)), to: Self.user, times: 3) }
    }
    fixture.server.with { $0.forgetVisits() }
    let report = try await fixture.refresh()
    #expect(report.failure?.kind == (isRefused ? .notAuthorised : .unavailable), "\(report)")
    #expect(fixture.visits.filter { $0.path == Self.user }.count == 1)
    #expect(fixture.pages.count <= 2, "one more after a renewal")
    #expect(try fixture.published().head.problem?.code == (isRefused ? .notAuthorised : .provider))
    await fixture.close()
  }

  @Test("if a web page answers with status 401 for a day while the server itself works, the user is advised to log in")
  func advised() async throws {
    let fixture = try Fixture(.mastodon)
    #expect(try await fixture.refresh().failure == nil)
    fixture.server.with { $0.refusals["ann"] = Self.html(401, "Back soon") }
    await fixture.start()
    await fixture.run(for: .seconds(23 * 3600))
    #expect(try fixture.published().head.problem?.message.contains("homeline login") == false)
    #expect(fixture.visits.allSatisfy { !$0.path.hasSuffix("/instance") })
    await fixture.run(for: .seconds(3 * 3600))
    let problem = try #require(try fixture.published().head.problem)
    #expect(problem.code == .provider && problem.message.contains("homeline login ann"), "\(problem)")
    fixture.server.with { $0.refusals = [:] }
    await fixture.run(for: .seconds(2400))
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test(
    "Retry-After alone determines when the timeline is requested again, and the published retry time matches the actual request",
    arguments: [429, 503])
  func retryAfter(status: Int) async throws {
    let fixture = try Fixture(.mastodon)
    #expect(try await fixture.refresh().failure == nil)
    fixture.play {
      $0.faults.add(.respond(Self.json(status, #"{"error":"Not now"}"#, retryAfter: "20")), to: Self.timeline)
    }
    let before = fixture.time.now
    let code = try await fixture.refresh().failure?.kind
    if status == 503 { #expect(code == .unavailable) } else { #expect(code != .unavailable) }
    let problem = try #require(try fixture.published().head.problem)
    let retryAt = try #require(problem.retryAt)
    #expect((20...26).contains((retryAt - before).components.seconds), "\(retryAt - before)")
    fixture.server.with { $0.forgetVisits() }
    await fixture.start()
    await fixture.run(for: .seconds(40))
    let asked = try #require(fixture.pages.first?.at)
    #expect(asked >= before + .seconds(20) && asked - retryAt <= .seconds(2), "\(asked - before)")
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }
}
