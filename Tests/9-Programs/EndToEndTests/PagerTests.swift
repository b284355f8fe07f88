import TestSupport
import Testing

/// `homeline show` and `homeline search` on a pseudo-terminal: highlighted matches and the pager.
@Suite("Posts on a terminal", .needsPeers, .timeLimit(.minutes(4))) struct PagerTests {
  private let home = PublishedFilesFixture()
  private static let reverse = "\u{1b}[7m"

  private func show(
    _ arguments: String..., variables: [String: String] = [:], steps: [TerminalRun.Step] = []
  ) async throws -> TerminalRun {
    try await TerminalRun(
      ["show"] + arguments, environment: home.environment(["TERM": "xterm"].merging(variables) { $1 }), steps: steps)
  }

  /// Publishes an account with more posts than a screen can show.
  private func publishMany() throws { try home.publish("bird", ids: (1...100).reversed()) }

  @Test("A pager shows long output, and quitting it early is no error", .needs("less"))
  func quit() async throws {
    try publishMany()
    let run = try await show("bird", "--limit", "100", steps: [.type("q", after: "\\n:")])
    #expect(run.status == 0 && run.left.isEmpty, "\(run.left)")
    #expect(run.output.contains("post 100") && !run.output.contains("post 50"))
  }

  @Test("Quitting the pager before it has read everything ends the command without an error", .needs("less"))
  func quitEarly() async throws {
    // The text is larger than a pipe's buffer.
    try home.publish("bird", (1...3000).reversed().map { PublishedFilesFixture.post($0, text: "post \($0) is long") })
    let run = try await show("bird", "--limit", "3000", steps: [.type("q", after: "\\n:")])
    #expect(run.status == 0 && run.left.isEmpty, "\(run.left)")
    #expect(!run.output.contains("SIGPIPE") && !run.output.contains("homeline:"))
  }

  @Test("Output that fits the screen is printed, and the pager then exits", .needs("less"))
  func short() async throws {
    try home.publish("bird", ids: [2, 1])
    let run = try await show("bird")
    #expect(run.status == 0 && run.left.isEmpty)
    #expect(run.output.contains("  post 2") && run.output.contains("  post 1"))
  }

  @Test(
    "No pager runs if PAGER is empty or cat, if --no-pager is given, or if the terminal cannot move its cursor",
    arguments: [
      (["PAGER": ""], ""), (["PAGER": "cat"], ""), (["PAGER": "false"], "--no-pager"), (["TERM": "dumb"], ""),
    ])
  func none(variables: [String: String], option: String) async throws {
    try publishMany()
    let run = try await TerminalRun(
      ["show", "bird", "--limit", "100"] + (option.isEmpty ? [] : [option]),
      environment: home.environment(["TERM": "xterm", "NO_COLOR": "1"].merging(variables) { $1 }))
    #expect(run.status == 0)
    #expect(run.output == (try await home.show("bird", "--limit", "100").output))
  }

  @Test("The command in PAGER is run by the shell and gets the whole output; a missing command is reported")
  func chosen() async throws {
    try home.publish("bird", ids: [2, 1])
    let run = try await show("bird", variables: ["PAGER": "sed 's/post/POST/' | cat", "NO_COLOR": "1"])
    #expect(run.output == "Sean @s · 2020-01-01\n  POST 2\n\nSean @s · 2020-01-01\n  POST 1\n" && run.status == 0)
    let missing = try await show("bird", variables: ["PAGER": "no-such-pager", "NO_COLOR": "1"])
    #expect(missing.status == 0 && missing.output.contains("homeline: the pager was not started: "))
    #expect(missing.output.contains("  post 2\n"))
    // Scripts see no pager.
    #expect(try await home.show("bird", variables: ["PAGER": "no-such-pager"]).error == "")
  }

  @Test("SIGTERM ends the pager and the command", .needs("less"))
  func signals() async throws {
    try publishMany()
    let ended = try await show("bird", "--limit", "100", steps: [.signal("SIGTERM", after: "\\n:")])
    #expect(ended.status == 128 + 15 && ended.left.isEmpty, "\(ended.left)")
  }

  @Test("A signal that arrives as soon as the pager runs ends both the pager and the command")
  func earlySignal() async throws {
    try home.publish("bird", ids: [1])
    let ended = try await show("bird", variables: ["PAGER": "kill -TERM $PPID; exec sleep 60"])
    #expect(ended.status == 128 + 15 && ended.left.isEmpty, "\(ended.left)")
  }

  @Test("A post cannot send control characters through the pager to the terminal", .needs("less"))
  func hostile() async throws {
    let hostile = #"evil \u001b]0;title\u0007\u001b[2J\u009b31m\u202eend"#
    try home.publish("bird", (1...50).map { PublishedFilesFixture.post($0, text: hostile) })
    let run = try await show("bird", "--limit", "50", variables: ["NO_COLOR": "1"], steps: [.type("q", after: "\\n:")])
    #expect(run.output.contains("evil") && !run.output.contains("title") && !run.output.contains("\u{1b}[2J"))
    #expect(!run.output.unicodeScalars.contains { [0x07, 0x9b, 0x202e].contains($0.value) })
  }

  @Test("A search highlights its matches only on a terminal, and not if NO_COLOR is set")
  func highlighted() async throws {
    let archives = try ArchiveFixture()
    try archives.fill("bird", ["Crème brûlée", "東京都に行く", "an @apple_pie on https://apple.example/ apple"])
    func search(_ query: String, _ variables: [String: String] = [:]) async throws -> String {
      let environment = archives.home.environment(["TERM": "xterm", "PAGER": "cat"].merging(variables) { $1 })
      return try await TerminalRun(["search", "--no-pager", query], environment: environment).output
    }
    #expect(try await search("creme").contains("  \(Self.reverse)Crème\u{1b}[0m brûlée\n"))
    #expect(try await search("京都").contains("  東\(Self.reverse)京都\u{1b}[0mに行く\n"))
    #expect(try await search("都").contains("  東京\(Self.reverse)都\u{1b}[0mに行く\n"))
    #expect(try await search("mira").contains("\u{1b}[1;7mMira\u{1b}[0m"))
    #expect(try await search("apple").contains("\u{1b}[36;7mapple\u{1b}[0m\u{1b}[36m.example/\u{1b}[0m "))
    #expect(try await !search("creme", ["NO_COLOR": "1"]).contains("\u{1b}"))
    #expect(try await !archives.home.run("search", "creme").output.contains("\u{1b}"))
  }
}
