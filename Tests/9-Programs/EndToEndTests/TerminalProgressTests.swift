import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing

/// The progress line that long refreshes and archive commands show on a terminal.
@Suite("Progress on a terminal", .timeLimit(.minutes(2)), .needs("script")) struct TerminalProgressTests {
  /// Returns an account that has one page of posts but is configured to keep four.
  private func fixture(_ withService: Bool) async throws -> PostingFixture {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20"#)
    try fixture.configure(["demo"], #""keep_posts": 800"#)
    try await fixture.reload()
    return fixture
  }

  /// Returns a command's output on a terminal with 80 columns.
  private func terminal(
    _ fixture: PostingFixture, _ arguments: String = "refresh", _ redirection: String = "",
    variables: [String: String] = [:]
  ) async throws -> String {
    let command = "stty cols 80 && '\(ProgramRun.product("homeline"))' \(arguments) \(redirection)"
    let outcome = try await ProgramRun.run(
      "script", ["-qec", command, "/dev/null"],
      environment: fixture.home.environment(variables.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 }))
    try #require(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    return outcome.output
  }

  @Test("A refresh shows a progress line and erases it at the end", arguments: [true, false])
  func drawn(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let output = try await terminal(fixture)
    let parts = output.split(separator: "\r\u{1b}[K", omittingEmptySubsequences: false)
    let bars = parts.filter { $0.contains("█") && $0.contains(" of at most ") }
    #expect(!bars.isEmpty, "\(output.debugDescription)")
    #expect(bars.allSatisfy { $0.count < 80 && !$0.contains("\n") && $0.hasPrefix("demo: ") })
    let last = try #require(parts.last)
    #expect(last.hasPrefix("demo: ") && last.hasSuffix(" new posts, in\r\n  \(fixture.home.timeline)\r\n"), "\(last)")
    #expect(parts.first == "")
    #expect(try fixture.home.publishedIDs().count == 800)
    await fixture.end()
  }

  @Test("No progress is shown if standard error is not a terminal", arguments: [true, false])
  func notDrawn(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let file = "\(fixture.home.path)/error"
    let output = try await terminal(fixture, "refresh", "2> '\(file)'")
    #expect(
      output.hasPrefix("demo: ") && output.hasSuffix(" new posts, in\r\n  \(fixture.home.timeline)\r\n"), "\(output)")
    #expect(try fixture.home.read(file) == "")
    #expect(try fixture.home.publishedIDs().count == 800)
    await fixture.end()
  }

  @Test("A login shows the progress of its pages, and then of the pictures of its page")
  func pictures() async throws {
    let fixture = try await PostingFixture(withService: false, #""keep_posts": 20"#)
    // The earlier login has stored the newest posts, but the page with the pictures to fetch is new.
    try fixture.configure(["demo"], #""keep_posts": 800, "publish": ["html"]"#)
    fixture.twitter.sandbox.withPictures { $0.faults.add(.named(.slow), to: "/media/", times: 1) }
    let output = try await terminal(
      fixture, "login demo", variables: ["BROWSER": Repository.path("Tests/Packages/browser.sh")])
    let parts = output.split(separator: "\r\u{1b}[K", omittingEmptySubsequences: false)
    #expect(parts.contains { $0.hasPrefix("demo: ") && $0.contains(" of at most ") }, "\(output.debugDescription)")
    let bars = parts.filter { $0.hasPrefix("pictures: ") }
    #expect(
      !bars.isEmpty && bars.allSatisfy { $0.contains("%, ") && $0.contains(" pictures") }, "\(output.debugDescription)")
    // The advice about the service follows the last erased line.
    #expect(try #require(parts.last).hasPrefix("homeline: no service is running."), "\(output.debugDescription)")
    await fixture.end()
  }

  @Test("`homeline export` to a file and `homeline import` show their progress", arguments: [true, false])
  func exchange(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20"#)
    let posts = "\(fixture.home.path)/posts.jsonl"
    try fixture.home.write(ImportCommandTests.lines(1...9000).joined(separator: "\n"), to: posts)
    let imported = try await terminal(fixture, "import '\(posts)' --account demo")
    #expect(
      imported.contains("posts.jsonl: ") && imported.contains(" of 9000 posts read"), "\(imported.debugDescription)")
    #expect(imported.hasSuffix("\r\u{1b}[Kdemo: 9000 posts imported\r\n"))
    let exported = try await terminal(fixture, "export demo", "> /dev/null")
    #expect(exported.contains("%, ") && exported.contains(" posts exported"), "\(exported.debugDescription)")
    #expect(exported.hasSuffix("\r\u{1b}[K"))
    #expect(try await !terminal(fixture, "export demo").contains(" posts exported"))
    await fixture.end()
  }

  @Test("`homeline purge` and `homeline check --archive` show their progress", arguments: [true, false])
  func archive(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20"#)
    try fixture.home.write(
      ImportCommandTests.lines(1...9000).joined(separator: "\n"), to: "\(fixture.home.path)/posts.jsonl")
    try await fixture.run("import", "\(fixture.home.path)/posts.jsonl", "--account", "demo")
    for (arguments, bar, end) in [
      ("check --archive", " posts checked", " posts, no damage\r\n"),
      ("purge --account demo", " posts removed", " posts removed\r\n"),
    ] {
      let output = try await terminal(fixture, arguments)
      let parts = output.split(separator: "\r\u{1b}[K", omittingEmptySubsequences: false)
      let bars = parts.dropLast().filter { $0.hasPrefix("demo: ") && $0.contains("%, ") && $0.contains(bar) }
      #expect(!bars.isEmpty && bars.allSatisfy { $0.count < 80 && !$0.contains("\n") }, "\(output.debugDescription)")
      #expect(parts.last?.hasSuffix(end) == true, "\(output.debugDescription)")
    }
    await fixture.end()
  }
}
