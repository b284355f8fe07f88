import TestSupport
import Testing

/// `homeline read` and its effect on published files, with and without a service.
@Suite("Marking posts as read", .timeLimit(.minutes(3))) struct ReadCommandTests {
  private func bar(_ fixture: PostingFixture) throws -> JSONValue {
    try JSONValue(file: "\(fixture.home.cacheFolder)/bar.json")
  }

  @Test(
    "`homeline read` marks all posts as read, and only later posts are unread",
    arguments: [true, false])
  func newest(withService: Bool) async throws {
    let fixture = try await PostingFixture(
      withService: withService, #""keep_posts": 20, "publish": ["bar.json", "jsonl"]"#)
    #expect(try bar(fixture)["text"].text == "20")
    #expect(try fixture.home.published()["read_up_to"] == .null && fixture.home.published()["unread"].integer == 20)

    let newest = try #require(try fixture.home.publishedIDs().first)
    #expect(try await fixture.run("read") == "demo: read up to \(newest), 0 unread\n")
    #expect(try bar(fixture)["text"].text == "0" && bar(fixture)["alt"].text == "read")
    #expect(
      try fixture.home.published()["read_up_to"].text == newest && fixture.home.published()["unread"].integer == 0)
    let unread = try await fixture.home.run("show", "--unread", "--format", "jsonl")
    #expect(
      unread.code == 0 && unread.output == "" && unread.error.contains("demo: no unread posts"), "\(unread.error)")

    fixture.post(3)
    #expect(try await fixture.run("refresh").hasPrefix("demo: 3 new posts"))
    #expect(try bar(fixture)["text"].text == "3" && bar(fixture)["alt"].text == "unread")
    #expect(
      try fixture.home.published()["read_up_to"].text == newest && fixture.home.published()["unread"].integer == 3)
    let lines = try await fixture.run("show", "--unread", "--format", "jsonl").split(separator: "\n")
    #expect(
      try lines.map { try JSONValue(Array($0.utf8))["id"].text } == fixture.home.publishedIDs().prefix(3).map { $0 })
    await fixture.end()
  }

  @Test(
    "`homeline read --up-to` marks posts up to the given one; if it is unknown, the command changes nothing and exits with 65",
    arguments: [true, false])
  func upTo(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20, "publish": ["bar.json"]"#)
    let fifth = try fixture.home.publishedIDs()[4]
    #expect(try await fixture.run("read", "demo", "--up-to", fifth) == "demo: read up to \(fifth), 4 unread\n")
    let before = try fixture.home.published()
    #expect(before["unread"].integer == 4 && before["read_up_to"].text == fifth)
    let wrong = try await fixture.home.run("read", "--up-to", "12345")
    #expect(wrong.code == 65 && wrong.output == "")
    #expect(wrong.error.contains("there is no post 12345 in the archive"), "\(wrong.error)")
    #expect(try fixture.home.published() == before)
    #expect(try bar(fixture)["text"].text == "4")
    // The read mark can also be moved back.
    let tenth = try fixture.home.publishedIDs()[9]
    #expect(try await fixture.run("read", "--up-to", tenth).hasSuffix(", 9 unread\n"))
    await fixture.end()
  }

  @Test(
    "Without an account, `homeline read` marks the posts of all enabled accounts; a post's id needs an account",
    arguments: [true, false])
  func allAccounts(withService: Bool) async throws {
    let fixture = try await PostingFixture(
      withService: withService, accounts: ["bird", "cat"], #""keep_posts": 20"#)
    let outcome = try await fixture.run("read")
    let lines = outcome.split(separator: "\n").sorted()
    #expect(lines.count == 2 && lines[0].hasPrefix("bird: read up to ") && lines[1].hasPrefix("cat: read up to "))
    #expect(lines.allSatisfy { $0.hasSuffix(", 0 unread") }, "\(outcome)")
    for account in ["bird", "cat"] { #expect(try fixture.home.published(account)["unread"].integer == 0) }
    let json = try JSONValue(Array(try await fixture.run("read", "--json").utf8))
    #expect(Set(json["results"].items.compactMap { $0["account"].text }) == ["bird", "cat"])
    let fifth = try fixture.home.publishedIDs("cat")[4]
    let unclear = try await fixture.home.run("read", "--up-to", fifth)
    #expect(unclear.code == 64 && unclear.error.contains("specify the account: bird, cat"), "\(unclear.error)")
    #expect(try await fixture.run("read", "cat", "--up-to", fifth).hasSuffix(", 4 unread\n"))
    await fixture.end()
  }

  @Test("If the account is unknown, `homeline read` lists the accounts and exits with 64", arguments: [true, false])
  func unknownAccount(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20"#)
    let outcome = try await fixture.home.run("read", "dmo")
    #expect(outcome.code == 64 && outcome.error.contains("demo"), "\(outcome.error)")
    await fixture.end()
  }
}
