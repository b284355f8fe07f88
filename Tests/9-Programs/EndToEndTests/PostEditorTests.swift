import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post` without text on a terminal, which opens an editor.
@Suite("Writing a post in an editor", .timeLimit(.minutes(3)), .needs("script")) struct PostEditorTests {
  private final class Fixture: Sendable {
    let home: TestInstallation
    let server: SandboxServer<MastodonSandbox>

    init() async throws {
      home = try TestInstallation()
      server = try SandboxServer(MastodonSandbox(.mastodon))
      try home.configure(
        """
        { "callback": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon", "server": "\(server.baseURL)",
          "refresh_seconds": 86400, "keep_posts": 20, "scopes": ["read:accounts", "read:statuses", "write:statuses"] } } }
        """)
      try await home.logIn()
    }

    deinit { server.stop() }

    var published: [String] { server.with { $0.publishedTexts } }
    var drafts: String { "\(home.path)/state/homeline/_drafts" }
    var draftNames: [String] { ((try? Folder.names(in: drafts)) ?? []).sorted() }

    /// Runs `homeline post` on a terminal with an editor.
    /// - Parameter editor: a shell script whose `$1` is the path of the file.
    func post(_ arguments: String = "ann", editor: String, variable: String = "VISUAL") async throws
      -> ProgramRun.Outcome
    {
      try await start(arguments, editor: editor, variable: variable).end()
    }

    func start(_ arguments: String = "ann", editor: String, variable: String = "VISUAL") throws -> ProgramRun {
      let script = "\(home.path)/editor"
      try AtomicFile.write(Array("#!/bin/sh\n\(editor)\n".utf8), to: script, .replaced)
      #expect(chmod(script, 0o700) == 0)
      let command = "'\(ProgramRun.product("homeline"))' post \(arguments)"
      return try ProgramRun(
        "script", ["-qec", command, "/dev/null"],
        environment: home.environment([variable: "'\(script)' --unused".replacing(" --unused", with: "")]))
    }
  }

  @Test(
    "The editor gets a private file, which is removed once the post is in the outbox without the comments",
    arguments: [true, false])
  func published(withService: Bool) async throws {
    let fixture = try await Fixture()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let outcome = try await fixture.post(
      editor: #"stat -c %a "$1" > "$HOME/mode"; printf '\n#hashtag first\n# a comment\n\nsecond & line\n#\n\n' > "$1""#)
    #expect(outcome.code == 0 && outcome.output.contains("http"), "\(outcome.output)")
    #expect(fixture.published == ["#hashtag first\n\nsecond & line"])
    #expect(try fixture.home.read("\(fixture.home.path)/mode") == "600\n")
    #expect(fixture.draftNames == [])
    if let daemon { await daemon.stop() }
  }

  @Test("The editor's file shows the account, the maximum length and the post replied to as comments")
  func notes() async throws {
    let fixture = try await Fixture()
    let post = try #require(try fixture.home.published("ann")["posts"].items.dropFirst(2).first)
    let id = try #require(post["id"].text)
    let outcome = try await fixture.post(
      "ann --reply-to \(id)", editor: #"cp "$1" "$HOME/template"; echo Indeed. >> "$1""#, variable: "EDITOR")
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(fixture.published == ["Indeed."])
    let template = try fixture.home.read("\(fixture.home.path)/template")
    #expect(template.hasPrefix("\n# Write the post above.") && template.contains("# Account: ann (mastodon)"))
    let author = try #require(post["author"]["screen_name"].text)
    #expect(template.contains("# In reply to \(id) by @\(author):\n#   "), "\(template)")
    let line = try #require(post["text"].text?.split(separator: "\n").first)
    #expect(template.contains("#   \(line)"), "\(template)")
  }

  @Test("Leaving the text empty publishes nothing and leaves no file behind")
  func empty() async throws {
    let fixture = try await Fixture()
    let outcome = try await fixture.post(editor: "true")
    #expect(
      outcome.code == 65 && outcome.output.contains("the text is empty; nothing was published"), "\(outcome.output)")
    let failed = try await fixture.post(editor: "exit 3")
    #expect(failed.code == 65 && failed.output.contains("ended with status 3"), "\(failed.output)")
    #expect(fixture.published == [] && fixture.draftNames == [])
  }

  @Test(
    "The text is kept and its path printed if the editor fails, the post is refused or the command is killed"
  )
  func kept() async throws {
    let fixture = try await Fixture()
    let failed = try await fixture.post(editor: #"echo "Precious." > "$1"; exit 1"#)
    #expect(
      failed.code == 65 && failed.output.contains("The text is kept in \(fixture.drafts)/post-"), "\(failed.output)")
    #expect(fixture.published == [] && fixture.draftNames.count == 1)
    let kept = "\(fixture.drafts)/\(fixture.draftNames[0])"
    #expect(try fixture.home.read(kept) == "Precious.\n")
    #expect(try await fixture.home.shell("\"$0\" post ann - < '\(kept)'").code == 0)
    #expect(fixture.published == ["Precious."])
    try File.remove(kept)

    let refused = try await fixture.post(editor: #"head -c 3000 /dev/zero | tr '\0' x > "$1""#)
    #expect(
      refused.code == 65 && refused.output.contains("The text is kept in \(fixture.drafts)/post-"), "\(refused.output)")
    #expect(fixture.draftNames.count == 1)
    try File.remove("\(fixture.drafts)/\(fixture.draftNames[0])")

    let editing = try fixture.start(editor: #"echo "Half" > "$1"; echo $PPID > "$HOME/parent"; sleep 60"#)
    let parent = "\(fixture.home.path)/parent"
    #expect(try await eventually { (try? fixture.home.read(parent))?.hasSuffix("\n") == true })
    let process = try #require(Int32(try fixture.home.read(parent).dropLast()))
    kill(process, SIGKILL)
    editing.signal(SIGKILL)
    _ = await editing.end()
    #expect(fixture.draftNames.count == 1 && fixture.published == ["Precious."])
    let next = try await fixture.post(editor: #"echo "Another." > "$1""#)
    #expect(next.code == 0 && next.output.contains("the text of an earlier post is kept in \(fixture.drafts)/post-"))
    #expect(try fixture.home.read("\(fixture.drafts)/\(fixture.draftNames[0])") == "Half\n")
  }

  @Test("Without a terminal, a post without text is an error")
  func noTerminal() async throws {
    let fixture = try await Fixture()
    let outcome = try await fixture.home.run("post", "ann")
    #expect(outcome.code == 64 && outcome.error.contains("the text is missing"), "\(outcome.error)")
    let word = try await fixture.home.run("post", "hello")
    #expect(word.code == 64, "\(word.error)")
  }
}
