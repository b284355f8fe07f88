import Platform
import Sandbox
import SandboxSupport
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time

/// Programs under a wall clock that is wrong, is set while they run, or is past 2038, and in other time zones.
@Suite("Wall clock changes", .needsFakeTime) struct ClockTests {
  private static let day: Int64 = 86_400

  @Test(
    "The service keeps working when the clock jumps by hours, days or years, and published files contain the new time")
  func jumps() async throws {
    let time = try FakeTime()
    let fixture = try await FaultyTimelineFixture(time.variables)
    for offset in [3600, -3600, 3 * Self.day, -3 * Self.day, 730 * Self.day, -730 * Self.day, 0] {
      try time.set(.seconds(offset))
      let recovered = try await fixture.recover(from: "a clock set by \(offset) s")
      #expect(recovered.requests >= 1)
      let file = recovered.file
      let refreshed = try #require(Timestamp(rfc3339: file["refreshed_at"].text ?? ""))
      let expected = WallClock.system.now + .seconds(offset)
      #expect(abs((refreshed - expected).components.seconds) < 1800, "\(offset): \(refreshed.rfc3339)")
      let end = try #require(Timestamp(rfc3339: file["fresh_until"].text ?? ""))
      #expect(end > refreshed && end <= refreshed + .seconds(3 * Self.day), "\(offset): \(end.rfc3339)")
      #expect(try fixture.home.publishedIDs() == fixture.timeline.ids, "\(offset): posts are repeated or out of order")
    }
    #expect(fixture.daemon.log.contains("the clock was set"), "\(fixture.daemon.log)")
    #expect(await fixture.daemon.stop().outcome.code == 0)
  }

  @Test("A program under a fake clock leaves no shared memory behind")
  func leftovers() async throws {
    let home = try TestInstallation()
    let program = try home.start(["version"], FakeTime.standing(at: Timestamp(seconds: 1_792_888_200)))
    #expect(await program.end().code == 0)
    #expect(try Folder.names(in: "/dev/shm").allSatisfy { !$0.hasSuffix("_\(program.process)") })
  }

  @Test("Logins, refreshes and all commands that read the files work in the year 2040")
  func year2040() async throws {
    // 2040-07-01T12:00:00Z does not fit into a signed 32-bit time.
    let moment = Timestamp(seconds: 2_224_756_800)
    let variables = FakeTime.standing(at: moment)
    let fixture = try TwitterFixture(clock: WallClock { moment })
    let login = try await PendingLogin(fixture.home, [], variables)
    let page = try await login.authorise().text
    #expect(page.contains("Authorised as"))
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    // To the program, a stopped clock looks like one that was set back. The provider has the same clock.
    #expect(!outcome.error.contains("the provider's time"), "\(outcome.error)")

    let file = try JSONValue(file: fixture.home.timeline)
    #expect(file["refreshed_at"].text == "2040-07-01T12:00:00Z")
    #expect(file["fresh_until"].text?.hasPrefix("2040-07-01T13:") == true)
    #expect(file["posts"].items.first?["created_at"].text?.hasPrefix("2040-") == true)
    #expect(try JSONValue(file: fixture.home.token(of: "demo"))["created_at"].text ?? "2040-" >= "2040-")

    // Two days later, a refresh is due, and commands can read the archive and search it by date.
    let later = FakeTime.standing(at: moment + .seconds(2 * Self.day))
    for arguments in [
      ["daemon", "--once"], ["status"], ["show", "--limit", "3"], ["search", "--since", "2040-01-01", "the"],
    ] {
      let outcome = try await fixture.home.start(arguments, later).end()
      #expect(outcome.code == 0, "\(arguments): \(outcome.error)")
      if arguments[0] == "search" { #expect(outcome.output.contains(" · 2 d\n"), "\(outcome.output)") }
    }
    #expect(try JSONValue(file: fixture.home.timeline)["refreshed_at"].text == "2040-07-03T12:00:00Z")
  }

  @Test("A token that expires after 2038, beyond 32-bit time, is used, printed and renewed as usual")
  func tokenBeyond2038() async throws {
    // The test begins 15 minutes before 2038-01-19T03:14:08Z.
    let begin = Timestamp(seconds: 1 << 31) - .seconds(900)
    let now = Locked(begin)
    let fixture = try XFixture(
      clock: WallClock { now.withLock { $0 } }, variables: FakeTime.standing(at: begin))
    try await fixture.logIn()
    let first = try #require(try fixture.stored().grant.bearer)
    #expect(try #require(first.expiresAt).seconds > 1 << 31)
    let text = try fixture.accessToken()
    #expect(try await fixture.home.run("token", "bird").output == "\(text)\n")
    #expect(fixture.tokenRequests == 1)

    let later = begin + .seconds(7200)
    now.withLock { $0 = later }
    let refresh = try await fixture.home.run("refresh", variables: FakeTime.standing(at: later))
    #expect(refresh.code == 0, "\(refresh.error)")
    #expect(fixture.tokenRequests == 2)
    let second = try #require(try fixture.stored().grant.bearer)
    #expect(try #require(second.expiresAt) > later)
    #expect(try fixture.accessToken() != text)
  }

  @Test("Time zones and daylight saving time do not affect files or output")
  func zones() async throws {
    let fixture = try await FaultyTimelineFixture()
    await fixture.daemon.stop()
    // The local time 02:30 occurs a second time in Berlin that night, and Apia is a day ahead.
    for moment in [1_792_888_200, 1_792_891_800] {
      var seen: [String: Set<String>] = [:]
      for zone in ["UTC", "Europe/Berlin", "Pacific/Apia", "America/St_Johns", ":/nonexistent"] {
        let variables = FakeTime.standing(at: Timestamp(seconds: Int64(moment))).merging(["TZ": zone]) { $1 }
        let refresh = try await fixture.home.run("refresh", variables: variables)
        #expect(refresh.code == 0, "\(refresh.error)")
        let show = try await fixture.home.run("show", variables: variables)
        #expect(show.code == 0, "\(show.error)")
        let status = try await fixture.home.run("status", "--json", variables: variables)
        #expect(status.code == 0, "\(status.error)")
        seen["refresh", default: []].insert(refresh.output)
        seen["show", default: []].insert(show.output)
        seen["status", default: []].insert(status.output)
        seen["file", default: []].insert(try fixture.home.read(fixture.home.timeline))
      }
      for (what, forms) in seen { #expect(forms.count == 1, "\(what): \(forms)") }
    }
  }
}
