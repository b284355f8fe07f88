import HTTP
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing
import Time

/// `homeline status --format prometheus`.
@Suite("Metrics", .timeLimit(.minutes(2))) struct MetricsTests {
  /// Returns the values of the metrics, by their names with labels.
  private static func values(_ text: String) -> [String: String] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let pairs = lines.compactMap { line in line.lastIndex(of: " ").map { (line[..<$0], line[line.index(after: $0)...]) }
    }
    return Dictionary(pairs.map { (String($0), String($1)) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("The metrics contain each account's freshness, posts, limits, errors, token and budget")
  func values() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    let now = try #require(try fixture.home.published("bird")["refreshed_at"].text)
    let daemon = try await RunningDaemon(fixture.home)
    let running = Self.values(try await fixture.home.run("status", "--format", "prometheus").output)
    #expect(running["homeline_service_up"] == "1" && running["homeline_service_start_time_seconds"] != nil)
    await daemon.stop()
    let outcome = try await fixture.home.run("status", "--format", "prometheus")
    #expect(outcome.code == 0)
    let values = Self.values(outcome.output)
    for (name, value) in [
      ("homeline_build_info{version=\"0.1.0\"}", "1"), ("homeline_service_up", "0"),
      ("homeline_configuration_valid", "1"), ("homeline_account_info{account=\"bird\",provider=\"x\"}", "1"),
      ("homeline_account_enabled{account=\"bird\"}", "1"), ("homeline_account_authorised{account=\"bird\"}", "1"),
      ("homeline_account_fresh{account=\"bird\"}", "1"), ("homeline_account_failures{account=\"bird\"}", "0"),
      ("homeline_account_unread_posts{account=\"bird\"}", "20"),
      ("homeline_account_budget_posts_per_day{account=\"bird\"}", "200"),
    ] { #expect(values[name] == value, "\(name) in \(outcome.output)") }
    for name in [
      "last_refresh_timestamp_seconds", "next_refresh_timestamp_seconds", "posts", "token_expiry_timestamp_seconds",
      "rate_limit_remaining_requests", "rate_limit_reset_timestamp_seconds", "spent_today_usd", "spent_this_month_usd",
      "posts_today",
    ] { #expect(values["homeline_account_\(name){account=\"bird\"}"] != nil, "\(name) (\(now)) in \(outcome.output)") }

    _ = try await fixture.home.run("logout", "bird")
    let ended = Self.values(try await fixture.home.run("status", "--format", "prometheus").output)
    #expect(ended["homeline_account_authorised{account=\"bird\"}"] == "0")
    #expect(ended["homeline_account_fresh{account=\"bird\"}"] == "0")
    #expect(ended["homeline_account_error{account=\"bird\",code=\"not-authorised\"}"] == "1")
  }

  @Test("The metrics contain the posts in the outbox: waiting, scheduled and failed ones, and the oldest waiting one")
  func outbox() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400"#)
    try await fixture.home.logIn()
    func metric(_ name: String) async throws -> String? {
      let text = try await fixture.home.run("status", "--format", "prometheus").output
      return Self.values(text)["homeline_account_outbox_\(name){account=\"demo\"}"]
    }
    for name in ["waiting_posts", "scheduled_posts", "failed_posts"] { #expect(try await metric(name) == "0") }
    #expect(try await metric("oldest_timestamp_seconds") == nil)
    var limited = Response(status: .tooManyRequests)
    limited.headers.set("Retry-After", "900")
    let refused = Response(
      status: .forbidden, type: "application/json",
      text: #"{"errors":[{"code":187,"message":"Status is a duplicate."}]}"#)
    for (text, response) in [("Refused.", refused), ("Limited.", limited)] {
      fixture.sandbox.withFaults { $0.add(.respond(response), to: "/1.1/statuses/update.json") }
      #expect(try await fixture.home.run("post", "demo", text).code != 0)
    }
    #expect(try await fixture.home.run("post", "demo", "Later.", "--at", "30m").code == 0)
    for name in ["waiting_posts", "scheduled_posts", "failed_posts"] { #expect(try await metric(name) == "1") }
    let oldest = try #require(try await metric("oldest_timestamp_seconds").flatMap { Int64($0) })
    #expect((0...300).contains(WallClock.system.now.seconds - oldest))
  }

  /// The path of promtool, which `scripts/promtool` unpacks if it is not installed.
  private static let promtool: String? = {
    let unpacked = Repository.path(".build/promtool/usr/bin/promtool")
    return ProgramSearch.find("promtool", in: "/usr/bin:/usr/local/bin") ?? (File.exists(unpacked) ? unpacked : nil)
  }()

  @Test(
    "promtool finds nothing wrong with the metrics",
    .enabled(if: promtool != nil, "promtool is not installed; run: scripts/promtool"))
  func checked() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    _ = try await fixture.home.run("refresh")
    var text = try await fixture.home.run("status", "--format", "prometheus").output
    _ = try await fixture.home.run("logout", "bird")
    let program = try #require(Self.promtool)
    for _ in 0..<2 {
      let outcome = try await ProgramRun.run(
        program, ["check", "metrics"], environment: fixture.home.environment(), input: .text(text))
      #expect(outcome.code == 0 && outcome.output + outcome.error == "", "\(outcome.output)\(outcome.error)")
      text = try await fixture.home.run("status", "--format", "prometheus").output
    }
    // This shows that promtool reports faults.
    let wrong = try await ProgramRun.run(
      program, ["check", "metrics"], environment: fixture.home.environment(),
      input: .text(text.replacing("# TYPE homeline_service_up gauge", with: "# TYPE homeline_service_up counter")))
    #expect(wrong.code != 0)
  }
}
