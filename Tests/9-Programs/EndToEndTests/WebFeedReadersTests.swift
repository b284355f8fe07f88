import Platform
import TestSupport
import Testing

/// Feed readers that fetch a feed from the web page of a running service. Those that read the published file are in ``FeedReaderTests``.
@Suite("Feed readers over HTTP", .timeLimit(.minutes(3))) struct WebFeedReadersTests {
  enum Reader: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case newsboat, rss2email, elfeed, feedparser

    var testDescription: String { rawValue }

    /// The programs that the reader consists of, and those that show what it has stored.
    var programs: [String] {
      switch self {
      case .newsboat: ["newsboat", "sqlite3"]
      case .rss2email: ["r2e"]
      case .elfeed: ["emacs", "curl"]
      case .feedparser: []
      }
    }
  }

  /// What a reader has after fetching the feed.
  private struct Fetched {
    /// Whether the response said that the feed is as before (status 304).
    let isUnchanged: Bool
    /// The ids of the posts that the reader knows.
    let ids: Set<String>
  }

  @Test(
    "A reader gets all posts with the feed's address alone, then 304 until there are new posts, and then those",
    arguments: Reader.allCases)
  func fetched(by reader: Reader) async throws {
    let folders = ProcessEnvironment.variables()["PATH"] ?? ""
    for program in reader.programs where ProgramSearch.find(program, in: folders) == nil {
      try skipTest("\(program) is not installed")
    }
    if reader == .elfeed, !FeedReaderTests.hasElfeed { try skipTest("elfeed is not installed") }
    let port = try ReservedPort()
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 20, "publish": ["atom"]"#,
      more: #""web": {"port": \#(port.port)}, "media": {"megabytes": 0}"#)
    try await fixture.run("refresh")
    let address = try await Self.address(fixture, port)
    let first = try Set(fixture.home.publishedIDs())
    #expect(first.count == 20)
    var fetched = try await fetch(address, reader, fixture.home)
    #expect(!fetched.isUnchanged && fetched.ids == first)
    // newsboat forgets the first ETag of a feed that it does not know yet.
    if reader == .newsboat { _ = try await fetch(address, reader, fixture.home) }
    fetched = try await fetch(address, reader, fixture.home)
    #expect(fetched.isUnchanged)
    fixture.post(2)
    try await fixture.run("refresh")
    let new = try Set(fixture.home.publishedIDs()).subtracting(first)
    try #require(!new.isEmpty)
    fetched = try await fetch(address, reader, fixture.home)
    #expect(!fetched.isUnchanged && fetched.ids.isSuperset(of: new))
    await fixture.end()
  }

  /// Makes an address for the feed with the page's form, and returns it.
  private static func address(_ fixture: PostingFixture, _ port: ReservedPort) async throws -> String {
    let entry = try await fixture.run("web", "--print").dropLast()
    let base = "http://127.0.0.1:\(port.port)"
    let made = try await fixture.home.shell(
      """
      set -e
      jar='\(fixture.home.path)/jar'
      curl --silent --fail --cookie-jar "$jar" '\(entry)' >/dev/null
      curl --silent --fail --cookie "$jar" --header 'Origin: \(base)' --data 'feed=demo&action=make' \(base)/feeds
      curl --silent --fail --cookie "$jar" \(base)/feeds
      """)
    let found = made.output.firstMatch(of: /href="(http:[^"]+\/f\/[0-9a-f]{32}\/atom\.xml)"/)
    return String(try #require(found, "\(made.output) \(made.error)").1)
  }

  private func fetch(_ address: String, _ reader: Reader, _ home: TestInstallation) async throws -> Fetched {
    switch reader {
    case .newsboat: try await newsboat(address, home)
    case .rss2email: try await rss2email(address, home)
    case .elfeed:
      try await report(
        of: home.shell(
          "emacs --batch --load '\(Repository.path("Tests/Peers/fetch_with_elfeed.el"))' '\(address)'"))
    case .feedparser: try await feedparser(address, home)
    }
  }

  private func newsboat(_ address: String, _ home: TestInstallation) async throws -> Fetched {
    let folder = "\(home.path)/newsboat"
    try home.write(address + "\n", to: "\(folder)/urls")
    try home.write("", to: "\(folder)/config")
    let run = try await home.shell(
      """
      set -e
      cd '\(folder)'
      rm -f log
      newsboat --url-file=urls --config-file=config --cache-file=cache --log-level=6 --log-file=log --execute=reload
      sqlite3 cache 'SELECT guid FROM rss_item'
      """)
    try #require(run.code == 0, "\(run.error)")
    // newsboat logs the tag that it has sent, and the content of the response.
    let log = try home.read("\(folder)/log")
    let sent = try #require(log.firstMatch(of: /fetch_lastmodified: t = 0 etag = (.*)/)).1
    return Fetched(
      isUnchanged: !sent.isEmpty && !log.contains("<feed xmlns="), ids: ids(run.output.split(separator: "\n")))
  }

  private func rss2email(_ address: String, _ home: TestInstallation) async throws -> Fetched {
    let (folder, mail) = ("\(home.path)/r2e", "\(home.path)/mail")
    let command = "r2e -VVVV -c '\(folder)/config' -d '\(folder)/data'"
    if !File.exists("\(folder)/config") {
      for name in ["cur", "new", "tmp"] { try Folder.create("\(mail)/Inbox/\(name)") }
      try Folder.create("\(home.path)/run")
      let settings =
        "[DEFAULT]\nto = me@home.example\nemail-protocol = maildir\nmaildir-path = \(mail)\nmaildir-mailbox = Inbox\n"
      try home.write(settings, to: "\(folder)/config")
      let added = try await home.shell("\(command) add demo '\(address)'")
      try #require(added.code == 0, "\(added.error)")
    }
    let run = try await home.shell("\(command) run")
    try #require(run.code == 0, "\(run.error)")
    let status = try #require((run.output + run.error).firstMatch(of: /HTTP status (\d+)/), "\(run.error)").1
    let mails = try Folder.names(in: "\(mail)/Inbox/new").map { name in
      // A long header field is folded; the id continues on the next line (RFC 5322 §2.2.3).
      try #require(home.read("\(mail)/Inbox/new/\(name)").firstMatch(of: /\nX-RSS-ID:\s+(\S+)\n/)).1
    }
    return Fetched(isUnchanged: status == "304", ids: ids(mails))
  }

  private func feedparser(_ address: String, _ home: TestInstallation) async throws -> Fetched {
    guard let python = Peers.python else { try skipTest("HOMELINE_PEERS_PYTHON is not set") }
    let tag = "\(home.path)/etag"
    let former = File.exists(tag) ? [try home.read(tag)] : []
    let run = try await ProgramRun.run(
      python, ["-B", Peers.path(of: "fetch_feed.py"), address] + former, environment: home.environment())
    if let etag = try JSONValue(Array(run.output.utf8))["etag"].text { try home.write(etag, to: tag) }
    return try report(of: run)
  }

  /// Reads what the scripts print.
  private func report(of run: ProgramRun.Outcome) throws -> Fetched {
    try #require(run.code == 0, "\(run.error)")
    let report = try JSONValue(Array(run.output.utf8))
    let status = try #require(report["status"].integer, "\(run.output)")
    #expect([200, 304].contains(status))
    return Fetched(isUnchanged: status == 304, ids: ids(report["ids"].items.compactMap(\.text)))
  }

  /// Returns the ids of posts, which are the last parts of the ids of entries.
  private func ids(_ entries: [some StringProtocol]) -> Set<String> {
    Set(entries.map { entry in String(entry.reversed().prefix { $0 != "/" }.reversed()) })
  }
}
