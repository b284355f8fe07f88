import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing
import Time

@testable import Sandbox

/// Posts deleted from a Mastodon server.
@Suite("Posts deleted from the server", .needsFakeTime, .timeLimit(.minutes(4)))
struct DeletedPostsEndToEndTests {
  /// An installation with the `fox` account, and a simulated server. The test sets the clock that they share.
  private final class MastodonFixture: Sendable {
    let home: TestInstallation
    let server: SandboxServer<MastodonSandbox>
    private let now: Locked<Timestamp>
    private let requests: Locked<[RequestRecord]>

    init() throws {
      let now = Locked(Timestamp(seconds: WallClock.system.now.seconds))
      let requests = Locked<[RequestRecord]>([])
      (self.now, self.requests) = (now, requests)
      home = try TestInstallation()
      let clock = WallClock { now.withLock { $0 } }
      server = try SandboxServer(
        MastodonSandbox(.mastodon, timeline: .forTests(at: clock.now)), clock: clock
      ) { record in requests.withLock { $0.append(record) } }
      try home.configure(
        """
        { "callback": { "port": 0 }, "accounts": {
          "fox": { "provider": "mastodon", "server": "\(server.baseURL)", "keep_posts": 160, "erase_deleted_days": 2 } } }
        """)
    }

    deinit { server.stop() }

    /// The requests for individual posts that the server has received.
    var checks: [RequestRecord] { requests.withLock { $0.filter { $0.path.hasPrefix("/api/v1/statuses/") } } }

    func advance(_ duration: Duration) { now.withLock { $0 = $0 + duration } }

    private var variables: [String: String] { FakeTime.standing(at: now.withLock { $0 }) }

    @discardableResult
    func run(_ arguments: String...) async throws -> String {
      let outcome = try await home.start(arguments, variables).end()
      try #require(outcome.code == 0, "\(arguments): \(outcome.error)")
      return outcome.output
    }

    func logIn() async throws { try await home.logIn("fox", "--no-browser", variables: variables) }

    func export(_ id: String) async throws -> String {
      try #require(
        try await run("export", "fox").split(separator: "\n").map(String.init).first { $0.contains(#""\#(id)""#) })
    }
  }

  @Test(
    "A deleted post disappears everywhere after two checks an hour apart, and its text is erased later"
  )
  func deleted() async throws {
    let fixture = try MastodonFixture()
    try await fixture.logIn()
    let posts = try fixture.home.published("fox")["posts"].items
    let post = try #require(
      posts.dropFirst(3).prefix(30).first { post in
        guard let text = post["text"].text, post["reposted_by"] == .null, post["quoted"] == .null else { return false }
        return text.utf8.count > 20 && text.utf8.allSatisfy { $0 < 0x80 && !"&<>\"'/:@#\\\n".utf8.contains($0) }
          && posts.count { $0["text"].text == text } == 1
      })
    let (id, text) = (try #require(post["id"].text), try #require(post["text"].text))
    let phrase = "\"\(text.split(separator: " ").prefix(4).joined(separator: " "))\""
    func isFound() async throws -> Bool { try await fixture.run("search", phrase, "--format", "jsonl").contains(id) }
    #expect(try await isFound())

    fixture.server.with { $0.quirks.deleted = [id] }
    try await fixture.run("refresh")
    #expect(fixture.checks.map(\.path) == ["/api/v1/statuses/\(id)"])
    try await fixture.run("refresh")
    #expect(fixture.checks.count == 1, "the post is checked again within the hour")
    #expect(try fixture.home.publishedIDs("fox").contains(id))
    #expect(try await isFound())

    fixture.advance(.seconds(3600))
    // The first refresh's page still contains posts newer than the known posts.
    for _ in 1...2 { try await fixture.run("refresh") }
    #expect(fixture.checks.map(\.status) == [.notFound, .notFound])
    #expect(try !fixture.home.publishedIDs("fox").contains(id))
    #expect(try await !isFound())
    #expect(try await !fixture.run("show", "--limit", "160", "--format", "jsonl").contains(id))
    let line = try await fixture.export(id)
    #expect(line.contains("deleted_at") && !line.contains(text))
    #expect(try await fixture.run("check", "--archive").contains("1 deleted"))

    // The text stays in the database for two days, in case the post reappears.
    func hidden() async throws -> String {
      try await ProgramRun.run(
        "sqlite3", [fixture.home.database(of: "fox"), "SELECT count(*) FROM hidden"],
        environment: fixture.home.environment()
      ).output
    }
    #expect(try await hidden() == "1\n")
    fixture.advance(.seconds(2 * 86_400))
    try await fixture.run("refresh")
    #expect(try await hidden() == "0\n")
  }

  @Test("Posts that vanish because of an unfollow remain visible, and a refresh checks at most five posts")
  func unfollowed() async throws {
    let fixture = try MastodonFixture()
    try await fixture.logIn()
    let known = try fixture.home.publishedIDs("fox")
    fixture.server.with { $0.quirks.unlisted = Set(known[2..<9]) }
    try await fixture.run("refresh")
    #expect(fixture.checks.count == 5)
    for _ in 1...2 { try await fixture.run("refresh") }
    #expect(fixture.checks.map(\.status) == Array(repeating: .ok, count: 7))
    #expect(try fixture.home.publishedIDs("fox") == known)
    // With more than a fifth of the page missing, no post is checked.
    fixture.server.with { $0.quirks.unlisted = Set(known[2..<20]) }
    try await fixture.run("refresh")
    #expect(fixture.checks.count == 7)
    #expect(try fixture.home.publishedIDs("fox") == known)
  }
}
