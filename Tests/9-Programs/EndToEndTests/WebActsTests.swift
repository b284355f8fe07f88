import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// The buttons of the web page, pressed in browsers, with a simulated Mastodon server.
@Suite("The buttons of the web page in browsers", .needsPeers, .timeLimit(.minutes(5))) struct WebActsTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let browser: String
    let scripting: String
    var testDescription: String { "\(browser), \(scripting)" }

    static let all = ["chromium", "firefox"].flatMap { browser in
      ["scripting", "plain"].map { Case(browser: browser, scripting: $0) }
    }
  }

  /// A service with the page, and the posts of its account.
  private final class Fixture: Sendable {
    let posting: PostingHome
    let daemon: RunningDaemon
    let port: ReservedPort
    /// The ids of posts by others, newest first.
    let others: [String]
    /// The id of a post by the user.
    let own: String

    init() async throws {
      let port = try ReservedPort()
      self.port = port
      posting = try await PostingHome(
        scopes: "write", more: #""web": {"port": \#(port.port)}, "media": {"megabytes": 0}"#)
      try #require(try await posting.post("ann", "My mistake.").code == 0)
      own = try #require(try posting.home.publishedIDs("ann").first)
      others = try posting.home.published("ann")["posts"].items.dropFirst()
        .filter { $0["reposted_by"] == .null && $0["author"]["screen_name"].text != "mira_demo" }
        .compactMap { $0["id"].text }
      try #require(others.count >= 8)
      daemon = try await RunningDaemon(posting.home)
    }

    deinit { daemon.program.signal(9) }

    /// Starts a browser that enters the page and takes steps (web_acts.py).
    func start(_ one: Case, _ steps: [String]) async throws -> ProgramRun {
      let entry = try await posting.home.run("web", "--print")
      try #require(entry.code == 0, "\(entry.error)")
      return try Peers.start(
        "web_acts.py", [one.browser, one.scripting, String(entry.output.dropLast())] + steps,
        variables: ["PATH": "/usr/bin:/bin"])
    }

    /// Waits for the end of the steps.
    /// - Returns: what each of them has shown.
    func end(_ run: ProgramRun) async throws -> [JSONValue] {
      let outcome = await run.end()
      if outcome.code == 77 { try skipTest("\(outcome.output)") }
      try #require(outcome.code == 0, "\(outcome.output) \(outcome.error)")
      return try JSONValue(Array(outcome.output.utf8))["steps"].items
    }

    var actions: [String] { posting.server.with { $0.actions } }

    func stop() async {
      let outcome = await daemon.stop().outcome
      #expect(outcome.code == 0, "\(daemon.log)")
    }
  }

  /// Returns whatever a step has shown about its outcome: on a page, or beside the post if a script has sent the form.
  private func shown(_ step: JSONValue) -> String {
    [step["said"], step["title"], step["text"]].compactMap(\.text).joined(separator: "\n")
  }

  private func acts(_ step: JSONValue, _ id: String) -> [String] {
    step["acts"]["post-ann-\(id)"].items.compactMap(\.text)
  }

  @Test(
    "Likes, reposts, bookmarks and read marks take effect and can be undone, and an own post is deleted after a question",
    arguments: Case.all)
  private func done(_ one: Case) async throws {
    let fixture = try await Fixture()
    let ids = fixture.others
    func press(_ id: String, _ act: String) -> String { "press post-ann-\(id) \(act)" }
    let steps = [
      "go /a/ann", press(ids[0], "like"), press(ids[1], "like"), press(ids[1], "unlike"), press(ids[2], "repost"),
      press(ids[3], "bookmark"), press(ids[4], "bookmark"), press(ids[4], "unbookmark"), press(ids[5], "read"),
      "go /a/ann", press(ids[1], "read"), "go /a/ann", press(ids[7], "read"), "go /a/ann",
      press(fixture.own, "delete"), "confirm",
    ]
    let seen = try await fixture.end(try await fixture.start(one, steps))
    try #require(seen.count == steps.count)
    #expect(acts(seen[0], ids[0]) == ["like", "repost", "bookmark", "read"])
    #expect(acts(seen[0], fixture.own).contains("delete"))
    #expect(seen[1]["said"].text == "You liked the post." && acts(seen[1], ids[0]).contains("unlike"))
    #expect(seen[3]["said"].text == "You no longer like the post." && acts(seen[3], ids[1]).contains("like"))
    #expect(seen[4]["said"].text == "You reposted the post." && acts(seen[4], ids[2]).contains("unrepost"))
    #expect(seen[5]["said"].text == "You bookmarked the post.")
    #expect(seen[7]["said"].text == "You removed the bookmark." && acts(seen[7], ids[4]).contains("bookmark"))
    #expect(seen[8]["said"].text == "Everything up to this post is read.")
    let unread = [9, 11, 13].map { Set(seen[$0]["unread"].items.compactMap(\.text)) }
    for (number, newest) in [5, 1, 7].enumerated() {
      #expect(!unread[number].contains("post-ann-\(ids[newest])"))
      for id in ids[..<newest] { #expect(unread[number].contains("post-ann-\(id)"), "\(number)") }
    }
    // The mark moves in both directions.
    #expect(unread[1].isStrictSubset(of: unread[0]) && unread[0].isStrictSubset(of: unread[2]))
    #expect(seen[14]["title"].text == "Delete this post?")
    #expect(seen[15]["said"].text == "You deleted your post." && acts(seen[15], fixture.own).isEmpty)
    #expect(fixture.actions == ["bookmark \(ids[3])", "favourite \(ids[0])", "reblog \(ids[2])"])
    #expect(!fixture.posting.published.contains("My mistake."))
    await fixture.stop()
  }

  @Test(
    "Keys press the buttons of the focused post, which keeps the focus, and so does a button; a key that is held down presses once",
    arguments: ["chromium", "firefox"])
  func keys(browser: String) async throws {
    let fixture = try await Fixture()
    let (first, second) = ("post-ann-\(fixture.others[0])", "post-ann-\(fixture.others[1])")
    let steps = [
      "go /a/ann", "key \(first) l", "key \(first) l", "key \(second) b", "enter \(second) like", "key \(second) u",
      "hold \(second) l", "key \(second) u",
    ]
    let one = Case(browser: browser, scripting: "scripting")
    let seen = try await fixture.end(try await fixture.start(one, steps))
    try #require(seen.count == steps.count)
    #expect(seen[1]["said"].text == "You liked the post.")
    #expect(seen[2]["said"].text == "You no longer like the post.")
    #expect(seen[3]["said"].text == "You reposted the post.")
    #expect(seen[4]["said"].text == "You liked the post.")
    #expect(seen[5]["said"].text == "Everything up to this post is read.")
    #expect(seen[7]["said"].text == "Everything up to this post is read.")
    #expect(seen[1...].map { $0["focus"].items[0].text } == [first, first] + Array(repeating: second, count: 5))
    #expect(seen[1...5].map { $0["focus"].items[1].text } == [nil, nil, nil, "unlike", nil])
    #expect(seen[1...].allSatisfy { $0["address"].text == "/a/ann" })
    #expect(fixture.actions == ["favourite \(fixture.others[1])", "reblog \(fixture.others[1])"])
    await fixture.stop()
  }

  @Test(
    "A refusal by the server, a post deleted in the meantime and an ended session are explained, and nothing is changed",
    arguments: Case.all)
  private func refused(_ one: Case) async throws {
    let fixture = try await Fixture()
    let (id, gone) = (fixture.others[0], fixture.others[1])
    let (ready, forgotten) = ("\(fixture.posting.home.path)/ready", "\(fixture.posting.home.path)/forgotten")
    let refusal = Response(json: Array(#"{"error":"Not today"}"#.utf8), status: StatusCode(422))
    fixture.posting.server.withFaults {
      $0.add(.respond(refusal), to: "/api/v1/statuses/\(id)/favourite")
      $0.add(
        .respond(Response(json: Array(#"{"error":"Record not found"}"#.utf8), status: .notFound)),
        to: "/api/v1/statuses/\(gone)")
    }
    let run = try await fixture.start(
      one,
      [
        "go /a/ann", "press post-ann-\(id) like", "go /a/ann", "press post-ann-\(gone) like", "go /a/ann",
        "tell \(ready)", "wait \(forgotten)", "press post-ann-\(id) like",
      ])
    #expect(try await eventually { File.exists(ready) || !run.isRunning })
    let count = try await fixture.posting.home.run("web", "--forget")
    #expect(count.error.contains("1 browser must enter again"), "\(count.error)")
    try fixture.posting.home.write("", to: forgotten)
    let seen = try await fixture.end(run)
    #expect(shown(seen[1]).contains("The post is not liked") && shown(seen[1]).contains("Not today"), "\(seen[1])")
    #expect(
      shown(seen[3]).contains("The post is not liked") && shown(seen[3]).contains("the server has no post \(gone)"),
      "\(seen[3])")
    #expect(acts(seen[4], id).contains("like") && acts(seen[4], gone).contains("like"))
    #expect(shown(seen[7]).contains("homeline web"), "\(seen[7])")
    #expect(fixture.actions == [])
    await fixture.stop()
  }

  @Test("The status page refreshes an account and logs it in again", arguments: ["chromium", "firefox"])
  func status(browser: String) async throws {
    let fixture = try await Fixture()
    let one = Case(browser: browser, scripting: "plain")
    let token = "\(fixture.posting.home.path)/state/homeline/ann/token.json"
    let before = try? FileStatus.of(token)
    let seen = try await fixture.end(
      try await fixture.start(
        one,
        [
          "go /status", "click form[action='/status/refresh'] button:not([formaction])",
          "click button[formaction='/status/login']", "click a.go",
        ]))
    #expect(seen[1]["said"].text == "Refreshed." && seen[1]["address"].text == "/status?done=refreshed")
    #expect(seen[2]["title"].text == "Log in to ann")
    // The provider's own page, on its own origin.
    #expect(seen[3]["address"].text?.hasPrefix("/oauth/authorize?") == true, "\(seen[3])")
    #expect(before == (try? FileStatus.of(token)))
    await fixture.stop()
  }
}
