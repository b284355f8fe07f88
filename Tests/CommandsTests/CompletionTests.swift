import Commands
import Testing

@Suite struct CompletionTests {
  private let completion = Completion(.standard) { kind in
    switch kind {
    case .account: ["bird", "cat"]
    case .view: ["friends"]
    default: []
    }
  }

  private func words(_ line: String...) -> [String]? {
    guard case .candidates(let candidates) = completion.offer(for: line) else { return nil }
    return candidates.map(\.word)
  }

  @Test("a command's name is completed, and hidden commands are not offered")
  func commands() {
    #expect(words("s") == ["status", "show", "search", "sandbox", "sign"])
    #expect(words("") == CommandRegistry.standard.documented.map { $0.name })
    #expect(words("-v", "--config", "x", "logo") == ["logout"])
    #expect(words("help", "lo") == ["login", "logout"])
    #expect(words("nonsense", "") == words(""))
  }

  @Test("accounts, views and formats are completed where they are accepted")
  func values() {
    #expect(words("show", "") == ["bird", "cat"])
    #expect(words("show", "bird", "") == [])
    #expect(words("refresh", "bird", "c") == ["cat"])
    #expect(words("show", "--account", "") == ["bird", "cat", "all"])
    #expect(words("show", "--view", "") == ["friends"])
    #expect(words("open", "--view=f") == ["--view=friends"])
    #expect(words("export", "--format", "") == ["jsonl", "json", "csv"])
    #expect(words("show", "--format=json") == ["--format=json", "--format=jsonl"])
    #expect(words("sandbox", "--fault", "c") == ["credits-depleted", "captive-portal", "cut-off", "callback-refused"])
    #expect(words("search", "--limit", "") == [])
  }

  @Test("options are completed; before the command's name only the global ones")
  func options() {
    #expect(words("-") == ["--config", "-v", "--help", "--version"])
    #expect(words("login", "--p") == ["--pin", "--press-authorise"])
    #expect(words("login", "--timeout", "--p") == [])
    #expect(words("show", "--", "--p") == [])
    #expect(words("show", "--no-such=") == [])
  }

  @Test("file names are left to the shell")
  func files() {
    #expect(completion.offer(for: ["import", "x"]) == .files)
    #expect(completion.offer(for: ["--config", ""]) == .files)
    #expect(completion.offer(for: ["show", "--config="]) == .files)
    #expect(words("import", "x", "") == [])
  }
}
