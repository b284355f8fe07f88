import TestSupport
import Testing

/// `homeline read` and the published files, with and without a service.
@Suite("Marking posts as read", .timeLimit(.minutes(3))) struct ReadingRoadTests {
  private func bar(_ road: PostingHome) throws -> JSONValue { try JSONValue(file: "\(road.folder())/bar.json") }

  @Test(
    "read marks all posts up to the newest, and only later posts are unread",
    arguments: [true, false])
  func newest(withService: Bool) async throws {
    let road = try await PostingHome(withService: withService, #""keep_posts": 20, "publish": ["bar.json", "jsonl"]"#)
    #expect(try bar(road)["text"].text == "20")
    #expect(try road.timeline()["read_up_to"] == .null && road.timeline()["unread"].integer == 20)

    let newest = try #require(try road.ids().first)
    #expect(try await road.run("read") == "demo: read up to \(newest), 0 unread\n")
    #expect(try bar(road)["text"].text == "0" && bar(road)["alt"].text == "read")
    #expect(try road.timeline()["read_up_to"].text == newest && road.timeline()["unread"].integer == 0)
    let unread = try await road.home.run("show", "--unread", "--format", "jsonl")
    #expect(unread.code == 0 && unread.output == "" && unread.error.contains("demo: nothing unread"), "\(unread.error)")

    road.post(3)
    #expect(try await road.run("refresh").hasPrefix("demo: 3 new posts"))
    #expect(try bar(road)["text"].text == "3" && bar(road)["alt"].text == "unread")
    #expect(try road.timeline()["read_up_to"].text == newest && road.timeline()["unread"].integer == 3)
    let lines = try await road.run("show", "--unread", "--format", "jsonl").split(separator: "\n")
    #expect(try lines.map { try JSONValue(Array($0.utf8))["id"].text } == road.ids().prefix(3).map { $0 })
    await road.end()
  }

  @Test(
    "read --up-to marks posts up to the named one, and an unknown post exits with 65 without a change",
    arguments: [true, false])
  func upTo(withService: Bool) async throws {
    let road = try await PostingHome(withService: withService, #""keep_posts": 20, "publish": ["bar.json"]"#)
    let fifth = try road.ids()[4]
    #expect(try await road.run("read", "demo", "--up-to", fifth) == "demo: read up to \(fifth), 4 unread\n")
    let before = try road.timeline()
    #expect(before["unread"].integer == 4 && before["read_up_to"].text == fifth)
    let wrong = try await road.home.run("read", "--up-to", "12345")
    #expect(wrong.code == 65 && wrong.output == "")
    #expect(wrong.error.contains("there is no post 12345 in the archive"), "\(wrong.error)")
    #expect(try road.timeline() == before)
    #expect(try bar(road)["text"].text == "4")
    // The mark can also move back.
    let tenth = try road.ids()[9]
    #expect(try await road.run("read", "--up-to", tenth).hasSuffix(", 9 unread\n"))
    await road.end()
  }

  @Test("read with an unknown account exits with 64 and lists the accounts", arguments: [true, false])
  func unknownAccount(withService: Bool) async throws {
    let road = try await PostingHome(withService: withService, #""keep_posts": 20"#)
    let outcome = try await road.home.run("read", "dmo")
    #expect(outcome.code == 64 && outcome.error.contains("demo"), "\(outcome.error)")
    await road.end()
  }
}
