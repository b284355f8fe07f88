import ControlProtocol
import Settings
import Testing
import Time
import Timeline

@testable import Commands

/// `ACCOUNT/TIMELINE` on the command line.
@Suite("Timelines on the command line") struct TimelineOperandTests {
  private func parse(_ arguments: String...) throws(UsageError) -> any CommandDeclaration {
    try CommandParser(.standard).parse(arguments, now: Timestamp(seconds: 1_795_000_000)).command
  }

  private func message(_ line: String) -> String? {
    let error = #expect(throws: UsageError.self) {
      try CommandParser(.standard).parse(line.split(separator: " ").map(String.init), now: Timestamp(seconds: 0))
    }
    return error?.message
  }

  private func friends() throws -> TimelineOperand {
    TimelineOperand(try #require(AccountName("me")), try TimelineName("list:My Friends/2"))
  }

  @Test("commands that show, fetch or search posts take a timeline, whose name may contain a slash and spaces")
  func accepted() throws {
    let text = "me/list:My Friends/2"
    let friends = try friends()
    #expect(friends.description == text)
    #expect(try parse("show", text) as? Command.Show == Command.Show(account: friends))
    #expect(try parse("show", "--account", text) as? Command.Show == Command.Show(account: friends))
    #expect(try parse("open", text) as? Command.Open == Command.Open(account: friends))
    #expect(
      try parse("refresh", text, "me", text) as? Command.Refresh == Command.Refresh([friends, .init(friends.account)]))
    #expect(try parse("read", text) as? Command.Read == Command.Read(account: friends))
    #expect(
      try parse("search", "x", "--account", text) as? Command.Search == Command.Search(query: "x", account: friends))
    #expect(try parse("export", text) as? Command.Export == Command.Export(account: friends))
    #expect(try parse("status", text) as? Command.Status == Command.Status(friends))
  }

  @Test("requests to the state owner contain the names as they were typed")
  func requests() throws {
    let refresh = try #require(try parse("refresh", "me/tag:Swift", "you") as? Command.Refresh)
    #expect(refresh.request == RefreshRequest(accounts: ["me/tag:Swift", "you"]))
    let read = try #require(try parse("read", "me/likes") as? Command.Read)
    #expect(read.request == MarkRequest(account: "me/likes", upTo: nil))
  }

  @Test(
    "a text that cannot be a timeline is refused with the nearest kind or the right form",
    arguments: [
      ("show me/lst:a", #""me/lst:a" is not a timeline; did you mean list?: unknown kind of timeline; use home, "#),
      ("refresh me/list", #""me/list" is not a timeline: write list:NAME"#),
      ("status me/", #""me/" is not a timeline: the name of a timeline is empty; write for example home"#),
      ("read me/likes:x", #""me/likes:x" is not a timeline: likes has no argument; write likes"#),
      ("export Me/likes", #""Me/likes" is not a valid account name: "#),
      ("open /likes", #""/likes" is not a valid account name: "#),
    ])
  func refused(line: String, beginning: String) {
    #expect(message(line)?.hasPrefix(beginning) == true, "\(message(line) ?? "")")
  }

  @Test(
    "a command for whole accounts names the account instead of a timeline",
    arguments: [
      ("logout me/likes", #""me/likes" is a timeline; specify its account: me"#),
      ("check --archive me/likes", #""me/likes" is a timeline; specify its account: me"#),
      (
        "purge --before 7d --account me/list:a",
        #""me/list:a" is a timeline; a purge removes posts from all timelines, so specify the account: me"#
      ),
    ])
  func wholeAccounts(line: String, expected: String) { #expect(message(line) == expected) }

  @Test("a private timeline is exported only with --private")
  func privateTimelines() throws {
    #expect(message("export me/bookmarks") == "me/bookmarks is private; to print it, add --private")
    let export = try #require(try parse("export", "me/bookmarks", "--private") as? Command.Export)
    #expect(export.includesPrivate && export.account?.timeline?.kind == .bookmarks)
    #expect((try parse("export", "me") as? Command.Export)?.includesPrivate == false)
  }

  @Test("numbers of unread posts are only text")
  func unread() throws {
    #expect(try parse("status", "--unread") as? Command.Status == Command.Status(onlyUnread: true))
    #expect(
      message("status --unread --format prometheus")
        == "--unread is only for --format text; JSON and metrics contain the numbers too")
    #expect(message("status --unread --json") != nil)
  }
}

@Suite("Counts of new entries") struct NewEntryTests {
  @Test(
    "A refresh of notifications counts notifications, and others count posts",
    arguments: [
      (0, "me", "nothing new"), (1, "me", "1 new post"), (2, "me/mentions", "2 new posts"),
      (1, "me/notifications", "1 new notification"), (3, "me/notifications", "3 new notifications"),
      (3, "notifications", "3 new posts"), (2, "me/list:notifications", "2 new posts"),
    ])
  func counts(new: Int, name: String, text: String) {
    #expect(RefreshTerminal.count(of: new, in: name) == text)
  }
}
