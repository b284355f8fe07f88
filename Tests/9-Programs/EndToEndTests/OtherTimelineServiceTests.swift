import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// Timelines beside home in a running service: logins, rate limits and disk writes.
@Suite("Timelines beside home in a service", .timeLimit(.minutes(3))) struct OtherTimelineServiceTests {
  private static let timelines =
    #""timelines": {"home": {}, "user:@kai_demo": {}, "user:@ana_forno": {}, "list:Friends": {}}"#

  @Test("A login fetches all timelines of the account, its home timeline first, and names each")
  func login() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "# + Self.timelines)
    let daemon = try await RunningDaemon(fixture.home)
    let (events, _) = try await daemon.attemptLogin("demo")
    let lines = events.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }
    let refreshed = try lines.map { try JSONValue(Array($0.utf8)) }
      .filter { $0["event"].text == "refreshed" }
    let names = ["demo", "demo/list:Friends", "demo/user:@ana_forno", "demo/user:@kai_demo"]
    #expect(refreshed.map { $0["account"].text } == names)
    #expect(refreshed.allSatisfy { ($0["new"].integer ?? 0) > 0 }, "\(events)")
    let files = ["home_timeline", "list-Friends", "user-%40ana_forno", "user-%40kai_demo"]
    #expect(refreshed.map { $0["timeline"].text } == files.map { "\(fixture.home.cacheFolder)/\($0).json" })
    #expect(files.allSatisfy { File.exists("\(fixture.home.cacheFolder)/\($0).json") })
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A login succeeds although a list does not exist, and reports this")
  func loginWithoutList() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "timelines": {"home": {}, "list:Nobody": {}}"#)
    let daemon = try await RunningDaemon(fixture.home)
    let (events, _) = try await daemon.attemptLogin("demo")
    #expect(events.contains(#""event":"end","exit":0"#) && events.contains("There is no list"), "\(events)")
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A rate limit of the users' timelines survives a restart of the service, for all of them, while home goes on")
  func limit() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "# + Self.timelines)
    let first = try await RunningDaemon(fixture.home)
    try await first.logIn()
    fixture.sandbox.withFaults {
      $0.add(.rateLimited(reset: Int(WallClock.system.now.seconds) + 900), to: .userTimeline, times: 100)
    }
    let limited = try await fixture.home.run("refresh", "demo/user:@kai_demo")
    #expect(limited.code == 75, "\(limited.error)")
    first.program.signal(SIGKILL)
    _ = await first.program.end()

    let next = try await RunningDaemon(fixture.home)
    let asked = fixture.count(of: .userTimeline)
    for timeline in ["user:@kai_demo", "user:@ana_forno"] {
      let outcome = try await fixture.home.run("refresh", "demo/\(timeline)")
      #expect(outcome.code == 75 && outcome.error.contains("limit"), "\(timeline): \(outcome.error)")
    }
    #expect(fixture.count(of: .userTimeline) == asked, "the limit was reached before the restart")
    for timeline in ["home", "list:Friends"] {
      let outcome = try await fixture.home.run("refresh", "demo/\(timeline)")
      #expect(outcome.code == 0, "\(timeline): \(outcome.error)")
    }
    #expect(await next.stop().outcome.code == 0)
  }

  @Test(
    "A list's refresh without new posts writes at most 128 bytes, and syncs nothing",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func quiet() async throws {
    let folder = TemporaryFolder()
    // The plan covers the parent folder, because the home folder's path is unknown yet. The service writes only to its home folder.
    let plan = try DiskFaultPlan(below: try #require(Folder.parent(of: folder.path)))
    let fixture = try await PostingFixture(
      withService: true, #""timelines": {"home": {}, "list:Friends": {"publish": ["jsonl", "atom"]}}"#,
      variables: plan.variables)
    // Let refreshes complete what the login started, such as a reset of the database's log.
    for _ in 0..<3 {
      fixture.post(2)
      try await fixture.run("refresh")
    }
    try await fixture.run("refresh", "demo/list:Friends")
    let marker = "\(fixture.home.path)/data/homeline/demo/request-start"
    let before = try files(fixture)
    try plan.set(nil)
    try await fixture.run("refresh", "demo/list:Friends")
    let outcome = try plan.outcome
    #expect(outcome.calls > 0 && outcome.syncs == 0)
    let after = try files(fixture)
    #expect(Set(after.keys) == Set(before.keys))
    for (path, status) in after where path != marker { #expect(status == before[path], "\(path)") }
    // The marker is written before and after the request.
    #expect(try 2 * File.read(marker, limit: 1000).count <= 128)
    await fixture.end()
  }

  /// Returns all files of the installation that a refresh could change, except SQLite's shared memory and the service's status.
  private func files(_ fixture: PostingFixture) throws -> [String: FileStatus] {
    var files: [String: FileStatus] = [:]
    func look(_ folder: String) throws {
      for name in try Folder.names(in: folder) {
        guard let status = try? FileStatus.ofLink("\(folder)/\(name)") else { continue }
        if status.isFolder {
          try look("\(folder)/\(name)")
        } else if status.isRegular, !["timeline.db-shm", "status.json"].contains(name) {
          files["\(folder)/\(name)"] = status
        }
      }
    }
    try look(fixture.home.path)
    return files
  }
}
