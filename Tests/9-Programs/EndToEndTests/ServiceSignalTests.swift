import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The service on SIGTERM and SIGINT, whatever it is doing at that moment.
@Suite("Stopping the service") struct ServiceSignalTests {
  private static let members = #""refresh_seconds": 86400, "keep_posts": 20"#

  /// Checks that the service exited with 0 in time and left nothing behind.
  private func checkEnd(
    _ fixture: TwitterFixture, _ daemon: RunningDaemon, _ stopped: (outcome: ProgramRun.Outcome, after: Duration),
    at place: SourceLocation = #_sourceLocation
  ) throws {
    #expect(stopped.outcome.code == 0, "\(stopped.outcome.error)", sourceLocation: place)
    // After 1.9 s, the service abandons unfinished work and logs that it did.
    if !Sanitizer.isOn { #expect(!stopped.outcome.error.contains("did not finish in time"), sourceLocation: place) }
    // This limit is far shorter than the provider's delay in these tests, and far longer than that of a busy machine.
    #expect(stopped.after < .seconds(25), sourceLocation: place)
    #expect(!File.exists(daemon.socket), sourceLocation: place)
    #expect(try fixture.home.temporaryFiles() == [], sourceLocation: place)
    #expect(OwnerLockFile.isFree(fixture.home.lock), sourceLocation: place)
    let data = "\(fixture.home.path)/data/homeline/demo"
    // A properly closed database has no log file.
    if File.exists(data) {
      #expect(
        try Folder.names(in: data).allSatisfy { ["published", "request-start", "timeline.db"].contains($0) },
        sourceLocation: place)
    }
  }

  @Test("An idle service stops on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
  func atRest(signal: Int32) async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    try checkEnd(fixture, daemon, await daemon.stop(signal))
    #expect(try JSONValue(file: fixture.home.timeline(of: "demo"))["posts"].items.count == 20)
  }

  @Test("The service stops even while a refresh waits for an unresponsive provider")
  func hangingRefresh() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    fixture.sandbox.withFaults { $0.add(.delay(.seconds(50)), to: .homeTimeline) }
    let count = fixture.count(of: .homeTimeline)
    let stream = try daemon.command("refresh")
    #expect(try await fixture.receives(.homeTimeline, moreThan: count))
    try checkEnd(fixture, daemon, await daemon.stop())
    let events = try await OwnThread.run { String(decoding: try stream.receiveToEnd(), as: UTF8.self) }
    #expect(events.contains(#""event":"end","exit":75"#), "\(events)")
    #expect(try JSONValue(file: fixture.home.timeline(of: "demo"))["error"] == .null)
  }

  @Test("The service stops even while a login waits for its user, and the login reports the shutdown")
  func waitingLogin() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let login = try await PendingLogin(fixture.home)
    try checkEnd(fixture, daemon, await daemon.stop())
    let outcome = await login.program.end()
    #expect(outcome.code == 75)
    #expect(outcome.error.contains("homeline is shutting down"), "\(outcome.error)")
    #expect(!File.exists(fixture.home.token(of: "demo")))
  }

  @Test("A token that the provider issues during shutdown is stored")
  func exchange() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let (stream, address) = try await daemon.beginLogin("demo")
    fixture.sandbox.withFaults { $0.add(.delay(.milliseconds(700)), to: .accessToken) }
    async let page = OwnThread.run {
      try ScriptedBrowser().follow(ScriptedBrowser().grant(at: address))
    }
    #expect(try await fixture.receives(.accessToken, moreThan: 0))
    let stopped = await daemon.stop()
    try checkEnd(fixture, daemon, stopped)
    let text = try JSONValue(file: fixture.home.token(of: "demo"))
    #expect(text["user"]["screen_name"].text == SandboxUser.screenName)
    // The waiting client gets the result of its command before the service exits.
    let events = try await OwnThread.run { String(decoding: try stream.receiveToEnd(), as: UTF8.self) }
    #expect(events.contains(#""event":"stored""#), "\(events)")
    #expect(try await page.text.contains("Authorised"))
    let next = try await RunningDaemon(fixture.home)
    #expect(try await next.request("refresh").contains(#""event":"end","exit":0"#))
    #expect(await next.stop().outcome.code == 0)
  }

  @Test("The service stops even while the request for the user hangs, and keeps a token whose response named the user")
  func confirmation() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    let (stream, address) = try await daemon.beginLogin("demo")
    fixture.sandbox.withFaults { $0.add(.delay(.seconds(50)), to: .verifyCredentials) }
    async let page = try? OwnThread.run {
      try ScriptedBrowser().follow(ScriptedBrowser().grant(at: address))
    }
    #expect(try await fixture.receives(.verifyCredentials, moreThan: 0))
    let stopped = await daemon.stop()
    try checkEnd(fixture, daemon, stopped)
    _ = await page
    stream.close()
    #expect(try JSONValue(file: fixture.home.token(of: "demo"))["user"]["id"].text == SandboxUser.id)
  }
}

/// The lock on the state, as another process sees it.
enum OwnerLockFile {
  static func isFree(_ path: String) -> Bool {
    guard let outcome = try? FileLock.take(path, text: "") else { return false }
    if case .held = outcome { return true }
    return false
  }
}
