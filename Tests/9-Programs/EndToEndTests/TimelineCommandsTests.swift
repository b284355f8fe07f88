import Glibc
import Platform
import TestSupport
import Testing
import Timeline
import Cryptography

/// Commands that name a timeline, such as `homeline show me/list:Friends`.
@Suite("Commands for timelines") struct TimelineCommandsTests {
  private let home = PublishedFilesFixture()

  private static let long = String(repeating: "x", count: 130)

  private func configure() throws {
    try home.configure(
      #"""
      { "accounts": { "me": { "provider": "mastodon", "server": "social.example",
        "timelines": { "list:My Friends": {}, "tag:Swift": {}, "list:\#(Self.long)": {}, "bookmarks": {} } },
        "bird": { "provider": "sandbox" } } }
      """#)
  }

  @Test("`homeline show` prints the named timeline; an account alone is its home timeline")
  func shown() async throws {
    try configure()
    try home.publish("me", ids: [1])
    try home.publish("me", stem: "list-My%20Friends", ids: [2])
    #expect(try await home.homeline("show", "me").output.contains("post 1"))
    for arguments in [["me/list:My Friends"], ["--account", "me/list:My Friends"]] {
      let outcome = try await ProgramRun.run(
        ProgramRun.product("homeline"), ["show"] + arguments, environment: home.environment())
      #expect(outcome.code == 0 && outcome.output.contains("post 2") && !outcome.output.contains("post 1"))
    }
    #expect(try await home.homeline("show", "me/home").output.contains("post 1"))
  }

  @Test("a hashtag is found in any case")
  func anyCase() async throws {
    try configure()
    try home.publish("me", stem: "tag-Swift", ids: [3])
    #expect(try await home.homeline("show", "me/tag:swift").output.contains("post 3"))
  }

  @Test("without a configuration, a timeline is shown by its name")
  func withoutConfiguration() async throws {
    try home.publish("me", stem: "likes", ids: [4])
    #expect(try await home.homeline("show", "me/likes").output.contains("post 4"))
  }

  @Test("a timeline with a long name is shown, although the name of its file contains a hash")
  func longName() async throws {
    try configure()
    let name = try TimelineName("list:\(Self.long)")
    let stem = try name.stem(hash: SHA256.digest)
    try #require(name.shortStem == nil)
    try home.publish("me", stem: stem, ids: [5])
    let outcome = try await home.homeline("show", "me/\(name)", "--limit", "1")
    #expect(outcome.code == 0 && outcome.output.contains("post 5"), "\(outcome.error)")
  }

  @Test(
    "a timeline that the account does not fetch is a usage error that names the nearest one",
    arguments: ["show", "status"])
  func unknown(command: String) async throws {
    try configure()
    let outcome = try await home.homeline(command, "me/list:My Frends")
    #expect(outcome.code == 64)
    #expect(
      outcome.error.contains(
        #"the account me does not fetch the timeline "list:My Frends"; did you mean me/list:My Friends?"#),
      "\(outcome.error)")
  }

  @Test("a timeline that is not published yet is reported with the command that fetches it")
  func missing() async throws {
    try configure()
    let list = try await home.homeline("show", "me/list:My Friends")
    #expect(list.error.contains("To fetch it: homeline refresh 'me/list:My Friends'"), "\(list.error)")
    let outcome = try await home.homeline("show", "me/bookmarks")
    #expect(outcome.code == 77)
    #expect(
      outcome.error.contains("me/bookmarks: nothing has been published yet")
        && outcome.error.contains("To fetch it: homeline refresh me/bookmarks"), "\(outcome.error)")
  }

  @Test("`homeline show --follow` prints a timeline's new posts, and not those of the account's other timelines")
  func followed() async throws {
    try configure()
    try home.publish("me", stem: "list-My%20Friends", ids: [1])
    let program = try ProgramRun(
      ProgramRun.product("homeline"), ["show", "me/list:My Friends", "--follow", "--format", "jsonl"],
      environment: home.environment())
    #expect(await program.line(containing: #""id":"1""#) != nil)
    try home.publish("me", ids: [9, 8])
    try home.publish("me", stem: "list-My%20Friends", ids: [2, 1])
    #expect(await program.line(containing: #""id":"2""#) != nil)
    kill(program.process, SIGTERM)
    let outcome = await program.end()
    #expect(outcome.output.split(separator: "\n").count == 2, "\(outcome.output)")
  }

  @Test("`homeline open` renders a page of its own for each timeline")
  func opened() async throws {
    try configure()
    try home.publish("me", ids: [1])
    try home.publish("me", stem: "list-My%20Friends", ids: [2])
    let page = try await home.homeline("open", "me/list:My Friends", "--print")
    #expect(page.code == 0 && page.output == "\(home.cache)/_open/me~list-My%20Friends.html\n", "\(page.error)")
    #expect(
      try String(decoding: File.read("\(home.cache)/_open/me~list-My%20Friends.html", limit: 1 << 20), as: UTF8.self)
        .contains("post 2"))
    let other = try await home.homeline("open", "me", "--print")
    #expect(other.output == "\(home.cache)/_open/me.html\n")
  }

  @Test("shells complete the timelines of the configuration")
  func completed() async throws {
    try configure()
    let names = try await home.homeline("complete", "--", "show", "me/").output.split(separator: "\n").map {
      $0.prefix { $0 != "\t" }
    }
    // A name that is too long to be shown is left out.
    #expect(names == ["me/list:My Friends", "me/tag:Swift", "me/bookmarks"])
    #expect(try await home.homeline("complete", "--", "show", "").output.hasPrefix("me\t\nme/list:My Friends\t\n"))
    #expect(try await home.homeline("complete", "--", "logout", "me/").output == "")
  }

  @Test("`homeline status --unread` prints one line for each timeline with posts")
  func unread() async throws {
    try configure()
    let outcome = try await home.homeline("status", "--unread")
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome.output)")
  }
}
