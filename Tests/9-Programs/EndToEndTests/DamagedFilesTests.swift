import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// A service whose files are damaged while it runs. It keeps running, reports the damage, and recovers by itself.
@Suite("Files damaged while the service runs") struct DamagedFilesTests {
  private static let members = #""refresh_seconds": 15, "keep_posts": 20"#

  private func published(_ fixture: TwitterFixture) throws -> JSONValue {
    try JSONValue(file: fixture.home.timeline(of: "demo"))
  }

  private func refresh(_ daemon: RunningDaemon) async throws -> String { try await daemon.request("refresh") }

  /// Waits until the published file reports no error.
  private func recovered(_ fixture: TwitterFixture) async throws -> Bool {
    try await eventually(within: .seconds(90)) { try self.published(fixture)["error"] == .null }
  }

  @Test("The next start removes the temporary files of a killed service")
  func leftovers() async throws {
    let fixture = try TwitterFixture(Self.members)
    let kept = "\(fixture.home.token(of: "demo")).corrupt-20261120T160000Z"
    let left = [
      "\(fixture.home.token(of: "demo")).new-1", "\(fixture.home.token(of: "demo")).reserved-1-2",
      "\(fixture.home.timeline(of: "demo")).new-1", "\(fixture.home.path)/state/homeline/_sandbox/key.new-1",
      "\(fixture.home.path)/cache/homeline/_views/all/home_timeline.html.new-1",
      "\(fixture.home.path)/state/homeline/_servers/social.example/client.json.new-1",
      // Other commands write such files too, so only those of processes that are gone are removed.
      "\(fixture.home.path)/data/homeline/demo/outbox/out-20261120-x.json.new-999999999",
      "\(fixture.home.path)/data/homeline/_restoring.new-999999999",
      "\(fixture.home.path)/data/homeline/demo/login-announced.new-999999999",
      "\(fixture.home.path)/data/homeline/_backup-999999999-a1/state/token.json",
      "\(fixture.home.path)/data/homeline/_restore-999999999-a1/config.json",
      "\(fixture.home.path)/state/homeline/demo/upload-0123.json.new-999999999",
      "\(fixture.home.path)/state/homeline/_drafts/post-1.txt.new-999999999",
      "\(fixture.home.path)/cache/homeline/_open/_all.html.new-999999999",
    ]
    // Process 1 is running.
    let used = "\(fixture.home.path)/data/homeline/_backup-1-a1/config.json"
    for path in left + [kept, used] { try fixture.home.write("half", to: path) }
    try fixture.configure([("demo", fixture.account(Self.members)), ("own", #"{"provider": "sandbox"}"#)])
    let daemon = try await RunningDaemon(fixture.home)
    for path in left { #expect(try await eventually { !File.exists(path) }, "\(path)") }
    #expect(File.exists(kept) && File.exists(used))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("The next refresh restores a deleted cache folder")
  func cacheRemoved() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    _ = try await fixture.home.shell("rm -r '\(fixture.home.path)/cache'")
    #expect(try await refresh(daemon).contains(#""event":"end","exit":0"#))
    #expect(try published(fixture)["posts"].items.count == 20)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A full disk is reported in the log and the published file, and the service recovers once there is space")
  func noSpace() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 15, "keep_posts": 400"#)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    // The limit is set before the posts are deleted, so that no refresh in between can restore them. A file with all
    // posts exceeds the limit too.
    try await limit(daemon, to: "100000")
    // All posts must be fetched again, and storing them exceeds the limit for the database's log.
    let database = "\(fixture.home.path)/data/homeline/demo/timeline.db"
    let sql = "DELETE FROM posts; DELETE FROM spans; UPDATE state SET entity_tag = NULL; VACUUM"
    #expect(try await ProgramRun.run("sqlite3", [database, sql], environment: fixture.home.environment()).code == 0)
    #expect(try await refresh(daemon).contains(#""exit":74"#))
    #expect(daemon.program.isRunning)
    #expect(try published(fixture)["error"]["code"].text == "storage", "\(daemon.log)")
    #expect(try published(fixture)["stale_since"].text != nil)
    #expect(!daemon.log.contains("refreshes are working again"))
    try await limit(daemon, to: "unlimited")
    // The test runs no command: after a first failure, the service retries by itself within 15 to 18 s.
    #expect(try await recovered(fixture))
    #expect(try await eventually { try self.published(fixture)["posts"].items.count == 400 })
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Limits the size of the files that the service writes (setrlimit(2), RLIMIT_FSIZE).
  private func limit(_ daemon: RunningDaemon, to bytes: String) async throws {
    let outcome = try await ProgramRun.run(
      "prlimit", ["--pid", "\(daemon.program.process)", "--fsize=\(bytes):unlimited"],
      environment: ProgramRun.environment(home: "/nonexistent"))
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  @Test("A token that other users can read is not used until the user corrects the file's mode")
  func publicToken() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    chmod(fixture.home.token(of: "demo"), 0o644)
    #expect(try await refresh(daemon).contains("chmod 600"))
    let error = try published(fixture)["error"]
    #expect(error["code"].text == "configuration")
    #expect(error["message"].text?.contains("chmod 600") == true)
    #expect(try published(fixture)["posts"].items.count == 20)
    chmod(fixture.home.token(of: "demo"), 0o600)
    #expect(try await recovered(fixture))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A corrupt token file is set aside and reported, and the token is used again once the user restores it")
  func garbageToken() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    let token = try fixture.home.read(fixture.home.token(of: "demo"))
    try fixture.home.write("garbage", to: fixture.home.token(of: "demo"))
    #expect(try await refresh(daemon).contains(#""exit":65"#))
    #expect(try published(fixture)["error"]["code"].text == "not-authorised")
    #expect(try published(fixture)["error"]["message"].text?.contains(".corrupt-") == true)
    #expect(try await refresh(daemon).contains(#""exit":77"#))
    #expect(try published(fixture)["error"]["message"].text?.contains("homeline login demo") == true)
    try fixture.home.write(token, to: fixture.home.token(of: "demo"))
    #expect(try await recovered(fixture))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A deleted database is recreated with the user and the posts that the provider still has")
  func databaseRemoved() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    _ = try await fixture.home.shell("rm -r '\(fixture.home.path)/data/homeline/demo'")
    #expect(try await refresh(daemon).contains(#""event":"end","exit":0"#))
    #expect(daemon.log.contains("removed or replaced"))
    try await checkWhole(fixture)
    #expect(await daemon.stop().outcome.code == 0)
    try await checkWhole(fixture)
  }

  @Test("A database overwritten with garbage is set aside and recreated")
  func databaseReplaced() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    let folder = "\(fixture.home.path)/data/homeline/demo"
    _ = try await fixture.home.shell(
      "cd '\(folder)' && rm timeline.db-* && head -c 65536 /dev/urandom > new && mv new timeline.db")
    #expect(try await refresh(daemon).contains(#""event":"end","exit":0"#))
    #expect(try Folder.names(in: folder).contains { $0.contains(".corrupt-") })
    #expect(daemon.log.contains(" corrupt"))
    try await checkWhole(fixture)
    #expect(await daemon.stop().outcome.code == 0)
    try await checkWhole(fixture)
  }

  @Test("A database found to be corrupt while in use is set aside and recreated")
  func databaseDamaged() async throws {
    let fixture = try TwitterFixture(#""refresh_seconds": 15, "keep_posts": 20, "first_fill_posts": 400"#)
    let first = try await RunningDaemon(fixture.home)
    try await first.logIn()
    #expect(await first.stop().outcome.code == 0)
    // The account is not due, so no part of the database is in memory when the file is corrupted.
    let folder = "\(fixture.home.path)/data/homeline/demo"
    let later = "UPDATE state SET next_refresh_at = next_refresh_at + 3600, asked_at = asked_at + 3600"
    let moved = try await ProgramRun.run(
      "sqlite3", ["\(folder)/timeline.db", later], environment: fixture.home.environment())
    #expect(moved.code == 0, "\(moved.error)")
    let daemon = try await RunningDaemon(fixture.home)
    _ = try await fixture.home.shell(
      "dd if=/dev/urandom of='\(folder)/timeline.db' bs=4096 seek=6 count=200 conv=notrunc status=none")
    _ = try await refresh(daemon)
    #expect(try await eventually { try Folder.names(in: folder).contains { $0.contains(".corrupt-") } })
    // The message appears after the readable part has been recovered.
    #expect(try await eventually { daemon.log.contains(" corrupt") })
    #expect(try await eventually { try self.published(fixture)["refreshed_at"].text != nil })
    #expect(try await recovered(fixture))
    try await checkWhole(fixture)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("If a database cannot be opened, the service reports it, keeps its posts published, and recovers")
  func databaseUnreachable() async throws {
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    let folder = "\(fixture.home.path)/data/homeline/demo"
    _ = try await fixture.home.shell("mv '\(folder)' '\(folder).away' && touch '\(folder)'")
    #expect(try await refresh(daemon).contains(#""exit":74"#))
    #expect(daemon.log.contains(folder))
    #expect(try published(fixture)["posts"].items.count == 20)
    #expect(try published(fixture)["error"]["code"].text == "storage")
    _ = try await fixture.home.shell("rm '\(folder)' && mv '\(folder).away' '\(folder)'")
    #expect(try await recovered(fixture))
    #expect(await daemon.stop().outcome.code == 0)
    try await checkWhole(fixture)
  }

  /// Checks that the database contains the published posts and the user.
  private func checkWhole(_ fixture: TwitterFixture) async throws {
    let file = try published(fixture)
    #expect(file["error"] == .null)
    #expect(file["user"]["screen_name"].text == SandboxUser.screenName)
    let ids = file["posts"].items.compactMap { $0["id"].text }
    #expect(ids.count == 20)
    let database = "\(fixture.home.path)/data/homeline/demo/timeline.db"
    let known = try await ProgramRun.run(
      "sqlite3", [database, "SELECT id FROM posts"], environment: fixture.home.environment())
    #expect(Set(ids).subtracting(known.output.split(separator: "\n").map(String.init)) == [], "\(known.error)")
  }
}
