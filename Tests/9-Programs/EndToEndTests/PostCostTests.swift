import HTTP
import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// The cost of posts on X, which is shown beforehand, confirmed if it is high, reserved, and limited by the budget.
@Suite("The cost of posts", .timeLimit(.minutes(4))) struct PostCostTests {
  private func fixture(_ more: String) async throws -> XFixture {
    let scopes = #""scopes": ["tweet.read", "users.read", "offline.access", "tweet.write"]"#
    let fixture = try XFixture(
      #""refresh_seconds": 86400, "keep_posts": 20, "first_fill_posts": 1, \#(scopes), \#(more)"#)
    try await fixture.logIn()
    return fixture
  }

  private func published(_ fixture: XFixture) -> [String] { fixture.server.with { $0.publishedTexts } }

  private let link = "See https://example.org/a"

  @Test(
    "homeline prints a post's price before publishing it, and a refused post costs nothing", .needs("sqlite3"))
  func prices() async throws {
    let fixture = try await fixture(#""budget": { "usd_per_day": 10 }"#)
    let before = try await fixture.spent()
    let plain = try await fixture.home.run("post", "bird", "Hello.")
    #expect(plain.code == 0 && plain.error == "homeline: bird: this post costs 0.015 USD\n", "\(plain.error)")
    let second = try await fixture.spent()
    #expect(second - before == 15_000)
    let linked = try await fixture.home.run("post", "bird", link, "--yes")
    #expect(linked.code == 0 && linked.error.contains("0.20 USD because it contains a link"), "\(linked.error)")
    // By now, X has also returned the first post, which costs 0.001.
    let third = try await fixture.spent()
    #expect(third - second == 201_000)
    #expect(try await fixture.home.run("post", "bird", "Hello.").code == 65)
    let fourth = try await fixture.spent()
    #expect(fourth - third == 1000)
    fixture.server.withFaults { $0.add(.drop(worked: false), to: TwitterRoute.tweets.path) }
    #expect(try await fixture.home.run("post", "bird", "Lost.").code == 69)
    #expect(try await fixture.spent() - fourth >= 15_000)
    let id = try #require(try fixture.home.publishedIDs("bird").first)
    let fifth = try await fixture.spent()
    let deletion = try await fixture.home.run("delete", id)
    #expect(deletion.code == 0 && deletion.error == "homeline: bird: this costs 0.01 USD\n", "\(deletion.error)")
    #expect(try await fixture.spent() - fifth == 10_000)
  }

  @Test("Without a terminal, a post above confirm_above_usd is stored and sent only with --yes")
  func confirmation() async throws {
    let fixture = try await fixture(#""budget": {}"#)
    let refused = try await fixture.home.run("post", "bird", link)
    #expect(refused.code == 64 && refused.error.contains("add --yes to publish it anyway"), "\(refused.error)")
    let dry = try await fixture.home.run("post", "bird", link, "--dry-run")
    #expect(dry.code == 0 && dry.error.contains("this post costs 0.20 USD"), "\(dry.error)")
    #expect(try await fixture.home.run("outbox").output == "" && published(fixture) == [])
    #expect(try await fixture.home.run("post", "bird", link, "--yes").code == 0)
    #expect(published(fixture) == [link])
    try fixture.configure(
      at: fixture.server.baseURL,
      #""refresh_seconds": 86400, "confirm_above_usd": null, "scopes": ["tweet.read", "tweet.write"]"#)
    let silent = try await fixture.home.run("post", "bird", "Again https://example.org/b")
    #expect(silent.code == 0, "\(silent.error)")
  }

  @Test("Other clients of the control socket must confirm expensive posts, too", .needs("curl"))
  func controlClient() async throws {
    let fixture = try await fixture(#""budget": {}"#)
    let daemon = try await RunningDaemon(fixture.home)
    for (confirmed, count) in [(false, 0), (true, 1)] {
      let outcome = try await fixture.home.shell(
        """
        curl -s --unix-socket "$(find "$HOME" -name control.socket)" -H 'Content-Type: application/json' \
          -d '{"account":"bird","text":"\(link)","confirmed":\(confirmed)}' http://localhost/v1/post
        """)
      #expect(outcome.output.contains("confirm_above_usd") != confirmed, "\(outcome.output)\(outcome.error)")
      #expect(published(fixture).count == count, "\(outcome.output)")
    }
    await daemon.stop()
  }

  @Test("On a terminal, homeline asks before it publishes an expensive post", .needs("script"))
  func question() async throws {
    let fixture = try await fixture(#""budget": {}"#)
    for (answer, code) in [("n\n", Int32(65)), ("y\n", 0)] {
      let command = "'\(ProgramRun.product("homeline"))' post bird '\(link)'"
      let program = try ProgramRun(
        "script", ["-qec", command, "/dev/null"], environment: fixture.home.environment(), input: .open)
      // The question does not end with a newline.
      #expect(try await eventually { program.written(on: .output).contains("Publish it for 0.20 USD? [y/N]") })
      program.type(answer)
      let outcome = await program.end()
      #expect(outcome.code == code, "\(outcome.output)")
    }
    #expect(published(fixture) == [link])
  }

  @Test(
    "A post above the rest of the day's budget waits a day, and one above the whole budget is refused"
  )
  func budget() async throws {
    let fixture = try await fixture(#""budget": { "usd_per_day": 0.1 }, "confirm_above_usd": null"#)
    let never = try await fixture.home.run("post", "bird", link)
    #expect(never.code == 78 && never.error.contains("more than the account's budget.usd_per_day"), "\(never.error)")
    #expect(try await fixture.home.run("outbox").output == "")
    var outcome = try await fixture.home.run("post", "bird", "Post 0.")
    var count = 1
    while outcome.error.contains("waits in the outbox") == false, count < 10 {
      #expect(outcome.code == 0, "\(outcome.error)")
      outcome = try await fixture.home.run("post", "bird", "Post \(count).")
      count += 1
    }
    #expect(outcome.code == 75 && outcome.error.contains("of the account's budget.usd_per_day of 0.10 USD are left"))
    #expect(published(fixture).count == count - 1)
  }

  @Test("`homeline outbox --retry` prints the price, and above confirm_above_usd sends the post only with --yes")
  func retry() async throws {
    let fixture = try await fixture(#""budget": {}"#)
    fixture.server.withFaults { $0.add(.drop(worked: false), to: TwitterRoute.tweets.path) }
    let lost = try await fixture.home.run("post", "bird", link, "--yes")
    #expect(lost.code == 69, "\(lost.error)")
    let id = try #require(
      try await fixture.home.run("outbox").output.split(separator: " ").first { $0.hasPrefix("out-") }.map(String.init))
    let refused = try await fixture.home.run("outbox", "--retry", id)
    #expect(refused.code == 64 && refused.error.contains("this post costs 0.20 USD"), "\(refused.error)")
    #expect(refused.error.contains("add --yes to publish it anyway"), "\(refused.error)")
    let daemon = try await RunningDaemon(fixture.home)
    let unconfirmed = try await daemon.request("outbox", #"{"account":"bird","retry":"\#(id)"}"#)
    #expect(unconfirmed.contains("confirm it with --yes") && published(fixture) == [], "\(unconfirmed)")
    #expect(try await fixture.home.run("outbox").output.contains(" unknown "))
    let done = try await fixture.home.run("outbox", "--retry", id, "--yes")
    #expect(done.code == 0 && done.error.contains("this post costs 0.20 USD"), "\(done.error)")
    #expect(published(fixture) == [link])
    await daemon.stop()
    let again = try await fixture.home.run("outbox", "--retry", id)
    #expect(again.code == 65 && !again.error.contains("costs"), "\(again.error)")
  }

  @Test("`homeline outbox --retry` needs no --yes up to confirm_above_usd, and prints no price if posts are free")
  func cheapRetry() async throws {
    let fixture = try await fixture(#""budget": {}"#)
    fixture.server.withFaults { $0.add(.named(.creditsDepleted), to: TwitterRoute.tweets.path) }
    #expect(try await fixture.home.run("post", "bird", "Later.").code == 75)
    let id = try #require(
      try await fixture.home.run("outbox").output.split(separator: " ").first { $0.hasPrefix("out-") }.map(String.init))
    let done = try await fixture.home.run("outbox", "--retry", id)
    #expect(done.code == 0 && done.error == "homeline: bird: this post costs 0.015 USD\n", "\(done.error)")
    #expect(published(fixture) == ["Later."])
    let free = try await PostingHome()
    free.fault(.respond(Response(status: .tooManyRequests)))
    #expect(try await free.post("ann", "Free.").code == 75)
    let other = try #require(
      try await free.outbox().split(separator: " ").first { $0.hasPrefix("out-") }.map(String.init))
    let sent = try await free.home.run("outbox", "--retry", other)
    #expect(sent.code == 0 && sent.error == "" && free.published == ["Free."], "\(sent.error)")
  }
}

extension XFixture {
  /// Returns the amount spent today in millionths of a US dollar.
  func spent() async throws -> Int {
    let outcome = try await ProgramRun.run(
      "sqlite3", [home.database(of: "bird"), "SELECT sum(micro_usd + reserved_micro_usd) FROM days"],
      environment: home.environment())
    return try #require(Int(outcome.output.split(whereSeparator: \.isNewline).first ?? ""), "\(outcome.error)")
  }
}
