import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// Posting with a token that does not allow it.
@Suite("The permission to post", .timeLimit(.minutes(3))) struct PostingPermissionTests {
  private func scopes(_ fixture: PostingHome) throws -> [String] {
    try JSONValue(file: fixture.home.configuration)["accounts"]["ann"]["scopes"].items.compactMap(\.text)
  }

  private static let all = [
    "read:accounts", "read:statuses", "write:statuses", "write:media", "write:favourites", "write:bookmarks",
  ]

  @Test(
    "Without a terminal, a post that the token does not allow waits in the outbox, and `login --allow posting` sends it"
  )
  func waits() async throws {
    let fixture = try await PostingHome(scopes: nil)
    let outcome = try await fixture.post("ann", "-", input: .text("Hello."))
    #expect(
      outcome.code == 77 && outcome.error.contains("waits in the outbox as out-")
        && outcome.error.contains("the token does not allow this. To allow it, run: homeline login ann --allow posting"),
      "\(outcome.error)")
    // A check stores nothing, and an action cannot wait.
    let checked = try await fixture.post("ann", "Hello.", "--dry-run")
    #expect(checked.code == 77 && checked.error.contains("--allow posting"), "\(checked.error)")
    let like = try await fixture.home.run("like", "1", "--account", "ann")
    #expect(like.code == 77 && like.error.contains("--allow posting"), "\(like.error)")
    #expect(fixture.published == [] && fixture.server.with { $0.actions } == [])
    let login = try await fixture.home.logIn("ann", "--allow", "posting")
    #expect(login.error.contains("the login requests \(Self.all.joined(separator: ", "))"), "\(login.error)")
    #expect(try scopes(fixture) == Self.all)
    // The login's process may end before it has sent the post; the next command that uses the account then does.
    let published = try await eventually {
      if fixture.published == ["Hello."] { return true }
      _ = try await fixture.outbox()
      return fixture.published == ["Hello."]
    }
    #expect(published)
    #expect(try await fixture.post("ann", "Again.").code == 0)
    #expect(fixture.published == ["Hello.", "Again."] || fixture.published == ["Again.", "Hello."])
  }

  @Test("A running service sends the waiting post once the login has stored its token")
  func service() async throws {
    let fixture = try await PostingHome(scopes: nil)
    let daemon = try await RunningDaemon(fixture.home)
    #expect(try await fixture.post("ann", "Hello.").code == 77)
    #expect(fixture.published == [])
    try await fixture.home.logIn("ann", "--allow", "posting")
    #expect(try await eventually { fixture.published == ["Hello."] })
    await daemon.stop()
  }

  @Test("A token that is older than the account's scopes needs only a new login")
  func olderToken() async throws {
    let fixture = try await PostingHome(scopes: nil)
    let text = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(
      text.replacing(#""keep_posts": 20"#, with: #""keep_posts": 20, "scopes": ["read", "write"]"#))
    let outcome = try await fixture.post("ann", "Hello.", "--dry-run")
    #expect(
      outcome.code == 77
        && outcome.error.contains(
          "the token does not allow this, although the account's scopes do. Log in again: homeline login ann\n"),
      "\(outcome.error)")
    try await fixture.home.logIn("ann")
    #expect(try await fixture.post("ann", "Hello.").code == 0)
    #expect(fixture.published == ["Hello."])
    // The coarse scope allows everything, so nothing is added.
    try await fixture.home.logIn("ann", "--allow", "posting")
    #expect(try scopes(fixture) == ["read", "write"])
  }

  @Test("The scopes that `login --allow posting` writes include those of the account's timelines")
  func timelines() async throws {
    let fixture = try await PostingHome(scopes: nil)
    let text = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(
      text.replacing(#""keep_posts": 20"#, with: #""keep_posts": 20, "timelines": { "bookmarks": {}, "likes": {} }"#))
    let refused = try await fixture.home.run("refresh", "ann")
    #expect(refused.code != 0 && refused.error.contains("which needs the scope read:bookmarks"), "\(refused.error)")
    try await fixture.home.logIn("ann", "--allow", "posting")
    #expect(try scopes(fixture).starts(with: Self.all.prefix(2) + ["read:bookmarks", "read:favourites"]))
    #expect(try await fixture.home.run("refresh", "ann").code == 0)
    #expect(try await fixture.post("ann", "Hello.").code == 0)
  }

  @Test("On a terminal, `homeline post` offers the login, keeps the text and continues", .needs("script"))
  func terminal() async throws {
    let fixture = try await PostingHome(scopes: nil)
    func start() throws -> ProgramRun {
      let command = "'\(ProgramRun.product("homeline"))' post ann 'Hello there.'"
      return try ProgramRun(
        "script", ["-qec", command, "/dev/null"],
        environment: fixture.home.environment(["SHELL": "/bin/sh", "TERM": "xterm"]), input: .open)
    }
    let refused = try start()
    #expect(try await eventually { refused.written(on: .output).contains("Log in now? [y/N] ") })
    refused.type("n\n")
    let end = await refused.end()
    #expect(end.code == 77 && end.output.contains("run: homeline login ann --allow posting"), "\(end.output)")
    #expect(try await fixture.outbox() == "" && scopes(fixture) == [])

    let agreed = try start()
    #expect(try await eventually { agreed.written(on: .output).contains("Log in now? [y/N] ") })
    agreed.type("y\n")
    let line = try #require(await agreed.line(containing: "/oauth/authorize"))
    let address = try LocalURL(line.replacing("\r", with: ""))
    let browser = ScriptedBrowser()
    _ = try await OwnThread.run { try browser.follow(browser.grant(at: address)) }
    let outcome = await agreed.end()
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(fixture.published == ["Hello there."])
  }
}
