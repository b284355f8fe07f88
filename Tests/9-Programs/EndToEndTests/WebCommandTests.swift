import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing

/// `homeline web`, with a running service.
@Suite("`homeline web`", .timeLimit(.minutes(3))) struct WebCommandTests {
  private static let members = #""keep_posts": 20"#

  /// Returns a service with a configured port for the page.
  private static func fixture(_ port: ReservedPort, _ more: String = "") async throws -> PostingFixture {
    try await PostingFixture(
      withService: true, members, more: #""web": {"port": \#(port.port)\#(more)}, "media": {"megabytes": 0}"#)
  }

  @Test(
    "`homeline web` opens the page in the browser, which then shows the accounts; nothing but the browser sees the ticket"
  )
  func opened() async throws {
    let port = try ReservedPort()
    let fixture = try await Self.fixture(port)
    let opened = "\(fixture.home.path)/opened"
    let browser = "\(fixture.home.path)/browser"
    try fixture.home.write(
      "#!/bin/sh\nprintf '%s' \"$1\" > '\(opened).new' && mv '\(opened).new' '\(opened)'\n", to: browser)
    chmod(browser, 0o700)
    let outcome = try await fixture.home.run("web", variables: ["BROWSER": browser])
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome.error)")
    #expect(outcome.error.contains("opened http://127.0.0.1:\(port.port)/ in your browser"))
    #expect(!outcome.error.contains("ticket"))
    #expect(try await eventually { File.exists(opened) })
    let entry = try fixture.home.read(opened)
    #expect(entry.hasPrefix("http://127.0.0.1:\(port.port)/enter?ticket="))
    let jar = "\(fixture.home.path)/jar"
    let page = try await fixture.home.shell(
      "curl --silent --fail --location --cookie-jar '\(jar)' --cookie '\(jar)' '\(entry)'")
    #expect(page.output.contains("href=\"/a/demo\""), "\(page.output)\(page.error)")
    let log = try #require(fixture.daemon).log
    #expect(!log.contains("ticket=") && log.contains("web page: open at http://127.0.0.1:\(port.port)/"), "\(log)")
    await fixture.end()
  }

  @Test("Without a service, the command exits with 75 and tells how to start one")
  func withoutService() async throws {
    let home = try TestInstallation()
    for arguments in [[], ["--print"], ["--close"], ["--forget"]] {
      let outcome = try await home.start(["web"] + arguments).end()
      #expect(outcome.code == 75 && outcome.error.contains("no service is running"), "\(outcome.error)")
      #expect(
        outcome.error.contains("systemctl --user") || outcome.error.contains("homeline daemon"), "\(outcome.error)")
    }
  }

  @Test("A page that is opened stays open over a restart with its cookies, until it is closed")
  func restarted() async throws {
    let fixture = try await PostingFixture(
      withService: false, Self.members, more: #""media": {"megabytes": 0}"#)
    // Another test may have the default port, so that this service takes a free one and keeps it.
    var daemon = try await RunningDaemon(fixture.home)
    let entry = try await fixture.run("web", "--print").dropLast()
    let pathStart = try #require(entry.firstRange(of: "/enter")).lowerBound
    let page = String(entry[..<pathStart])
    let jar = "\(fixture.home.path)/jar"
    func status(_ address: Substring) async throws -> String {
      try await fixture.home.shell(
        "curl --silent --output /dev/null --write-out '%{http_code}' --cookie-jar '\(jar)' --cookie '\(jar)' '\(address)' || :"
      ).output
    }
    #expect(try await status(entry) == "303")
    #expect(try await status(entry) == "403")
    #expect(try await status(page[...]) == "200")
    #expect(try FileStatus.of("\(fixture.home.path)/state/homeline/_web/sessions").permissions == 0o600)
    await daemon.stop()
    #expect(try await status(page[...]) == "000")
    daemon = try await RunningDaemon(fixture.home)
    #expect(try await status(page[...]) == "200")
    #expect(try await fixture.home.run("web", "--forget").error.contains("1 browser must enter again"))
    #expect(try await status(page[...]) == "403")
    let closed = try await fixture.home.run("web", "--close")
    #expect(closed.code == 0 && closed.error.contains("closed the page at \(page)/"), "\(closed.error)")
    #expect(try await status(page[...]) == "000")
    #expect(try await fixture.home.run("web", "--close").error.contains("closed already"))
    await daemon.stop()
    daemon = try await RunningDaemon(fixture.home)
    #expect(try await status(page[...]) == "000")
    await daemon.stop()
  }

  @Test("A reload adopts a changed port; a taken one is named with its program, and the service works without the page")
  func reloaded() async throws {
    let (port, other) = (try ReservedPort(), try ReservedPort())
    let fixture = try await Self.fixture(port)
    #expect(try TestClient.get("/", port: port.port).status == 403)
    try fixture.configure(["demo"], Self.members, more: #""web": {"port": \#(other.port)}"#)
    try await fixture.reload()
    #expect(try TestClient.get("/", port: other.port).status == 403)
    #expect(throws: TestClient.Failure.self) { try TestClient(port: port.port) }
    let holder = try BoundSocket(port: port.port, shared: true)
    try holder.listen()
    try fixture.configure(["demo"], Self.members, more: #""web": {"port": \#(port.port)}"#)
    try await fixture.reload()
    let outcome = try await fixture.home.run("web", "--print")
    #expect(outcome.code == 73, "\(outcome.error)")
    #expect(
      outcome.error.contains("\(port.port) is taken by ") && outcome.error.contains("(process \(getpid()))"),
      "\(outcome.error)")
    try await fixture.run("refresh")
    withExtendedLifetime(holder) {}
    await fixture.end()
  }

  @Test(
    "Another user gets 403 at every path, also with the ticket and the cookie",
    .enabled(if: geteuid() == 0, "running as another user needs root"))
  func otherUser() async throws {
    let port = try ReservedPort()
    let fixture = try await Self.fixture(port)
    let base = "http://127.0.0.1:\(port.port)"
    let ticket = try await fixture.run("web", "--print").dropLast()
    let own = try await fixture.run("web", "--print").dropLast()
    let jar = "\(fixture.home.path)/jar"
    let entered = try await fixture.home.shell(
      "curl --silent --fail --cookie-jar '\(jar)' '\(own)'; grep -c homeline- '\(jar)'")
    #expect(entered.output.contains("1"), "\(entered.output)\(entered.error)")
    let cookie = try #require(
      fixture.home.read(jar).split(separator: "\n").last { $0.contains("homeline-") }?.split(separator: "\t").last)
    func stranger(_ path: some StringProtocol, _ more: [String] = []) async throws -> String {
      try await ProgramRun.run(
        "setpriv",
        [
          "--reuid=65534", "--regid=65534", "--clear-groups", "curl", "--silent", "--max-time", "30", "--write-out",
          "%{http_code}",
        ]
          + more + [String(path)], environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(60)
      ).output
    }
    let home = try await fixture.home.shell("curl --silent --cookie '\(jar)' \(base)/").output
    let style = try #require(home.firstMatch(of: /\/x\/[0-9a-f]+\.css/)).0
    let id = try #require(try fixture.home.publishedIDs().first)
    let form = "account=demo&post=\(id)&timeline=demo&back=/a/demo&sure=yes&do="
    let forms = ["like", "read", "delete"].map { ["--data", form + $0, "--header", "Origin: \(base)"] }
    for path in [
      "/", "/enter", "/a/demo", "/nowhere", "/f/0/atom.xml", "/x/0.css", "/act", "/status/refresh", String(style),
    ] {
      for more in [
        [], ["--cookie", "homeline-\(port.port)=\(cookie)"], ["--request", "POST", "--header", "Origin: \(base)"],
      ] + (path == "/act" ? forms.map { $0 + ["--cookie", "homeline-\(port.port)=\(cookie)"] } : []) {
        let answer = try await stranger("\(base)\(path)", more)
        #expect(answer.hasSuffix("403") && !answer.contains("demo"), "\(path) \(answer)")
      }
    }
    // Also what the server refuses while it reads it.
    let long = String(repeating: "a", count: 20_000)
    for more in [["--header", "X: \(long)"], ["--header", "Host;"], ["--data", long, "--header", "Origin: \(base)"]] {
      #expect(try await stranger("\(base)/act", more).hasSuffix("403"), "\(more[1].prefix(20))")
    }
    #expect(try await stranger("\(base)/\(long)").hasSuffix("403"))
    #expect(fixture.twitter.sandbox.with { $0.likedPosts }.isEmpty)
    #expect(try fixture.home.publishedIDs().contains(id))
    #expect(try await stranger(ticket).hasSuffix("403"))
    #expect(try await stranger("http://[::1]:\(port.port)/").hasSuffix("403"))
    // The stranger's attempt did not use the ticket up.
    let after = try await fixture.home.shell("curl --silent --output /dev/null --write-out '%{http_code}' '\(ticket)'")
    #expect(after.output == "303")
    #expect(try #require(fixture.daemon).log.contains("refused a request from another user (65534)"))
    await fixture.end()
  }

  @Test(
    "A page on another port of this machine, and one of another site, read and change nothing", .needsPeers,
    arguments: ["chromium", "firefox"])
  func attacked(browser: String) async throws {
    let port = try ReservedPort()
    let fixture = try await Self.fixture(port)
    try await fixture.run("post", "demo", "My own post.")
    let own = try #require(try fixture.home.publishedIDs().first)
    let unread = try fixture.home.published()["unread"].integer
    let requests = fixture.twitter.requestCount
    let entry = String(try await fixture.run("web", "--print").dropLast())
    let outcome = try await ProgramRun.run(
      try #require(Peers.python), [Peers.path(of: "web_attacks.py"), browser, entry, "demo", own],
      environment: ProcessEnvironment.variables(), timeout: .seconds(150))
    if outcome.code == 77 {
      await fixture.end()
      try skipTest("\(outcome.output)")
    }
    try #require(outcome.code == 0, "\(outcome.output) \(outcome.error)")
    let report = try JSONValue(Array(outcome.output.utf8))
    #expect(report["address"].text == "http://127.0.0.1:\(port.port)/")
    #expect(report["entered"].text == "Home · homeline")
    // The cookie alone must not be enough, because the other port gets it.
    #expect(outcome.output.contains(#""got": true"#), "\(outcome.output)")
    #expect(outcome.output.contains(#""learned": []"#), "\(outcome.output)")
    #expect(report["forms"].items.map(\.text) == Array(repeating: "This request comes from another page", count: 12))
    // A page of another origin learns nothing from `no-cors`, and does not learn the status either.
    #expect(report["fetched"].items.count == 20)
    #expect(report["fetched"].items.allSatisfy { ["TypeError", "opaque"].contains($0.text) }, "\(report["fetched"])")
    #expect(fixture.twitter.requestCount == requests && fixture.twitter.sandbox.with { $0.likedPosts }.isEmpty)
    #expect(try fixture.home.publishedIDs().first == own)
    #expect(try fixture.home.published()["unread"].integer == unread)
    #expect(report["link"].items.map(\.text) == ["Open homeline?", "Home", "Open homeline?", "Home"])
    // Cross-Origin-Opener-Policy cuts the window off: Firefox leaves the opener an empty document.
    #expect(report["opened"].items.count == 2)
    #expect(
      report["opened"].items.allSatisfy { ["SecurityError", "no window", ""].contains($0.text) }, "\(outcome.output)")
    #expect(report["still"].text == "Home · homeline")
    // The browser has removed its cookie.
    #expect(report["left"].items.map(\.text) == ["This browser has left", "This browser has not entered yet"])
    #expect(report["tried"].items.count == 4)
    for way in [
      "fetch", "fetch no-cors with credentials", "img", "script", "iframe", "form", "websocket", "event stream",
      "event stream with credentials",
    ] {
      #expect(report["tried"].items.allSatisfy { $0[way].text != nil }, "\(way)")
    }
    await fixture.end()
  }
}
