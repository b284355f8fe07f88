import CivilTime
import HTTP
import Platform
import Sandbox
import TestSupport
import Testing

/// Posts that are deleted at a Mastodon server.
@Suite("Posts deleted at the server", .needsFakeTime, .timeLimit(.minutes(4)))
struct DeletedPostsRoadTests {
  /// An installation with the account `fox`, and a simulated server with the same clock, which the test sets.
  private final class FoxHome: Sendable {
    let home: RoadHome
    let server: FakeServer<MastodonSandbox>
    private let now: Locked<Timestamp>
    private let asked: Locked<[SandboxRecord]>

    init() throws {
      let now = Locked(Timestamp(seconds: WallClock.system.now.seconds))
      let asked = Locked<[SandboxRecord]>([])
      (self.now, self.asked) = (now, asked)
      home = try RoadHome()
      let clock = WallClock { now.withLock { $0 } }
      server = try FakeServer(
        service: MastodonSandbox(.mastodon, timeline: .ofTests(at: clock.now)), clock: clock
      ) { record in asked.withLock { $0.append(record) } }
      try home.write(
        """
        { "callback": { "port": 0 }, "accounts": {
          "fox": { "provider": "mastodon", "server": "\(server.baseURL)", "keep_posts": 160, "erase_deleted_days": 2 } } }
        """, to: home.configuration)
    }

    deinit { server.stop() }

    var database: String { "\(home.path)/data/homeline/fox/timeline.db" }

    /// The ids of the published posts, newest first.
    func ids() throws -> [String] {
      try JSONValue(file: "\(home.path)/cache/homeline/fox/home_timeline.json")["posts"].items.compactMap {
        $0["id"].text
      }
    }

    /// The requests for single posts.
    var checks: [SandboxRecord] { asked.withLock { $0.filter { $0.path.hasPrefix("/api/v1/statuses/") } } }

    func pass(_ duration: Duration) { now.withLock { $0 = $0 + duration } }

    private var variables: [String: String] { FakeTime.standing(at: now.withLock { $0 }) }

    @discardableResult
    func run(_ arguments: String...) async throws -> String {
      let outcome = try await home.start(arguments, variables).end()
      try #require(outcome.code == 0, "\(arguments): \(outcome.error)")
      return outcome.output
    }

    func logIn() async throws {
      let program = try home.start(["login", "fox", "--no-browser"], variables)
      let address = try PlainAddress(try #require(await program.line(containing: "/oauth/authorize")))
      _ = try await PlainBrowser.onThreadOfItsOwn {
        let browser = PlainBrowser()
        let answer = try browser.send(
          "POST", PlainAddress(address, target: address.path),
          fields: ["Content-Type: application/x-www-form-urlencoded"],
          body: address.target.dropFirst(address.path.count + 1) + "&action=allow")
        return try browser.follow(browser.redirect(of: answer))
      }
      let outcome = await program.end()
      try #require(outcome.code == 0, "\(outcome.error)")
    }

    func export(_ id: String) async throws -> String {
      try #require(
        try await run("export", "fox").split(separator: "\n").map(String.init).first { $0.contains(#""\#(id)""#) })
    }
  }

  @Test(
    "A deleted post disappears from files, search and show after two checks an hour apart, and its text is erased later"
  )
  func deleted() async throws {
    let fox = try FoxHome()
    try await fox.logIn()
    let posts = try JSONValue(file: "\(fox.home.path)/cache/homeline/fox/home_timeline.json")["posts"].items
    let post = try #require(
      posts.dropFirst(3).prefix(30).first { post in
        guard let text = post["text"].text, post["reposted_by"] == .null, post["quoted"] == .null else { return false }
        return text.utf8.count > 20 && text.utf8.allSatisfy { $0 < 0x80 && !"&<>\"'/:@#\\\n".utf8.contains($0) }
          && posts.count { $0["text"].text == text } == 1
      })
    let (id, text) = (try #require(post["id"].text), try #require(post["text"].text))
    let phrase = "\"\(text.split(separator: " ").prefix(4).joined(separator: " "))\""
    func isFound() async throws -> Bool { try await fox.run("search", phrase, "--format", "jsonl").contains(id) }
    #expect(try await isFound())

    fox.server.with { $0.oddities.deleted = [id] }
    try await fox.run("refresh")
    #expect(fox.checks.map(\.path) == ["/api/v1/statuses/\(id)"])
    try await fox.run("refresh")
    #expect(fox.checks.count == 1, "checked again within the hour")
    #expect(try fox.ids().contains(id))
    #expect(try await isFound())

    fox.pass(.seconds(3600))
    // The first refresh still has one page of posts above the known ones.
    for _ in 1...2 { try await fox.run("refresh") }
    #expect(fox.checks.map(\.status) == [.notFound, .notFound])
    #expect(try !fox.ids().contains(id))
    #expect(try await !isFound())
    #expect(try await !fox.run("show", "--limit", "160", "--format", "jsonl").contains(id))
    let line = try await fox.export(id)
    #expect(line.contains("deleted_at") && !line.contains(text))
    #expect(try await fox.run("check", "--archive").contains("1 deleted"))

    // The text stays in the database for two days, in case the server shows the post again.
    func hidden() async throws -> String {
      try await ProgramRun.run(
        "sqlite3", [fox.database, "SELECT count(*) FROM hidden"], environment: fox.home.environment()
      ).output
    }
    #expect(try await hidden() == "1\n")
    fox.pass(.seconds(2 * 86_400))
    try await fox.run("refresh")
    #expect(try await hidden() == "0\n")
  }

  @Test("Posts missing after an unfollow stay visible, and a refresh checks at most five posts")
  func unfollowed() async throws {
    let fox = try FoxHome()
    try await fox.logIn()
    let known = try fox.ids()
    fox.server.with { $0.oddities.unlisted = Set(known[2..<9]) }
    try await fox.run("refresh")
    #expect(fox.checks.count == 5)
    for _ in 1...2 { try await fox.run("refresh") }
    #expect(fox.checks.map(\.status) == Array(repeating: .ok, count: 7))
    #expect(try fox.ids() == known)
    // If more than a fifth of the page is missing, no post is checked.
    fox.server.with { $0.oddities.unlisted = Set(known[2..<20]) }
    try await fox.run("refresh")
    #expect(fox.checks.count == 7)
    #expect(try fox.ids() == known)
  }
}
