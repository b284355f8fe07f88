import Glibc
import KeyringTestSupport
import Platform
import TestSupport
import Testing

/// Desktop notifications of new posts, on a real session bus with a small notification server.
@Suite(.needsPeers, .timeLimit(.minutes(3))) struct DesktopNotificationTests {
  private let session: KeyringSession

  init() async throws { session = try await KeyringSession.open() }

  private var variables: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""]
  }

  private func startServer() async throws -> ProgramRun {
    let server = try Peers.start("notification_server.py", variables: variables)
    try #require(await server.line(containing: "ready") != nil)
    return server
  }

  @Test(
    "A desktop notification shows the account's name and the number of new posts, but nothing from the posts",
    arguments: [true, false])
  func content(withService: Bool) async throws {
    let server = try await startServer()
    let fixture = try await PostingFixture(
      withService: withService, #""keep_posts": 20, "notify": true"#, variables: variables)
    fixture.post(5)
    let outcome = try await fixture.home.run("refresh", variables: variables)
    #expect(outcome.code == 0 && outcome.output.hasPrefix("demo: 5 new posts"), "\(outcome.error)")
    // The first refresh is part of the login and shows no notification.
    #expect(await server.line(containing: "notify") == "notify 1 0 demo: 5 new posts||default,Open,open,Open")
    await fixture.end()
  }

  @Test("A notification about later posts replaces the account's previous notification unless the user has closed it")
  func replaced() async throws {
    let server = try await startServer()
    let fixture = try await PostingFixture(
      withService: true, accounts: ["demo", "other"], #""keep_posts": 20, "notify": true"#, variables: variables)
    fixture.post(2)
    try await fixture.run("refresh", "demo")
    #expect(await server.line(containing: "demo: 2 new posts") != nil)
    fixture.post(1)
    try await fixture.run("refresh", "demo")
    #expect(await server.line(containing: "demo: 3 new posts")?.hasPrefix("notify 1 1 ") == true)
    try await fixture.run("refresh", "other")
    #expect(await server.line(containing: "other: 3 new posts")?.hasPrefix("notify 2 0 ") == true)
    server.type("close 1\n")
    // The server handles signals in order, so it closes this notification before it gets the next.
    fixture.post(4)
    try await fixture.run("refresh", "demo")
    #expect(await server.line(containing: "demo: 4 new posts")?.hasPrefix("notify 3 0 ") == true)
    await fixture.end()
  }

  @Test("Clicking a notification opens the account's timeline")
  func action() async throws {
    let folder = TemporaryFolder()
    let browser = "\(folder.path)/browser"
    try AtomicFile.write(
      Array("#!/bin/sh\necho \"$1\" > '\(folder.path)/new'; mv '\(folder.path)/new' '\(folder.path)/opened'\n".utf8),
      to: browser, .replaced)
    chmod(browser, 0o700)
    let server = try await startServer()
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20, "notify": true, "publish": ["html"]"#,
      variables: variables.merging(["BROWSER": browser]) { $1 })
    fixture.post(1)
    try await fixture.run("refresh")
    #expect(await server.line(containing: "demo: 1 new post|") != nil)
    server.type("invoke 1 open\n")
    #expect(try await eventually { File.exists("\(folder.path)/opened") })
    #expect(try fixture.home.read("\(folder.path)/opened").contains("demo/home_timeline.html"))
    await fixture.end()
  }

  @Test("If there is no notification server, the service logs this only once and keeps running")
  func withoutServer() async throws {
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20, "notify": true"#, variables: variables)
    let daemon = try #require(fixture.daemon)
    for _ in 0..<2 {
      fixture.post(1)
      try await fixture.run("refresh")
    }
    #expect(
      await daemon.program.line(containing: "no program on the session bus shows notifications", on: .error) != nil)
    let server = try await startServer()
    fixture.post(2)
    try await fixture.run("refresh")
    #expect(await server.line(containing: "demo: 2 new posts") != nil)
    await fixture.end()
  }

  @Test("A lost login is shown on the desktop and in bar.json, once for each time it is lost")
  func lostLogin() async throws {
    let server = try await startServer()
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20, "publish": ["bar.json"]"#, variables: variables)
    var daemon = try #require(fixture.daemon)
    try await revoke(fixture)
    #expect(try await fixture.home.run("refresh").code == 77)
    #expect(
      await server.line(containing: "notify")
        == "notify 1 0 demo: log in again|The server no longer accepts the login. Run: homeline login demo|")
    let bar = try JSONValue(file: "\(fixture.home.path)/cache/homeline/demo/bar.json")
    #expect(bar["alt"].text == "login" && bar["tooltip"].text?.contains("homeline login demo") == true, "\(bar)")
    // Neither another refusal nor a restart repeats it.
    #expect(try await fixture.home.run("refresh").code == 77)
    #expect(await daemon.stop().outcome.code == 0)
    daemon = try await RunningDaemon(fixture.home, [], variables)
    #expect(try await fixture.home.run("refresh").code == 77)
    try await daemon.logIn()
    try await revoke(fixture)
    #expect(try await fixture.home.run("refresh").code == 77)
    // The notification of the first loss belonged to the former process, so only the second one is removed.
    #expect(await server.line(containing: "notify 2 0 demo: log in again") != nil)
    try await daemon.logIn()
    #expect(await server.line(containing: "closed 2") != nil)
    #expect(server.written(on: .output).split(separator: "\n").count { $0.hasPrefix("notify") } == 2)
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Revokes the account's token with the provider, as another program would that has a copy of it.
  private func revoke(_ fixture: PostingFixture) async throws {
    let home = fixture.home
    let copy = "\(home.path)/copy"
    let made = try await home.shell(
      "rm -rf '\(copy)' && mkdir -p '\(copy)' && cp -R '\(home.path)/state' '\(copy)/state' && rm '\(copy)/state/homeline/lock'"
    )
    try #require(made.code == 0, "\(made.error)")
    let folders = ["STATE_HOME": "state", "DATA_HOME": "data", "CACHE_HOME": "cache", "RUNTIME_DIR": "run"]
    let outcome = try await home.run(
      "logout", "demo",
      variables: Dictionary(uniqueKeysWithValues: folders.map { ("XDG_\($0)", "\(copy)/\($1)") }))
    try #require(outcome.code == 0, "\(outcome.error)")
  }
}
