import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// A service killed with SIGKILL between a paid request and its response.
@Suite("A service killed during a paid request") struct KilledPaidRequestTests {
  @Test("After SIGKILL, the reserved cost of a request still counts, so later refreshes stay within the budget")
  func killed() async throws {
    let victim = Locked<ProgramRun?>(nil)
    let fixture = try TwitterFixture(accounts: []) { record in
      // The service is killed before the provider responds.
      if record.path.hasPrefix(TwitterRoute.reverseChronological.path) { victim.withLock { $0 }?.signal(SIGKILL) }
    }
    try fixture.configure([("x", account(fixture))])
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn("x")
    let before = try await spending(fixture)
    let requests = try #require(before["requests"].integer)
    #expect(requests >= 1 && before["usd_reserved"] == .number("0.00"), "\(before) \(daemon.log)")

    victim.withLock { $0 = daemon.program }
    _ = try? await daemon.request("refresh", #"{"accounts":["x"]}"#)
    #expect(await daemon.program.end().code == 128 + SIGKILL)
    victim.withLock { $0 = nil }
    let after = try await spending(fixture)
    #expect(try #require(after["requests"].integer) > requests && after["usd_reserved"] != .number("0.00"))
    let posts = try #require(after["posts"].integer)
    #expect(posts > before["posts"].integer ?? 0 && posts <= 60)

    // Later refreshes do not release the reserved cost.
    for _ in 0..<8 { _ = try await fixture.home.run("refresh", "x") }
    let end = try await spending(fixture)
    #expect(end["usd_reserved"] == after["usd_reserved"])
    #expect(try #require(end["posts"].integer) <= 60)
    let status = try await fixture.home.run("status", "-v", "x")
    #expect(
      status.output.contains("USD today (") && status.output.contains("at most 27.90 USD a month"), "\(status.output)")
  }

  private func spending(_ fixture: TwitterFixture) async throws -> JSONValue {
    let outcome = try await fixture.home.run("status", "x", "--json")
    return try JSONValue(Array(outcome.output.utf8))["accounts"].items[0]["spending"]
  }

  private func account(_ fixture: TwitterFixture) -> String {
    let routes: [(String, TwitterRoute)] = [
      ("request_token", .requestToken), ("authorize", .authorize), ("access_token", .accessToken),
      ("users_me", .usersMe), ("home_timeline", .reverseChronological), ("invalidate_token", .invalidateToken),
    ]
    let endpoints = routes.map { #""\#($0)": "\#(fixture.sandbox.address(of: $1))""# }.joined(separator: ", ")
    return """
      { "provider": "x", "consumer_key": "sandbox", "consumer_secret": "\(TwitterFixture.consumerSecret)",
        "first_fill_posts": 5, "budget": { "posts_per_day": 60, "usd_per_day": null }, "endpoints": { \(endpoints) } }
      """
  }
}
