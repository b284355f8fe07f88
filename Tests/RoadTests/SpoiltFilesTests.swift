import Glibc
import Platform
import Sandbox
import TestSupport
import Testing

/// A running service whose files are damaged: it continues, reports it, and recovers by itself.
@Suite("Files damaged while the service runs") struct SpoiltFilesTests {
  private static let members = #""refresh_seconds": 15, "keep_posts": 20"#

  private func published(_ served: ServedHome) throws -> JSONValue {
    try JSONValue(file: served.timeline(of: "demo"))
  }

  private func refresh(_ daemon: RunningDaemon) async throws -> String { try await daemon.ask("refresh") }

  /// Waits until the published file reports no error.
  private func recovered(_ served: ServedHome) async throws -> Bool {
    try await eventually(within: .seconds(90)) { try self.published(served)["error"] == .null }
  }

  @Test("Temporary files of a killed owner are removed at the next start")
  func leftovers() async throws {
    let served = try ServedHome(Self.members)
    let kept = "\(served.token(of: "demo")).corrupt-20261120T160000Z"
    let left = [
      "\(served.token(of: "demo")).new-1", "\(served.token(of: "demo")).reserved-1-2",
      "\(served.timeline(of: "demo")).new-1", "\(served.home.path)/state/homeline/_sandbox/key.new-1",
      "\(served.home.path)/cache/homeline/_views/all/home_timeline.html.new-1",
      "\(served.home.path)/state/homeline/_servers/social.example/client.json.new-1",
    ]
    for path in left + [kept] { try served.home.write("half", to: path) }
    try served.configure([("demo", served.account(Self.members)), ("own", #"{"provider": "sandbox"}"#)])
    let daemon = try await RunningDaemon(served.home)
    for path in left { #expect(try await eventually { !File.exists(path) }, "\(path)") }
    #expect(File.exists(kept))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A deleted cache folder is restored by the next refresh")
  func cacheRemoved() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    _ = try await served.home.shell("rm -r '\(served.home.path)/cache'")
    #expect(try await refresh(daemon).contains(#""event":"end","exit":0"#))
    #expect(try published(served)["posts"].items.count == 20)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A full disk is reported in the log and the file, and the service recovers when there is space")
  func noRoom() async throws {
    let served = try ServedHome(#""refresh_seconds": 15, "keep_posts": 400"#)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    // Before the posts are deleted: a refresh that is due meanwhile must not restore them, and a file with all of
    // them does not fit either.
    try await limit(daemon, to: "100000")
    // The posts have to be fetched again, and are more than the limited log can hold.
    let database = "\(served.home.path)/data/homeline/demo/timeline.db"
    let sql = "DELETE FROM posts; DELETE FROM spans; UPDATE state SET entity_tag = NULL; VACUUM"
    #expect(try await ProgramRun.run("sqlite3", [database, sql], environment: served.home.environment()).code == 0)
    #expect(try await refresh(daemon).contains(#""exit":74"#))
    #expect(daemon.program.isRunning)
    #expect(try published(served)["error"]["code"].text == "storage", "\(daemon.said)")
    #expect(try published(served)["stale_since"].text != nil)
    #expect(!daemon.said.contains("refreshed again"))
    try await limit(daemon, to: "unlimited")
    // Without a command: the pause after a first failure is 15 s plus up to a fifth.
    #expect(try await recovered(served))
    #expect(try await eventually { try self.published(served)["posts"].items.count == 400 })
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Limits the size of the service's files (setrlimit(2), RLIMIT_FSIZE).
  private func limit(_ daemon: RunningDaemon, to bytes: String) async throws {
    let outcome = try await ProgramRun.run(
      "prlimit", ["--pid", "\(daemon.program.process)", "--fsize=\(bytes):unlimited"],
      environment: ProgramRun.environment(home: "/nonexistent"))
    try #require(outcome.code == 0, "\(outcome.error)")
  }

  @Test("A token that others can read is not used, and is used again when its mode is fixed")
  func publicToken() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    chmod(served.token(of: "demo"), 0o644)
    #expect(try await refresh(daemon).contains("chmod 600"))
    let error = try published(served)["error"]
    #expect(error["code"].text == "configuration")
    #expect(error["message"].text?.contains("chmod 600") == true)
    #expect(try published(served)["posts"].items.count == 20)
    chmod(served.token(of: "demo"), 0o600)
    #expect(try await recovered(served))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A corrupt token is set aside and reported, and a restored one is used again")
  func garbageToken() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    let token = try served.home.read(served.token(of: "demo"))
    try served.home.write("garbage", to: served.token(of: "demo"))
    #expect(try await refresh(daemon).contains(#""exit":65"#))
    #expect(try published(served)["error"]["code"].text == "not-authorised")
    #expect(try published(served)["error"]["message"].text?.contains(".corrupt-") == true)
    #expect(try await refresh(daemon).contains(#""exit":77"#))
    #expect(try published(served)["error"]["message"].text?.contains("homeline login demo") == true)
    try served.home.write(token, to: served.token(of: "demo"))
    #expect(try await recovered(served))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A deleted database is recreated with the user and the posts that the provider still has")
  func databaseRemoved() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    _ = try await served.home.shell("rm -r '\(served.home.path)/data/homeline/demo'")
    #expect(try await refresh(daemon).contains(#""event":"end","exit":0"#))
    #expect(daemon.said.contains("removed or replaced"))
    try await checkWhole(served)
    #expect(await daemon.stop().outcome.code == 0)
    try await checkWhole(served)
  }

  @Test("A database replaced by garbage is set aside and recreated")
  func databaseReplaced() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    let folder = "\(served.home.path)/data/homeline/demo"
    _ = try await served.home.shell(
      "cd '\(folder)' && rm timeline.db-* && head -c 65536 /dev/urandom > new && mv new timeline.db")
    #expect(try await refresh(daemon).contains(#""event":"end","exit":0"#))
    #expect(try Folder.names(in: folder).contains { $0.contains(".corrupt-") })
    #expect(daemon.said.contains("damaged"))
    try await checkWhole(served)
    #expect(await daemon.stop().outcome.code == 0)
    try await checkWhole(served)
  }

  @Test("A database found damaged during use is set aside and recreated")
  func databaseDamaged() async throws {
    let served = try ServedHome(#""refresh_seconds": 15, "keep_posts": 20, "first_fill_posts": 400"#)
    let first = try await RunningDaemon(served.home)
    try await served.logIn(by: first)
    #expect(await first.stop().outcome.code == 0)
    // Not due, so that nothing of it is in memory when it is damaged.
    let folder = "\(served.home.path)/data/homeline/demo"
    let later = "UPDATE state SET next_refresh_at = next_refresh_at + 3600, asked_at = asked_at + 3600"
    let moved = try await ProgramRun.run(
      "sqlite3", ["\(folder)/timeline.db", later], environment: served.home.environment())
    #expect(moved.code == 0, "\(moved.error)")
    let daemon = try await RunningDaemon(served.home)
    _ = try await served.home.shell(
      "dd if=/dev/urandom of='\(folder)/timeline.db' bs=4096 seek=6 count=200 conv=notrunc status=none")
    _ = try await refresh(daemon)
    #expect(try await eventually { try Folder.names(in: folder).contains { $0.contains(".corrupt-") } })
    // After the readable part has been recovered.
    #expect(try await eventually { daemon.said.contains("damaged") })
    #expect(try await eventually { try self.published(served)["refreshed_at"].text != nil })
    #expect(try await recovered(served))
    try await checkWhole(served)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("A database that cannot be opened is reported, posts stay published, and the service recovers")
  func databaseUnreachable() async throws {
    let served = try ServedHome(Self.members)
    let daemon = try await RunningDaemon(served.home)
    try await served.logIn(by: daemon)
    let folder = "\(served.home.path)/data/homeline/demo"
    _ = try await served.home.shell("mv '\(folder)' '\(folder).away' && touch '\(folder)'")
    #expect(try await refresh(daemon).contains(#""exit":74"#))
    #expect(daemon.said.contains(folder))
    #expect(try published(served)["posts"].items.count == 20)
    #expect(try published(served)["error"]["code"].text == "storage")
    _ = try await served.home.shell("rm '\(folder)' && mv '\(folder).away' '\(folder)'")
    #expect(try await recovered(served))
    #expect(await daemon.stop().outcome.code == 0)
    try await checkWhole(served)
  }

  /// Checks that the database contains the published posts and the user.
  private func checkWhole(_ served: ServedHome) async throws {
    let file = try published(served)
    #expect(file["error"] == .null)
    #expect(file["user"]["screen_name"].text == SandboxProvider.userScreenName)
    let ids = file["posts"].items.compactMap { $0["id"].text }
    #expect(ids.count == 20)
    let database = "\(served.home.path)/data/homeline/demo/timeline.db"
    let known = try await ProgramRun.run(
      "sqlite3", [database, "SELECT id FROM posts"], environment: served.home.environment())
    #expect(Set(ids).subtracting(known.output.split(separator: "\n").map(String.init)) == [], "\(known.error)")
  }
}
