import Platform
import TestSupport
import Testing

/// The web page of a running service, read by browsers. The attacks on it are in ``WebCommandTests``.
@Suite("The web page in browsers", .needsPeers, .timeLimit(.minutes(5))) struct WebPagesTests {
  private static let paths = [
    "/", "/a/demo", "/a/demo?media=1&reposts=0", "/v/all", "/search", "/search?q=the", "/search?q=%22open", "/status",
    "/a/nobody", "/a/demo?below=%20", "/post", "/post?account=demo&reply=1", "/outbox", "/outbox?done=posted",
  ]

  private static func fixture(_ port: ReservedPort) async throws -> PostingFixture {
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20"#,
      more: #""web": {"port": \#(port.port)}, "views": {"all": {}}, "media": {"megabytes": 8}"#)
    try await fixture.run("refresh")
    return fixture
  }

  @Test(
    "Each page is valid, has no violation of WCAG 2.2 AA, works by keyboard, loads nothing from elsewhere, and fits into 320 pixels and at 200 %",
    arguments: ["chromium", "firefox"])
  func judged(browser: String) async throws {
    let python = try #require(Peers.python)
    let fixture = try await Self.fixture(try ReservedPort())
    let entry = String(try await fixture.run("web", "--print").dropLast())
    let axe =
      python.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/") + "/axe.min.js"
    let paths = Self.paths + [try thread(fixture)]
    let run = try Peers.start("web_pages.py", [browser, entry, axe] + paths, variables: ["PATH": "/usr/bin:/bin"])
    let outcome = await run.end()
    await fixture.end()
    if outcome.code == 77 { try skipTest("\(outcome.output)") }
    try #require(outcome.code == 0, "\(outcome.output) \(outcome.error)")
    let report = try JSONValue(Array(outcome.output.utf8))
    for path in paths {
      let page = report[path]
      #expect(page["faults"].items.isEmpty, "\(path): \(page["faults"])")
      #expect(page["light"].items.isEmpty && page["dark"].items.isEmpty, "\(path): \(page["light"]) \(page["dark"])")
      #expect(page["foreign"].items.isEmpty, "\(path): \(page["foreign"])")
      #expect(page["broken"].integer == 0, "\(path)")
      #expect(try #require(page["narrow"].integer) <= 320, "\(path)")
      #expect(page["split"].items.isEmpty, "\(path): \(page["split"])")
      #expect(try #require(page["zoomed"].integer) <= 640 && page["cut"].items.isEmpty, "\(path): \(page["cut"])")
      #expect(try #require(page["enlarged"].integer) <= 1280, "\(path)")
      #expect(page["unreached"].items.isEmpty, "\(path): \(page["unreached"])")
      #expect(page["unseen"].items.isEmpty, "\(path): \(page["unseen"])")
    }
    #expect(report["/a/demo"]["title"].text == "(20) demo · homeline")
  }

  /// Returns the path of the page of a stored post that answers another stored one.
  private func thread(_ fixture: PostingFixture) throws -> String {
    let posts = try fixture.home.published()["posts"].items
    let ids = Set(posts.compactMap { $0["id"].text })
    let reply = try #require(
      posts.first { post in post["in_reply_to"]["id"].text.map(ids.contains) ?? false }, "no post answers another")
    return "/a/demo/p/\(try #require(reply["id"].text))"
  }

  @Test("w3m reads a timeline to its end and searches it", .needs("w3m"))
  func textBrowser() async throws {
    let port = try ReservedPort()
    let fixture = try await Self.fixture(port)
    let entry = String(try await fixture.run("web", "--print").dropLast())
    let jar = "\(fixture.home.path)/jar"
    let entered = try await fixture.home.shell(
      "curl --silent --fail --cookie-jar '\(jar)' '\(entry)'; grep homeline- '\(jar)'")
    let fields = try #require(entered.output.split(separator: "\n").last).split(separator: "\t")
    let cookie = "\(fields[fields.count - 2])=\(fields[fields.count - 1])"
    func read(_ path: String) async throws -> String {
      let command = "w3m -dump -cols 100 -header 'Cookie: \(cookie)' 'http://127.0.0.1:\(port.port)\(path)'"
      return try await fixture.home.shell(command).output
    }
    let timeline = try await read("/a/demo")
    #expect(timeline.contains("These are the oldest posts") || timeline.contains("Older posts"), "\(timeline)")
    #expect(try await read("/search?q=the").contains("Search results"))
    #expect(try await read("/search?q=%22open").contains("is not closed"))
    await fixture.end()
  }
}
