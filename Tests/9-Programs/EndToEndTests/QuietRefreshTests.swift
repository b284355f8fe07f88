import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The files that a refresh without new posts changes, as a program that watches them sees it.
@Suite struct QuietRefreshTests {
  private static let formats = #""publish": ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#

  /// Returns a fixture with a service whose files are all up to date and known to the service.
  private func settled(_ accounts: [String]) async throws -> (PostingFixture, RunningDaemon) {
    let fixture = try await PostingFixture(
      withService: true, accounts: accounts, Self.formats,
      more: #""views": {"all": {"publish": ["html", "atom"]}}, "media": {"megabytes": 0}"#)
    fixture.post(2)
    try await fixture.run("refresh")
    // The service writes the deferred changes when it exits.
    await fixture.end()
    // A file whose content would be the same is not written again, so only a missing file shows that the service has published the view.
    let view = fixture.home.viewFolder("all")
    let names = ["home_timeline.json", "home_timeline.html", "home_timeline.atom"]
    for name in names { try File.remove("\(view)/\(name)") }
    let daemon = try await RunningDaemon(fixture.home)
    // The service does not know what its files contain until its first refresh.
    try await fixture.run("refresh")
    try #require(try await eventually { try Set(names).isSubset(of: Folder.names(in: view)) })
    return (fixture, daemon)
  }

  /// Returns all files in the home folder, except the start markers, SQLite's shared-memory files, and files that the
  /// service removes when it exits.
  private func files(_ fixture: PostingFixture) throws -> [String: FileStatus] {
    var files: [String: FileStatus] = [:]
    func look(_ folder: String) throws {
      for name in try Folder.names(in: folder) {
        let path = "\(folder)/\(name)"
        guard let facts = try? FileStatus.ofLink(path) else { continue }
        if facts.isFolder {
          try look(path)
        } else if facts.isRegular, !["request-start", "timeline.db-shm", "status.json"].contains(name) {
          files[path.replacing(fixture.home.path, with: "")] = facts
        }
      }
    }
    try look(fixture.home.path)
    return files
  }

  private func marker(_ fixture: PostingFixture) throws -> [UInt8] {
    try File.read("\(fixture.home.path)/data/homeline/demo/request-start", limit: 100)
  }

  @Test("Refreshes without new posts change no file except the start marker")
  func quiet() async throws {
    let (fixture, daemon) = try await settled(["demo", "other"])
    let before = try files(fixture)
    #expect(before.keys.contains("/cache/homeline/demo/home_timeline.html"))
    var markers = [try marker(fixture)]
    let asked = fixture.twitter.count(of: .homeTimeline)
    for _ in 0..<5 {
      try await fixture.run("refresh")
      markers.append(try marker(fixture))
    }
    #expect(fixture.twitter.count(of: .homeTimeline) >= asked + 10)
    let after = try files(fixture)
    for (path, facts) in before { #expect(after[path] == facts, "\(path)") }
    #expect(Set(after.keys) == Set(before.keys))
    #expect(Set(markers).count == markers.count)

    fixture.post(1)
    try await fixture.run("refresh")
    let newest = try #require(try fixture.home.publishedIDs().first)
    let changed = try files(fixture)
    // The user asked for the posts now, so no format waits for the next time of the schedule.
    for format in ["json", "jsonl", "atom", "html", "txt"] {
      let path = "/cache/homeline/demo/home_timeline.\(format)"
      #expect(changed[path] != before[path], "\(format)")
    }
    #expect(await daemon.stop().outcome.code == 0)
    let feed = try File.read("\(fixture.home.cacheFolder)/home_timeline.atom", limit: 1 << 24)
    #expect(String(decoding: feed, as: UTF8.self).contains("/\(newest)</id>"))
  }

  @Test(
    "The time of the next refresh survives SIGKILL even if the last refresh brought no new posts")
  func killed() async throws {
    let (fixture, first) = try await settled(["demo"])
    try await fixture.run("refresh")
    first.program.signal(SIGKILL)
    _ = await first.program.end()
    let asked = fixture.twitter.count(of: .homeTimeline)
    let next = try await RunningDaemon(fixture.home)
    let status = try await next.status()
    #expect(status["accounts"].items.first?["next_refresh_at"].text != nil)
    #expect(fixture.twitter.count(of: .homeTimeline) == asked)
    #expect(await next.stop().outcome.code == 0)
    #expect(fixture.twitter.count(of: .homeTimeline) == asked)
  }

  @Test("The service stores its request times when it exits")
  func stored() async throws {
    let (fixture, daemon) = try await settled(["demo"])
    func asked() async throws -> Int {
      let path = "\(fixture.home.path)/data/homeline/demo/timeline.db"
      let outcome = try await ProgramRun.run(
        "sqlite3", [path, "SELECT asked_at FROM state"], environment: fixture.home.environment())
      return try #require(Int(outcome.output.split(separator: "\n").first ?? ""))
    }
    let before = try await asked()
    try await fixture.run("refresh")
    #expect(try await asked() == before)
    #expect(await daemon.stop().outcome.code == 0)
    #expect(try await asked() > before)
  }
}
