import Formats
import Platform
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// Commands that read the archives of accounts with several timelines.
@Suite("Archives of several timelines") struct TimelineArchiveTests {
  private let archives: ArchiveFixture

  init() throws {
    archives = try ArchiveFixture()
    try archives.home.configure(
      """
      { "accounts": { "me": { "provider": "mastodon", "server": "social.example",
        "timelines": { "list:Friends": { "keep_posts": 2 }, "bookmarks": {} } } } }
      """)
    try archives.fill("me", ["apple at home"])
    try fill("list:Friends", [(11, "apple in a list"), (12, "pear in a list"), (13, "plum in a list")])
    try fill("bookmarks", [(21, "apple of mine")]) { state, timeline in
      state[timeline].refreshedAt = ArchiveFixture.time
      state[timeline].staleSince = ArchiveFixture.time
      state[timeline].problem = Problem(code: .closed, message: "The server has no bookmarks.")
    }
  }

  private func fill(
    _ name: String, _ posts: [(Int, String)], state change: (inout AccountState, TimelineName) -> Void = { _, _ in }
  ) throws {
    let timeline = try TimelineName(name)
    let database = try archives.archive(of: "me")
    defer { database.close() }
    var state = try database.state()
    change(&state, timeline)
    let page = Page(entries: posts.map { ArchiveFixture.entry($0.0, $0.1) }, older: nil)
    let write = PageWrite(page, of: timeline, as: .head, receivedAt: ArchiveFixture.time, state: state)
    _ = try database.insert(write, expecting: database.revision())
  }

  private func run(_ arguments: String...) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      ProgramRun.product("homeline"), arguments, environment: archives.home.environment())
  }

  private func texts(_ arguments: String...) async throws -> [String] {
    let outcome = try await ProgramRun.run(
      ProgramRun.product("homeline"), arguments, environment: archives.home.environment())
    #expect(outcome.code == 0, "\(outcome.error)")
    return try outcome.output.split(separator: "\n").map { try JSONValue(Array($0.utf8))["text"].text ?? "" }.sorted()
  }

  @Test("`homeline search` finds the posts of all timelines that are not private, or those of the named one")
  func searched() async throws {
    #expect(try await texts("search", "apple", "--format", "jsonl") == ["apple at home", "apple in a list"])
    #expect(
      try await texts("search", "apple", "--account", "me/list:Friends", "--format", "jsonl") == ["apple in a list"])
    #expect(try await texts("search", "apple", "--account", "me/bookmarks", "--format", "jsonl") == ["apple of mine"])
    #expect(try await texts("search", "apple", "--account", "me/home", "--format", "jsonl") == ["apple at home"])
  }

  @Test("`homeline export` prints private timelines only with --private")
  func exported() async throws {
    let public4 = ["apple at home", "apple in a list", "pear in a list", "plum in a list"]
    #expect(try await texts("export", "me") == public4)
    #expect(try await texts("export", "me", "--private") == (public4 + ["apple of mine"]).sorted())
    #expect(try await texts("export", "me/list:Friends") == Array(public4.dropFirst()))
    #expect(try await texts("export", "me/bookmarks", "--private") == ["apple of mine"])
    let refused = try await run("export", "me/bookmarks")
    #expect(refused.code == 64 && refused.error.contains("me/bookmarks is private; to print it, add --private"))
  }

  @Test("`homeline export --format csv` is a table of posts, and names the number of events that it leaves out")
  func table() async throws {
    let timeline = try TimelineName("notifications")
    let actor = User(id: "8", screenName: "eve", name: "Eve")
    func notice(_ number: Int, _ kind: Notice.Kind) -> Notice {
      Notice(id: PostID(String(number)), kind: kind.rawValue, actors: [actor], at: ArchiveFixture.time)
    }
    let liked = ArchiveFixture.entry(31, "liked post")
    let events = [
      liked.noticed(notice(901, .favourite), at: PostKey(decimal: PostID("901"))!),
      Page.Entry(post: Post(event: notice(902, .follow)), key: PostKey(decimal: PostID("902"))!),
      Page.Entry(post: Post(event: notice(903, .follow)), key: PostKey(decimal: PostID("903"))!),
    ]
    let database = try archives.archive(of: "me")
    let write = PageWrite(
      Page(entries: events, older: nil), of: timeline, as: .head, receivedAt: ArchiveFixture.time,
      state: try database.state())
    _ = try database.insert(write, expecting: database.revision())
    // An event without a post is not a post, although it has an id.
    #expect(try database.post(PostID("902"), in: .everything) == nil)
    #expect(try database.post(PostID("31"), in: .everything) != nil)
    database.close()
    let table = try await run("export", "me/notifications", "--private", "--format", "csv")
    let lines = table.output.split(separator: "\r\n")
    #expect(table.code == 0 && lines.count == 2 && lines.last?.hasPrefix("31,") == true, "\(table.output)")
    #expect(
      table.error
        == "homeline: me: the table leaves out 2 notifications without a post; --format jsonl includes them\n")
    let all = try await run("export", "me/notifications", "--private")
    #expect(all.output.split(separator: "\n").count == 3 && all.error == "")
  }

  @Test(
    "a timeline that is neither fetched nor stored is a usage error; one taken out of the settings keeps its archive")
  func takenOut() async throws {
    let unknown = try await run("search", "apple", "--account", "me/list:Frends")
    #expect(unknown.code == 64 && unknown.error.contains("did you mean me/list:Friends?"), "\(unknown.error)")
    try archives.home.configure(
      #"{ "accounts": { "me": { "provider": "mastodon", "server": "social.example" } } }"#
    )
    #expect(
      try await texts("search", "apple", "--account", "me/list:Friends", "--format", "jsonl") == ["apple in a list"])
  }

  @Test("`homeline status --unread` prints the number of each timeline, of the published posts only")
  func unread() async throws {
    #expect(try await run("status", "--unread").output == "me 1\nme/list:Friends 2\nme/bookmarks 1\n")
    #expect(try await run("status", "--unread", "me/list:Friends").output == "me/list:Friends 2\n")
  }

  @Test(
    "`homeline status` prints one line for the account, which mentions the problem of a timeline, and -v prints each timeline"
  )
  func status() async throws {
    // The account has no token, which is its own problem.
    let line = try await run("status").output
    #expect(line.split(separator: "\n").count == 1 && line.contains("not authorised"))
    let details = try await run("status", "-v").output
    let list = details.split(separator: "\n").first { $0.hasPrefix("  list:Friends") }
    #expect(list?.contains("2 unread, never refreshed, no refresh scheduled") == true, "\(details)")
    #expect(list?.contains("/me/list-Friends.json") == true)
    let bookmarks = details.split(separator: "\n").first { $0.hasPrefix("  bookmarks") }
    #expect(bookmarks?.contains("closed: The server has no bookmarks.") == true, "\(details)")
    #expect(!details.contains("  home "))
  }

  @Test("`homeline status --json` contains all timelines, and the account's members are those of home")
  func json() async throws {
    let account = try JSONValue(Array(try await run("status", "--json").output.utf8))["accounts"].items[0]
    let timelines = account["timelines"].items
    #expect(timelines.map { $0["timeline"].text } == ["home", "list:Friends", "bookmarks"])
    #expect(timelines.map { $0["name"].text } == ["me", "me/list:Friends", "me/bookmarks"])
    #expect(timelines.map { $0["unread"].integer } == [1, 2, 1] && account["unread"].integer == 1)
    #expect(timelines[1]["settings"]["keep_posts"].integer == 2 && account["settings"]["keep_posts"].integer == 200)
    #expect(timelines[2]["error"]["code"].text == "closed" && account["error"] == .null)
    let one = try JSONValue(Array(try await run("status", "--json", "me/bookmarks").output.utf8))["accounts"].items[0]
    #expect(one["timelines"].items.map { $0["timeline"].text } == ["bookmarks"])
  }
}
