import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// `homeline timelines` with the real programs and a simulated server.
@Suite("`homeline timelines`", .timeLimit(.minutes(4))) struct TimelinesCommandTests {
  private static let everything =
    #"read:lists", "read:follows", "read:notifications", "read:bookmarks", "read:favourites"#

  @Test("The printed names can be pasted into the configuration; lists, exclusive lists and hashtags are explained")
  func printed() async throws {
    let fixture = try await PostingHome(scopes: Self.everything)
    let outcome = try await fixture.home.start(["timelines", "ann"]).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    for (name, remark) in [
      ("\"home\"", "configured"), ("\"notifications\"", "offered"), ("\"list:Friends\"", "id 4201"),
      ("\"list:4203\"", "“Reading”, a title of several lists"),
      ("\"list:Night shift\"", "id 4205, exclusive: its members’ posts are not in home"),
      ("\"tag:astronomy\"", "followed"), ("tag:NAME", "any"), ("user:@NAME", "any"), ("\"likes\"", "offered"),
    ] {
      let line = try #require(lines.first { $0.hasPrefix(name + " ") }, "\(name)\n\(outcome.output)")
      #expect(line.hasSuffix("  " + remark), "\(line)")
    }
    let pasted = lines.compactMap { $0.hasPrefix("\"") ? $0.split(separator: "  ")[0] : nil }
    let timelines = pasted.map { "\($0): {}" }.joined(separator: ", ")
    try fixture.home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon", "server": "\(fixture.server.baseURL)",
        "keep_posts": 20, "scopes": ["read:accounts", "read:statuses", "\(Self.everything)"], "timelines": { \(timelines) } } } }
      """)
    let refreshed = try await fixture.home.start(["refresh", "ann"]).end()
    #expect(refreshed.code == 0, "\(refreshed.error)")
    #expect(refreshed.output.split(separator: "\n").count == pasted.count, "\(refreshed.output)")
    #expect(try await fixture.home.run("timelines").output.contains("configured, id 4201"))
  }

  @Test("A login for home alone gets the missing scopes listed, and the command succeeds")
  func homeAlone() async throws {
    let fixture = try await PostingHome(scopes: nil)
    let outcome = try await fixture.home.start(["timelines", "ann", "--json"]).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    let results = try JSONValue(Array(outcome.output.utf8))["results"].items
    let missing = results.compactMap { $0["scope"].text }
    #expect(
      missing == [
        "read:notifications", "read:notifications", "read:lists", "read:follows", "read:bookmarks", "read:favourites",
      ])
    #expect(results.first { $0["timeline"].text == "list:NAME" }?["state"].text == "not-permitted")
  }

  @Test("A server that has switched hashtags off is reported by the command, by a refresh and by the status")
  func switchedOff() async throws {
    let fixture = try await PostingHome(scopes: nil)
    fixture.server.with { $0.quirks.disablesTags = true }
    try fixture.home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "ann": { "provider": "mastodon", "server": "\(fixture.server.baseURL)",
        "keep_posts": 20, "timelines": { "tag:astronomy": {} } } } }
      """)
    let listed = try await fixture.home.start(["timelines"]).end()
    #expect(listed.code == 0 && listed.output.contains("configured, switched off. "), "\(listed.output)")
    let refreshed = try await fixture.home.start(["refresh"]).end()
    #expect(refreshed.code == 69 && refreshed.output.hasPrefix("ann: "), "\(refreshed.error)")
    #expect(
      refreshed.error.contains("ann/tag:astronomy: ") && refreshed.error.contains("has switched off"),
      "\(refreshed.error)")
    #expect(try await fixture.home.run("status").output.contains("has switched off"))
  }

  @Test("The lists of the v1.1 API come with their ids; the API's other kinds are asked for one by one")
  func twitter() async throws {
    let home = try TestInstallation()
    try await home.logIn()
    let outcome = try await home.start(["timelines", "demo"]).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    for line in ["\"list:Friends\"", "\"list:4204\"", "\"mentions\"", "\"likes\"", "user:@NAME"] {
      #expect(outcome.output.contains("\n\(line) "), "\(outcome.output)")
    }
    #expect(!outcome.output.contains("bookmarks") && !outcome.output.contains("tag:"))
  }

  @Test("A provider with a home timeline alone and an account without timelines are reported as such")
  func others() async throws {
    let fixture = try XFixture()
    try await fixture.logIn()
    let outcome = try await fixture.home.start(["timelines"]).end()
    #expect(outcome.code == 0 && outcome.output.hasPrefix("\"home\"  configured\n"), "\(outcome.error)")
    #expect(outcome.error.contains("homeline supports only the home timeline of the provider x"))
    try fixture.home.configure(
      #"{ "accounts": { "mail": { "provider": "oauth2", "issuer": "https://id.example", "client_id": "c" } } }"#)
    let none = try await fixture.home.start(["timelines"]).end()
    #expect(none.code == 64 && none.error.contains("the account has no timelines"), "\(none.error)")
  }

  @Test("Mastodon.py finds the same lists and followed hashtags, with the same ids", .needsPeers)
  func peer() async throws {
    let fixture = try await PostingHome(scopes: Self.everything)
    let outcome = try await fixture.home.start(["timelines", "ann", "--json"]).end()
    let results = try JSONValue(Array(outcome.output.utf8))["results"].items
    let run = try await Peers.start(
      "timelines_walk.py", [fixture.server.baseURL, "--names"], input: .nothing, variables: ["NO_PROXY": "127.0.0.1"]
    ).end()
    #expect(run.code == 0, "\(run.output)\(run.error)")
    let peer = try JSONValue(Array(run.output.utf8))
    let lists = results.filter { $0["kind"].text == "list" }
    #expect(lists.compactMap { $0["id"].text } == peer["lists"].items.compactMap { $0["id"].text })
    #expect(lists.compactMap { $0["title"].text } == peer["lists"].items.compactMap { $0["title"].text })
    #expect(lists.map { $0["exclusive"] } == peer["lists"].items.map { $0["exclusive"] } && lists.count == 5)
    #expect(
      results.filter { $0["followed"] == .boolean(true) }.compactMap { $0["timeline"].text }
        == peer["tags"].items.compactMap { $0.text.map { "tag:\($0)" } })
  }
}
