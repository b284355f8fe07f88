import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Reloads of valid and invalid configurations on SIGHUP.
@Suite("Reloading the configuration") struct ServiceReloadTests {
  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  /// Sends SIGHUP and waits until the log reports the reload.
  private func reload(_ daemon: RunningDaemon, saying message: String = "reloaded /") async throws {
    let before = daemon.log.components(message)
    daemon.program.signal(SIGHUP)
    try #require(try await eventually { daemon.log.components(message) > before }, "\(daemon.log)")
  }

  private func account(_ name: String, in status: JSONValue) -> JSONValue? {
    status["accounts"].items.first { $0["account"].text == name }
  }

  @Test("An invalid configuration is not applied, and the log and `homeline status` report it until it is fixed")
  func mistakes() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let good = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure("{ \"accounts\": { \"demo\": { \"provider\": \"sandbx\" } } }")
    try await reload(daemon, saying: "configuration not reloaded; keeping the previous one")
    let status = try await daemon.status()
    #expect(status["owner"]["configuration_problem"].text?.contains("accounts.demo.provider") == true)
    #expect(account("demo", in: status) != nil)
    #expect(daemon.log.contains("\(fixture.home.configuration):1:"))
    // The service keeps using the previous configuration.
    try await daemon.logIn()
    try fixture.home.configure(good)
    try await reload(daemon)
    #expect(try await daemon.status()["owner"]["configuration_problem"] == .null)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A reload adds new accounts, keeps the files of removed accounts, and applies new intervals")
  func accounts() async throws {
    let fixture = try TwitterFixture(accounts: ["demo", "old"], Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn("demo")
    try await daemon.logIn("old")
    let planned = try #require(account("demo", in: try await daemon.status())?["next_refresh_at"].text)
    try fixture.configure(["demo", "new"], #""refresh_seconds": 600, "keep_posts": 20"#)
    try await reload(daemon)
    let status = try await daemon.status()
    #expect(status["accounts"].items.compactMap { $0["account"].text } == ["demo", "new"])
    try await daemon.logIn("new")
    #expect(try JSONValue(file: fixture.home.timeline(of: "new"))["posts"].items.count == 20)
    // The new, shorter interval counts from the last refresh.
    #expect(
      try await eventually {
        let entry = account("demo", in: try await daemon.status())
        return entry?["next_refresh_at"].text.map { $0 < planned } ?? false
      })
    #expect(File.exists(fixture.home.token(of: "old")))
    #expect(File.exists(fixture.home.timeline(of: "old")))
    let listed = try await fixture.home.run("status")
    #expect(listed.output.contains("old"), "\(listed.output)")
    let refused = try await daemon.request("refresh", #"{"accounts":["old"]}"#)
    #expect(refused.contains("404"), "\(refused)")
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("After a reload with new keys, the response to a request signed with the old keys is discarded")
  func keys() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    fixture.sandbox.withFaults {
      $0.add(.error(503, code: 130, "an answer to the former keys"), to: .homeTimeline)
      $0.add(.delay(.seconds(50)), to: .homeTimeline)
    }
    // The first fault refuses a request, and the second delays the next one.
    #expect(try await daemon.request("refresh").contains(#""exit":69"#))
    // The file states the last refresh exactly only now: a refresh without new posts does not replace it, but a failure does.
    let failed = try JSONValue(file: fixture.home.timeline(of: "demo"))
    let count = fixture.count(of: .homeTimeline)
    let stream = try daemon.command("refresh")
    #expect(try await fixture.receives(.homeTimeline, moreThan: count))
    try fixture.configure([("demo", fixture.account(Self.members, secret: "wrong"))])
    try await reload(daemon)
    let events = try await OwnThread.run { String(decoding: try stream.receiveToEnd(), as: UTF8.self) }
    #expect(events.contains(#""event":"end","exit":75"#), "\(events)")
    // The late response to the request with the old keys is valid, and would have cleared the error.
    let published = try JSONValue(file: fixture.home.timeline(of: "demo"))
    #expect(published["error"] != .null)
    #expect(published["refreshed_at"] == failed["refreshed_at"])
    let refused = try await daemon.request("refresh")
    #expect(!refused.contains(#""event":"end","exit":0"#), "\(refused)")
    try fixture.configure(["demo"], Self.members)
    try await reload(daemon)
    #expect(try await daemon.request("refresh").contains(#""event":"end","exit":0"#))
    #expect(try JSONValue(file: fixture.home.timeline(of: "demo"))["error"] == .null)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "`homeline daemon --reload` waits for new views, fails if the configuration is invalid, and needs a running service"
  )
  func command() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    let good = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(#"{"views": {"quiet": {}}, "# + good.drop { $0 != "{" }.dropFirst())
    let reload = try await fixture.home.run("daemon", "--reload")
    #expect(reload.code == 0, "\(reload.error)")
    #expect(File.exists("\(fixture.home.viewFolder("quiet"))/home_timeline.json"))
    try fixture.home.configure("{ \"accounts\": { \"demo\": { \"provider\": \"sandbx\" } } }")
    let failed = try await fixture.home.run("daemon", "--reload")
    #expect(failed.code == 78)
    #expect(failed.error.contains("accounts.demo.provider"), "\(failed.error)")
    #expect(await daemon.stop().outcome.code == 0)
    let alone = try await fixture.home.run("daemon", "--reload")
    #expect(alone.code == 69)
    #expect(alone.error.hasPrefix("homeline: no service is running. To "), "\(alone.error)")
  }

  @Test("A pending login survives a reload, but ends with a reason if its account was removed")
  func logins() async throws {
    let fixture = try TwitterFixture(accounts: ["demo", "old"], Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let staying = try await PendingLogin(fixture.home, ["demo"])
    let leaving = try await PendingLogin(fixture.home, ["old"])
    try fixture.configure(["demo"], #""refresh_seconds": 600, "keep_posts": 30"#)
    try await reload(daemon)
    let ended = await leaving.program.end()
    #expect(ended.code == 75)
    #expect(ended.error.contains("removed from the configuration"), "\(ended.error)")
    let page = try await staying.authorise()
    #expect(page.text.contains("Authorised as"))
    let outcome = await staying.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try JSONValue(file: fixture.home.timeline(of: "demo"))["posts"].items.count == 30)
    #expect(await daemon.stop().outcome.code == 0)
  }
}

extension String {
  /// Returns how often a string occurs.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
