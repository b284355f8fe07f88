import Glibc
import Platform
import TestSupport
import Testing
import Timeline

/// Views of two accounts: their posts, their creation and deletion, and the commands that show them.
@Suite("Published views", .timeLimit(.minutes(3))) struct ViewPublishingTests {
  private static let members = #""keep_posts": 20"#
  private static let formats = #"["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#
  private static let names = Set(
    PublishedFormat.allCases.map { $0.fileName(stem: TimelineName.homeStem) } + ["home_timeline.json"])

  private func views(_ more: String...) -> String {
    let all = #""all": {"publish": \#(Self.formats), "posts": 30, "fold_cross_posts": false}"#
    return #""media": {"megabytes": 0}, "views": { \#(([all] + more).joined(separator: ", ")) }"#
  }

  private func posts(_ view: String, _ fixture: PostingFixture) throws -> [JSONValue] {
    try JSONValue(file: "\(fixture.home.viewFolder(view))/home_timeline.json")["posts"].items
  }

  /// Waits until a view contains a post.
  private func isPublished(_ view: String, _ fixture: PostingFixture, with id: String) async throws -> Bool {
    let file = "\(fixture.home.viewFolder(view))/home_timeline.json"
    return try await eventually {
      guard File.exists(file) else { return false }
      return try posts(view, fixture).contains { $0["id"].text == id }
    }
  }

  @Test(
    "A view merges two accounts by time, folds duplicates and applies filters, in all formats", .needs("jq"),
    arguments: [true, false])
  func merged(withService: Bool) async throws {
    let fixture = try await PostingFixture(
      withService: withService, accounts: ["demo", "other"], Self.members,
      more: views(
        #""folded": {"publish": [], "posts": 1000}"#,
        #""quiet": {"reposts": false, "replies": false, "publish": ["txt"], "accounts": ["demo"]}"#))
    fixture.post(2)
    try await fixture.run("refresh")
    let newest = try #require(try fixture.home.publishedIDs().first)
    for view in ["all", "folded"] { #expect(try await isPublished(view, fixture, with: newest)) }
    // The view may show the other account's change later. When the service stops, it publishes all pending views, and
    // writes nothing afterwards.
    await fixture.end()

    let folder = fixture.home.viewFolder("all")
    #expect(Set(try fixture.home.names(in: folder)) == Self.names)
    for file in try fixture.home.files(below: "\(fixture.home.path)/cache") {
      var facts = stat()
      #expect(lstat(file, &facts) == 0 && facts.st_mode & 0o7777 == 0o600, "\(file)")
      guard file.hasSuffix(".json") || file.hasSuffix(".jsonl") else { continue }
      let jq = try await ProgramRun.run(
        "jq", ["-e", "type == \"object\"", file], environment: fixture.home.environment())
      #expect(jq.code == 0, "\(file): \(jq.error)")
    }
    // The view contains both accounts' newest fifteen posts, sorted by time.
    let all = try posts("all", fixture)
    let times = all.compactMap { $0["created_at"].text }
    #expect(all.count == 30 && times == times.sorted(by: >))
    #expect(Set(all.compactMap { $0["account"].text }) == ["demo", "other"])
    // The same post in both accounts is folded into one if its text is long enough.
    let folded = try posts("folded", fixture)
    let exported = try await fixture.run("export", "demo").split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    #expect(folded.count < 2 * exported.count)
    #expect(Set(folded.compactMap { $0["id"].text }) == Set(exported.compactMap { $0["id"].text }))
    for post in folded where post["reposted_by"] == .null {
      guard let text = post["text"].text, text.count > 60, !text.contains("http") else { continue }
      #expect(folded.count { $0["id"] == post["id"] } == 1, "\(text)")
    }
    #expect(try fixture.home.names(in: fixture.home.viewFolder("folded")) == ["home_timeline.json"])
    let expected = exported.filter { $0["reposted_by"] == .null && $0["in_reply_to"] == .null }
    #expect(try posts("quiet", fixture).map { $0["id"] } == expected.map { $0["id"] })
    #expect(expected.count < exported.count && !expected.isEmpty)
  }

  @Test(
    "If a view is removed from the configuration, its files are deleted, and an added view is published",
    arguments: [true, false])
  func takenOut(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, Self.members, more: views(#""second": {}"#))
    let newest = try #require(try fixture.home.publishedIDs().first)
    for view in ["all", "second"] { #expect(try await isPublished(view, fixture, with: newest)) }
    try fixture.configure(["demo"], Self.members, more: views(#""third": {"publish": ["txt"]}"#))
    if let daemon = fixture.daemon {
      daemon.program.signal(SIGHUP)
    } else {
      try await fixture.run("refresh")
    }
    #expect(try await isPublished("third", fixture, with: newest))
    #expect(try await eventually { !File.exists(fixture.home.viewFolder("second")) })
    await fixture.end()
    #expect(try fixture.home.names(in: "\(fixture.home.path)/cache/homeline/_views") == ["all", "third"])
    #expect(
      try fixture.home.names(in: fixture.home.viewFolder("third")) == ["home_timeline.json", "home_timeline.txt"])
  }

  @Test(
    "When `homeline read` exits, the posts are also marked as read in the account's views", arguments: [true, false])
  func read(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, Self.members, more: views())
    let newest = try #require(try fixture.home.publishedIDs().first)
    #expect(try await isPublished("all", fixture, with: newest))
    try await fixture.run("read")
    #expect(try JSONValue(file: "\(fixture.home.viewFolder("all"))/home_timeline.json")["unread"].integer == 0)
    #expect(try JSONValue(file: "\(fixture.home.viewFolder("all"))/bar.json")["text"].text == "0")
    await fixture.end()
  }

  @Test("`homeline show` and `homeline open` accept the name of a view, and report an unpublished view with advice")
  func commands() async throws {
    let fixture = try await PostingFixture(withService: true, accounts: ["demo", "other"], Self.members, more: views())
    let newest = try #require(try fixture.home.publishedIDs("other").first)
    #expect(try await isPublished("all", fixture, with: newest))
    #expect(try await eventually { Set(try posts("all", fixture).map { $0["account"].text }).count == 2 })
    let shown = try await fixture.run("show", "--view", "all", "--limit", "100", "--format", "jsonl").split(
      separator: "\n")
    #expect(try shown.map { try JSONValue(Array($0.utf8)) } == (try posts("all", fixture)))
    let merged = try await fixture.run("show", "--account", "all", "--limit", "100", "--format", "jsonl")
    #expect(merged.split(separator: "\n").count == 40)
    #expect(
      try await fixture.run("open", "--view", "all", "--print")
        == "\(fixture.home.viewFolder("all"))/home_timeline.html\n")
    let none = try await fixture.home.run("show", "--view", "nothing")
    #expect(none.code == 77 && none.error.contains("the view nothing: nothing has been published yet"), "\(none.error)")
    let page = try await fixture.home.run("open", "--view", "nothing")
    #expect(page.code == 77 && page.error.contains("The configuration has no such view"), "\(page.error)")
    await fixture.end()
  }
}
