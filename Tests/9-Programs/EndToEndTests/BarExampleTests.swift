import TestSupport
import Testing

/// The script docs/examples/bars/newest-post, reading a published file.
@Suite("The status bar example", .timeLimit(.minutes(2))) struct BarExampleTests {
  private let home: TestInstallation

  init() throws { home = try TestInstallation() }

  @Test("The bar example shows the newest post as JSON for waybar and as one line for other bars", .needs("jq"))
  func newest() async throws {
    try await home.logIn()
    let post = try await home.jq(#".posts[0] | "@\(.author.screen_name) \(.text)" | gsub("\\s+"; " ")"#)
    let line = try await show("text")
    #expect(line.hasSuffix("…") ? post.hasPrefix(line.dropLast()) : post == line)
    #expect(!line.isEmpty && !line.contains("\n"))
    #expect(try await waybar(".class") == "fresh")
    #expect(try await waybar(".tooltip").contains("as of 20"))
    for bar in ["polybar", "tmux"] { #expect(try await show(bar).hasPrefix("@"), "\(bar)") }
  }

  @Test("Posts cannot inject markup, terminal controls or bidirectional overrides into a bar", .needs("jq"))
  func hostile() async throws {
    try await home.logIn()
    try await change(
      #".posts[0] |= (.author.screen_name = "a" | .text = "<b>&\n\"%{A1:x:}#(x)#[fg=red]\u001b[31m\u202e\u2028é😀")"#)
    #expect(try await show("text") == "@a <b>& \"%{A1:x:}#(x)#[fg=red] [31m é😀")
    #expect(try await waybar(".text") == "@a &lt;b&gt;&amp; &quot;%{A1:x:}#(x)#[fg=red] [31m é😀")
    #expect(try await waybar(".tooltip").hasPrefix("&lt;b&gt;&amp; &quot;"))
    #expect(try await show("polybar") == "@a <b>& \"% {A1:x:}#(x)#[fg=red] [31m é😀")
    #expect(try await show("tmux") == "@a <b>& \"%{A1:x:}##(x)##[fg=red] [31m é😀")
  }

  @Test(
    "The bar example truncates long text before escaping it, so that it never cuts an escape sequence", .needs("jq"))
  func cut() async throws {
    try await home.logIn()
    try await change(#".posts[0] |= (.author.screen_name = "a" | .text = "&" * 500)"#)
    #expect(try await waybar(".text") == "@a " + String(repeating: "&amp;", count: 76) + "…")
    #expect(try await waybar(#".tooltip | split("\n")[0]"#) == String(repeating: "&amp;", count: 500))
  }

  @Test(
    "The bar example marks posts as stale if the service reports that they are, or has stopped",
    .needs("jq"),
    arguments: [
      #".stale_since = "2026-01-01T00:00:00Z" | .error = {code: "network", message: "no <route>", retry_at: null}"#,
      #".refreshed_at = "2026-01-01T00:00:00Z" | .fresh_until = "2026-01-01T01:03:00Z""#,
    ])
  func stale(filter: String) async throws {
    try await home.logIn()
    try await change(filter)
    #expect(try await waybar(".class") == "stale")
    #expect(try await waybar(".text").hasPrefix("⚠ @"))
    #expect(try await show("tmux").hasPrefix("⚠ @"))
    if filter.contains("route") { #expect(try await waybar(".tooltip").hasSuffix("\nno &lt;route&gt;")) }
  }

  @Test("The bar example copes with a missing file and an empty timeline", .needs("jq"))
  func empty() async throws {
    #expect(try await waybar(".class") == "empty")
    #expect(try await show("text") == "demo: no posts yet")
    try await home.logIn()
    try await change(".posts = []")
    #expect(try await waybar(".text") == "demo: no posts yet")
  }

  /// Returns the line that the example prints.
  private func show(_ bar: String) async throws -> String {
    let outcome = try await ProgramRun.run(
      "sh", [Repository.path("docs/examples/bars/newest-post"), bar, "demo"],
      environment: home.environment())
    try #require(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
    try #require(outcome.output.hasSuffix("\n"))
    return String(outcome.output.dropLast())
  }

  /// Returns the output of a jq filter on the JSON for waybar.
  private func waybar(_ filter: String) async throws -> String {
    let json = try await show("waybar")
    #expect(!json.contains("\n"), "waybar reads only one line")
    let outcome = try await ProgramRun.run("jq", ["-r", filter], environment: home.environment(), input: .text(json))
    try #require(outcome.code == 0, "\(outcome.error)")
    return String(outcome.output.dropLast())
  }

  /// Replaces the published file with a changed file.
  private func change(_ filter: String) async throws {
    let outcome = try await ProgramRun.run("jq", [filter, home.timeline], environment: home.environment())
    try #require(outcome.code == 0, "\(outcome.error)")
    try home.write(outcome.output, to: home.timeline)
  }
}
