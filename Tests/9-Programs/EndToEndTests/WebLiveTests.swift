import Platform
import TestSupport
import Testing

/// The web page of a running service while something changes, in browsers.
@Suite("The web page while it is open", .needsPeers, .timeLimit(.minutes(4))) struct WebLiveTests {
  @Test(
    "New posts, keys, older posts, views, the count, the outbox and eight tabs with one stream work without losing the focus or the place",
    arguments: ["chromium", "firefox"])
  func live(browser: String) async throws {
    let port = try ReservedPort()
    let fixture = try await PostingFixture(
      withService: false, accounts: ["demo", "two"], #""first_fill_posts": 80, "keep_posts": 100"#,
      more:
        #""web": {"port": \#(port.port)}, "views": {"all": {"accounts": ["demo"]}, "both": {"fold_cross_posts": false}}, "media": {"megabytes": 0}"#
    )
    var daemon = try await RunningDaemon(fixture.home)
    try await fixture.run("refresh")
    let entry = String(try await fixture.run("web", "--print").dropLast())
    let peer = try Peers.start("web_live.py", [browser, entry, "/a/demo"], variables: ["PATH": "/usr/bin:/bin"])
    var number = 1
    while let line = await peer.line(containing: "want \(number) ") {
      number += 1
      let parts = line.split(separator: " ").map(String.init)
      var answer = ""
      switch parts[2] {
      case "posts":
        fixture.post(try #require(Int(parts[3])))
        try await fixture.run("refresh")
      case "only":
        fixture.post(try #require(Int(parts[3])))
        try await fixture.run("refresh", parts[4])
      case "read": try await fixture.run("read", parts[3])
      case "later":
        let outcome = try await fixture.home.run("post", "demo", "Later, perhaps.", "--at", "60m")
        #expect([0, 75].contains(outcome.code), "\(outcome.error)")
      case "discard":
        for id in try await fixture.run("outbox").matches(of: /out-[0-9a-z]+/) {
          try await fixture.run("outbox", "--discard", String(id.0))
        }
      case "forget": try await fixture.run("web", "--forget")
      case "enter": answer = String(try await fixture.run("web", "--print").dropLast())
      case "restart":
        await daemon.stop()
        daemon = try await RunningDaemon(fixture.home)
      default: Issue.record("\(line)")
      }
      peer.type(answer + "\n")
    }
    let outcome = await peer.end()
    await daemon.stop()
    if outcome.code == 77 { try skipTest("\(outcome.output)") }
    try #require(outcome.code == 0, "\(outcome.output) \(outcome.error) \(daemon.log)")
    let report = try JSONValue(Array(try #require(outcome.output.split(separator: "\n").last).utf8))
    #expect(report["faults"].items.isEmpty, "\(outcome.output)")
    #expect(report["steps"].integer == 48, "\(outcome.output)")
  }
}
