import Glibc
import Platform
import TestSupport
import Testing

/// `homeline show`, as scripts and users see it.
@Suite struct ShowCommandTests {
  private let home = PublishedFilesFixture()

  private func ids(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { line in
      line.firstRange(of: #""id":""#).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  @Test("`homeline show --account all` merges the posts of all accounts, newest first, and names each post's account")
  func all() async throws {
    try home.publish("bird", ids: [5, 3, 1])
    try home.publish("cat", ids: [4, 2])
    let text = try await home.show("--account", "all", "--limit", "3")
    #expect(
      text.output == """
        Sean @s · 2020-01-01 · bird
          post 5

        Sean @s · 2020-01-01 · cat
          post 4

        Sean @s · 2020-01-01 · bird
          post 3

        """)
    #expect(text.code == 0 && text.error == "")
    let withIDs = try await home.show("--account", "cat", "--limit", "1", "--ids")
    #expect(withIDs.output == "Sean @s · 2020-01-01\n  post 4\n  id 4\n")
    let lines = try await home.show("--account=all", "--format", "jsonl")
    #expect(ids(lines.output) == [5, 4, 3, 2, 1])
    let first = PublishedFilesFixture.post(5, more: #","account":"bird""#)
    #expect(lines.output.hasPrefix(first + "\n"))
    #expect(try await home.show("--account", "all", "--format", "json").output.hasPrefix("[\n\(first),\n"))
  }

  @Test("Without an account, `homeline show` merges the posts of all enabled accounts by time")
  func enabledAccounts() async throws {
    try home.publish("bird", ids: [5, 3, 1])
    try home.publish("cat", ids: [4, 2])
    try home.publish("demo", ids: [9])
    try home.configure([("bird", true), ("cat", true), ("demo", false), ("mute", true)])
    let lines = try await home.show("--format", "jsonl")
    #expect(lines.code == 0 && ids(lines.output) == [5, 4, 3, 2, 1], "\(lines.error)")
    #expect(lines.output.hasPrefix(PublishedFilesFixture.post(5, more: #","account":"bird""#) + "\n"))
    #expect(try await home.show("--json").output.hasPrefix("[\n"))
    #expect(try await home.show("--limit", "1").output == "Sean @s · 2020-01-01 · bird\n  post 5\n")
    #expect(ids(try await home.show("--unread", "--limit", "3", "--format", "jsonl").output) == [5, 4, 3])
    #expect(ids(try await home.show("--account", "all", "--format", "jsonl").output) == [9, 5, 4, 3, 2, 1])
    // A single enabled account is shown alone, even if others have files.
    try home.configure([("bird", true), ("cat", false)])
    let one = try await home.show("--format", "jsonl", "--limit", "1")
    #expect(one.output == PublishedFilesFixture.post(5) + "\n")
  }

  @Test("Without an account and a configuration, `homeline show` merges the posts of all published files")
  func noConfiguration() async throws {
    try home.publish("bird", ids: [3, 1])
    try home.publish("cat", ids: [2])
    #expect(ids(try await home.show("--format", "jsonl").output) == [3, 2, 1])
  }

  @Test("`homeline show --account all` reports invalid and stale files and prints the other accounts' posts")
  func brokenOne() async throws {
    try home.publish("bird", ids: [2], head: #""fresh_until":"2020-01-01T01:01:00Z""#)
    try home.write("{", to: "cat")
    let outcome = try await home.show("--account", "all", "--format", "jsonl")
    #expect(ids(outcome.output) == [2] && outcome.code == 65)
    #expect(outcome.error.contains("bird: these posts are old") && outcome.error.contains(home.file(of: "cat")))
    let nothing = try await PublishedFilesFixture().show("--account", "all")
    #expect(nothing.code == 77 && nothing.error.contains("nothing has been published yet"))
  }

  @Test("`homeline show --view` prints the posts in a view, each with its account")
  func view() async throws {
    try home.publish(
      "_views/news", [PublishedFilesFixture.post(2, more: #","account":"cat""#), PublishedFilesFixture.post(1)])
    let outcome = try await home.show("--view", "news")
    #expect(outcome.output.hasPrefix("Sean @s · 2020-01-01 · cat\n  post 2\n\nSean @s · 2020-01-01\n"))
    let missing = try await home.show("--view", "olds")
    #expect(missing.code == 77 && missing.error.contains("the view olds: nothing has been published yet"))
  }

  @Test("`homeline show --unread` prints only unread posts")
  func unread() async throws {
    try home.publish("bird", ids: [4, 3, 2, 1], head: #""read_up_to":"2","unread":2"#)
    #expect(ids(try await home.show("bird", "--unread", "--format", "jsonl").output) == [4, 3])
    #expect(ids(try await home.show("bird", "--unread", "--format", "jsonl", "--limit", "1").output) == [4])
    try home.publish("bird", ids: [4, 3], head: #""read_up_to":"4","unread":0"#)
    let nothing = try await home.show("bird", "--unread")
    #expect(nothing.output == "" && nothing.code == 0 && nothing.error == "homeline: bird: no unread posts\n")
    try home.publish("bird", ids: [4, 3], head: #""read_up_to":null,"unread":2"#)
    #expect(ids(try await home.show("bird", "--unread", "--format", "jsonl").output) == [4, 3])
  }

  @Test("In a view, `homeline show --unread` follows each post's own unread flag")
  func unreadInView() async throws {
    let posts = (1...40).reversed().map { id in
      PublishedFilesFixture.post(id, more: #","account":"bird","unread":\#(id.isMultiple(of: 10))"#)
    }
    try home.publish("_views/news", posts, head: #""read_up_to":null,"unread":4"#)
    let lines = try await home.show("--view", "news", "--unread", "--limit", "3", "--format", "jsonl")
    #expect(ids(lines.output) == [40, 30, 20] && lines.error == "")
    try home.publish("_views/news", [PublishedFilesFixture.post(1, more: #","unread":false"#)], head: #""unread":0"#)
    #expect(try await home.show("--view", "news", "--unread").error == "homeline: news: no unread posts\n")
  }

  @Test("`homeline show` reads only the part of the file that it prints")
  func readsLittle() async throws {
    let long = String(repeating: "long text ", count: 50)
    let posts = (1...3000).reversed().map { PublishedFilesFixture.post($0, text: long) }
    try home.publish("bird", posts + ["spoilt"])
    let few = try await home.show("bird", "--limit", "5", "--format", "jsonl")
    #expect(few.output == posts.prefix(5).joined(separator: "\n") + "\n" && few.code == 0)
    let many = try await home.show("bird", "--limit", "2000", "--format", "jsonl")
    #expect(ids(many.output) == Array((1001...3000).reversed()))
    #expect(try await home.show("bird", "--limit", "3001", "--format", "jsonl").code == 65)
  }

  @Test("`homeline show --threads` indents replies below the posts they reply to, newest thread first")
  func threads() async throws {
    let answer = { (id: Int, parent: Int) in
      PublishedFilesFixture.post(id, more: #","in_reply_to":{"id":"\#(parent)","screen_name":"s"}"#)
    }
    // 5 and 4 answer 2, 6 answers 4, 7 answers a post that is not stored, and 8 and 9 answer each other.
    try home.publish(
      "bird",
      [
        answer(9, 8), answer(8, 9), answer(7, 77), answer(6, 4), answer(5, 2), answer(4, 2),
        PublishedFilesFixture.post(3),
        PublishedFilesFixture.post(2),
      ])
    let outcome = try await home.show("bird", "--threads")
    let lines = outcome.output.split(separator: "\n").filter { $0.contains("post ") || $0.contains("reply") }
    #expect(outcome.code == 0 && lines.count == 10, "\(outcome.output)")
    #expect(
      lines.dropFirst(3) == [
        "  in reply to @s", "  post 7", "  post 2", "    post 4", "      post 6", "    post 5", "  post 3",
      ])
    #expect(Set(lines.prefix(3)) == ["  in reply to @s", "  post 9", "    post 8"] || lines[1] == "  post 8")
    #expect(try await home.show("bird", "--threads", "--follow").code == 64)
  }

  // MARK: Notifications

  /// Returns an event in a published file, with a post or without one.
  private func event(_ id: Int, _ kind: String, by name: String, post: Int? = nil) -> String {
    let time = "2020-01-02T00:00:\(String(100 + id).dropFirst())Z"
    let notice =
      #""notification":{"id":"n\#(id)","kind":"\#(kind)","actors":[{"id":"\#(name)","screen_name":"\#(name)","name":"\#(name)"}],"at":"\#(time)"}"#
    return post.map { PublishedFilesFixture.post($0, more: ",\(notice)") }
      ?? #"{"id":"n\#(id)","created_at":"\#(time)",\#(notice)}"#
  }

  @Test("`homeline show` joins likes of a post, follows and other events that belong together; the JSON keeps each")
  func notifications() async throws {
    let events = [
      event(9, "favourite", by: "Ada", post: 3), event(8, "follow", by: "Ben"), event(7, "wave", by: "Eve"),
      event(6, "favourite", by: "Cleo", post: 3), event(5, "favourite", by: "Dan", post: 3),
      event(4, "follow", by: "Dan"),
    ]
    try home.publish("bird", events, head: #""fresh_until":null,"gaps":[{"after":"n4","before":"n5","fillable":true}]"#)
    let shown = try await home.show("bird", "--ids")
    #expect(
      shown.output == """
        Ada and 2 others liked · 2020-01-02
        Sean @s · 2020-01-01
          post 3
          id 3 · notification n9

        Ben followed you · 2020-01-02
          notification n8

        Eve: wave · 2020-01-02
          notification n7

        · · ·  posts may be missing here

        Dan followed you · 2020-01-02
          notification n4

        """)
    #expect(try await home.show("bird", "--format", "jsonl").output == events.map { $0 + "\n" }.joined())
  }

  // MARK: Terminals

  @Test("`homeline show` wraps lines on a terminal, but not in other output", .needs("script"))
  func width() async throws {
    let text = String(repeating: "日本語 and some text。", count: 20)
    try home.publish("bird", [PublishedFilesFixture.post(1, text: text)])
    for (columns, width) in [("40", 40), ("5", 20), ("200", 100)] {
      let shown = try await home.showOnTerminal("bird", ["TERM": "dumb", "COLUMNS": columns])
      let widths = shown.split(separator: "\n").map { line in
        line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2fff ? 2 : 1) }
      }
      #expect(widths.allSatisfy { $0 <= width } && widths.contains { $0 > width - 12 }, "\(columns): \(widths)")
    }
    #expect(try await home.show("bird", variables: ["COLUMNS": "40"]).output == "Sean @s · 2020-01-01\n  \(text)\n")
  }

  @Test("`homeline show` prints links as hyperlinks on terminals that support them", .needs("script"))
  func links() async throws {
    try home.publish("bird", [PublishedFilesFixture.post(1, text: "see https://example.org/x")])
    let link = ";https://example.org/x\u{1b}\\"
    #expect(try await home.showOnTerminal("bird", ["TERM": "xterm-kitty"]).contains(link))
    #expect(try await home.showOnTerminal("bird", ["TERM": "xterm-kitty", "NO_COLOR": "1"]).contains(link))
    #expect(try await !home.showOnTerminal("bird", ["TERM": "xterm"]).contains(link))
    #expect(try await !home.showOnTerminal("bird", ["TERM": "dumb", "VTE_VERSION": "7006"]).contains("\u{1b}"))
    #expect(try await home.show("bird", variables: ["FORCE_HYPERLINK": "1"]).output.contains(link))
    #expect(try await !home.show("bird", variables: ["TERM": "xterm-kitty"]).output.contains("\u{1b}"))
  }

  @Test("`homeline show` marks unread posts only on terminals", .needs("script"))
  func marks() async throws {
    try home.publish("bird", ids: [2, 1], head: #""read_up_to":"1","unread":1"#)
    let shown = try await home.showOnTerminal("bird", ["TERM": "dumb"])
    #expect(shown.hasPrefix("● Sean @s") && shown.contains("\nSean @s"))
    #expect(try await !home.show("bird").output.contains("●"))
  }
}
