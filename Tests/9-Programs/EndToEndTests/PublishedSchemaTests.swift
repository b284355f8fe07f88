import Formats
import Glibc
import Platform
import Sandbox
import SandboxSupport
import Storage
import TestSupport
import Testing
import Time
import Timeline

/// Published files, checked against docs/schema by an independent validator.
@Suite struct PublishedSchemaTests {
  private static func schema(_ name: String) -> String {
    Repository.path("docs/schema/\(name).schema.json")
  }

  /// Returns what the validator reports.
  static func violations(of name: String, _ files: String...) async throws -> String {
    let program = try Peers.start("check_schema.py", [Self.schema(name)] + files)
    let outcome = await program.end()
    #expect(outcome.error == "")
    return outcome.output
  }

  @Test("Timelines of accounts and views conform to the JSON Schema, even after an error and a logout", .needsPeers)
  func timelines() async throws {
    let fixture = try await PostingFixture(
      withService: true, accounts: ["demo", "other"], more: #""views": {"all": {}}, "media": {"megabytes": 0}"#)
    fixture.post(3)
    try await fixture.run("refresh")
    let (timeline, view) = (
      "\(fixture.home.cacheFolder)/home_timeline.json", "\(fixture.home.viewFolder("all"))/home_timeline.json"
    )
    #expect(try await eventually { File.exists(view) })
    #expect(try await Self.violations(of: "home_timeline", timeline, view) == "")
    #expect(try fixture.home.published()["fresh_until"].text != nil)

    try await fixture.run("read", "demo")
    fixture.twitter.sandbox.withFaults { $0.add(.error(503, code: 130, "over capacity"), to: .homeTimeline) }
    _ = try await fixture.home.start(["refresh", "demo"]).end()
    try await fixture.run("logout", "other")
    #expect(try fixture.home.published()["error"] != .null && fixture.home.published()["read_up_to"].text != nil)
    #expect(
      try await Self.violations(
        of: "home_timeline", timeline, "\(fixture.home.cacheFolder(of: "other"))/home_timeline.json") == "")

    // The schema must refuse a file that lacks a required member.
    let invalid = "\(fixture.home.path)/invalid.json"
    let text = String(decoding: try File.read(timeline, limit: 1 << 24), as: UTF8.self)
    try AtomicFile.write(Array(text.replacing(#""fresh_until":"#, with: #""until":"#).utf8), to: invalid, .replaced)
    #expect(try await Self.violations(of: "home_timeline", invalid).contains("fresh_until"))
    await fixture.end()
  }

  @Test("Events with and without a post conform to the JSON Schema, and a post without a text does not", .needsPeers)
  func events() async throws {
    let folder = TemporaryFolder()
    let actor = User(id: "7", screenName: "ada", name: "Ada")
    let time = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!
    let notice = Notice(id: PostID("9"), kind: "favourite", actors: [actor], group: "g", at: time, text: "t")
    let post = Post(id: PostID("1"), createdAt: time, author: actor, text: "t", notice: notice)
    let lines = [PostJSON.bytes(post), PostJSON.bytes(Post(event: notice))]
    let head = TimelineHead(account: "me", provider: "mastodon")
    let file = "\(folder.path)/events.json"
    let bytes = TimelineFile.pieces(head: head, posts: PostLines(lines)).flatMap { $0 }
    try AtomicFile.write(bytes, to: file, .replaced)
    #expect(try await Self.violations(of: "home_timeline", file) == "")
    let text = String(decoding: bytes, as: UTF8.self)
    try AtomicFile.write(Array(text.replacing(#""text":"t","media""#, with: #""media""#).utf8), to: file, .replaced)
    #expect(try await Self.violations(of: "home_timeline", file) != "")
  }

  @Test(
    "An exported post with events, a deleted one and an event without a post conform to the JSON Schema", .needsPeers)
  func exportedEvents() async throws {
    let folder = TemporaryFolder()
    let actor = User(id: "7", screenName: "ada", name: "Ada")
    let time = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!
    let notice = Notice(id: PostID("9"), kind: "favourite", actors: [actor], at: time)
    let post = Post(id: PostID("1"), createdAt: time, author: actor, text: "t")
    let notifications = try TimelineName("notifications")
    let places = [PostTimeline.home, PostTimeline(notifications, key: PostKey("01.9"), notice: notice)]
    let posts = [
      ImportedPost(post, key: PostKey("01.1"), timelines: places),
      ImportedPost(
        deleted: PostID("1"), key: PostKey("01.1"), createdAt: time, deletedAt: time, timelines: places),
      ImportedPost(
        Post(event: notice), key: PostKey("01.9"), timelines: [PostTimeline(notifications, notice: notice)]),
    ]
    let file = "\(folder.path)/archive.json"
    let text = "[\(posts.map { String(decoding: $0.line, as: UTF8.self) }.joined(separator: ","))]"
    try AtomicFile.write(Array(text.utf8), to: file, .replaced)
    #expect(try await Self.violations(of: "archive", file) == "")
    try AtomicFile.write(Array(text.replacing(#""timeline":"#, with: #""name":"#).utf8), to: file, .replaced)
    #expect(try await Self.violations(of: "archive", file) != "")
  }

  @Test(
    "Timelines from every simulated provider conform to the JSON Schema", .needsPeers,
    arguments: ["twitter", "x", "weibo", "mastodon"])
  func providers(name: String) async throws {
    let folder = TemporaryFolder()
    let outcome = try await ProgramRun(
      ProgramRun.product("homeline"), ["demo", "--sandbox-port", "0", "--once", "--provider", name],
      environment: ProgramRun.environment(home: folder.path)
    ).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    let folderName = name == "twitter" ? "_demo" : "_demo-\(name)"
    let file = "\(folder.path)/cache/homeline/\(folderName)/cache/demo/home_timeline.json"
    #expect(try await Self.violations(of: "home_timeline", file) == "")
  }
}
