import Testing

@testable import Commands

@Suite struct CompletionTests {
  private let completion = Completion(.standard) { kind in
    switch kind {
    case .account: ["bird", "cat"]
    case .timeline: ["bird", "cat", "cat/list:My Friends"]
    case .view: ["friends"]
    default: []
    }
  }

  private func offered(_ line: String...) -> [String]? {
    guard case .candidates(let candidates) = completion.offer(for: line) else { return nil }
    return candidates.map(\.text)
  }

  @Test("Command names are completed, but hidden commands are not suggested")
  func commands() {
    #expect(offered("s") == ["status", "show", "search", "sandbox", "sign"])
    #expect(offered("") == CommandRegistry.standard.documented.map { $0.name })
    #expect(offered("-v", "--config", "x", "logo") == ["logout"])
    #expect(offered("help", "lo") == ["login", "logout"])
    #expect(offered("nonsense", "") == offered(""))
  }

  @Test("Accounts, views and formats are completed where they are accepted")
  func values() {
    #expect(offered("show", "") == ["bird", "cat", "cat/list:My Friends"])
    #expect(offered("show", "cat/l") == ["cat/list:My Friends"] && offered("logout", "cat/l") == [])
    #expect(offered("show", "bird", "") == [])
    #expect(offered("refresh", "bird", "c") == ["cat", "cat/list:My Friends"])
    #expect(
      offered("login", "") == ["bird", "cat", "x", "weibo", "google", "microsoft", "fastmail", "import"])
    #expect(offered("show", "--account", "") == ["bird", "cat", "cat/list:My Friends", "all"])
    #expect(offered("show", "--view", "") == ["friends"])
    #expect(offered("open", "--view=f") == ["--view=friends"])
    #expect(offered("export", "--format", "") == ["jsonl", "json", "csv"])
    #expect(offered("show", "--format=json") == ["--format=json", "--format=jsonl"])
    #expect(
      offered("sandbox", "--fault", "c") == [
        "credits-depleted", "captive-portal", "cut-off", "callback-refused", "compressed-range", "content-changed",
        "content-broken", "content-known", "content-redirected", "clock-ahead",
      ])
    #expect(offered("search", "--limit", "") == [])
  }

  @Test("A command's options are completed after its name, and only global options before it")
  func options() {
    #expect(offered("-") == ["--config", "-v", "--help", "--version"])
    #expect(offered("login", "--p") == ["--pin", "--press-authorise"])
    #expect(offered("login", "--timeout", "--p") == [])
    #expect(offered("show", "--", "--p") == [])
    #expect(offered("show", "--no-such=") == [])
  }

  @Test("File names are left for the shell to complete")
  func files() {
    #expect(completion.offer(for: ["import", "x"]) == .files)
    #expect(completion.offer(for: ["--config", ""]) == .files)
    #expect(completion.offer(for: ["show", "--config="]) == .files)
    #expect(offered("import", "x", "") == [])
  }
}
