import Glibc
import Platform
import TestSupport
import Testing

/// State archives from earlier versions, opened by the current programs (Tests/Upgrade/README.md).
@Suite("State from an earlier version", .timeLimit(.minutes(4))) struct UpgradeTests {
  /// The archives in Tests/Upgrade.
  static let versions = ["0.1.0"]

  @Test("These tests cover every archive in Tests/Upgrade")
  func complete() throws {
    let names = try Folder.names(in: Repository.path("Tests/Upgrade")).filter { $0.hasSuffix(".tar.xz") }
    #expect(names.sorted() == Self.versions.map { "\($0).tar.xz" }.sorted())
  }

  @Test("Every command reads the earlier state without sending a request, and no post is missing", arguments: versions)
  func reading(version: String) async throws {
    let state = try await EarlierVersionState(version)
    try await expectEverythingRead(state)
    #expect(try JSONValue(file: "\(state.home.path)/cache/homeline/bird/home_timeline.json")["gaps"].items.count == 1)
    #expect(try await run(state.home, "status").contains("bird"))
    #expect(state.requests == [])
    #expect(try state.leftAside() == [])
  }

  @Test(
    "The earlier tokens are used and renewed, and new posts join the earlier ones",
    arguments: versions)
  func refreshing(version: String) async throws {
    let state = try await EarlierVersionState(version)
    let home = state.home
    // A token that does not expire soon is printed unchanged. The others are renewed with the refresh tokens in the
    // archive.
    let kept = try #require(try state.token("wei")["access_token"].text)
    #expect(try await run(home, "token", "wei") == kept + "\n")
    #expect(try await run(home, "token", "key") == "renewed-key\n")
    #expect(try state.token("key")["refresh_token"].text == "next-key")
    let refreshed = try await run(home, "refresh")
    for account in ["fedi", "bird", "wei"] { #expect(refreshed.contains("\(account): 1 new post,"), "\(refreshed)") }
    #expect(try await run(home, "token", "fedi") == "renewed-fedi\n")
    // One request for the newest page, and one for the gap.
    #expect(state.requests.count { $0.hasPrefix("bird /2/users/") } > 1)
    // The sandbox verifies each signature with the secret of the issued token.
    #expect(state.requests.contains("blue /1.1/statuses/home_timeline.json 200"))
    // The providers have refused no request.
    #expect(state.requests.filter { !$0.hasSuffix(" 200") } == [], "\(state.requests)")
    try await expectEverythingRead(state)
    #expect(try state.leftAside() == [])
  }

  @Test(
    "An earlier account without `keep_posts` publishes as many posts as that version, and a new account fewer",
    arguments: versions)
  func publishedPosts(version: String) async throws {
    let state = try await EarlierVersionState(version)
    let home = state.home
    let settings = try home.read(home.configuration)
    let fedi = try #require(settings.firstRange(of: #""fedi": {"#)).lowerBound
    let usual = settings[fedi...].replacing(#""keep_posts": 30, "#, with: "", maxReplacements: 1)
    try home.configure(
      String(settings[..<fedi] + usual).replacing(
        #""accounts": {"#, with: #""accounts": { "new": { "provider": "sandbox" },"#))
    func number(_ account: String) async throws -> Int? {
      let status = try JSONValue(Array(await run(home, "status", account, "--json").utf8))
      return status["accounts"].items.first?["settings"]["keep_posts"].integer
    }
    for _ in 0..<2 {
      #expect(try await [number("fedi"), number("bird"), number("new")] == [800, 30, 200])
      _ = try await run(home, "refresh", "fedi")
    }
    // More posts than a new account would publish.
    let lines = ImportCommandTests.lines(1...300)
    let file = "\(home.path)/posts.jsonl"
    try AtomicFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: file, .replaced)
    _ = try await run(home, "import", file, "--account", "fedi")
    #expect(try home.published("fedi")["posts"].items.count > 300)
  }

  @Test("The service opens the earlier state and leaves it intact", arguments: versions)
  func service(version: String) async throws {
    let state = try await EarlierVersionState(version)
    let stored = try await EarlierVersionState.posts(run(state.home, "export", "fedi")).count
    let daemon = try await RunningDaemon(state.home)
    // Either this command or the service's own schedule fetches the new post.
    _ = try await run(state.home, "refresh")
    #expect(try await EarlierVersionState.posts(run(state.home, "export", "fedi")).count == stored + 1)
    #expect(await daemon.stop().outcome.code == 0)
    #expect(!daemon.log.contains("corrupt"), "\(daemon.log)")
    try await expectEverythingRead(state)
    #expect(try state.leftAside() == [])
  }

  @Test(
    "This version creates its state archive",
    .enabled(if: getenv("HOMELINE_MAKE_STATE") != nil, "HOMELINE_MAKE_STATE does not contain the path of an archive"))
  func make() async throws {
    let maker = try UpgradeStateMaker()
    try await maker.make()
    try await maker.pack(into: String(cString: try #require(getenv("HOMELINE_MAKE_STATE"))))
  }

  /// Checks that the commands show the complete earlier state.
  private func expectEverythingRead(_ state: EarlierVersionState) async throws {
    let home = state.home
    #expect(try await run(home, "check").contains("wei"))
    let checked = try await run(home, "check", "--archive")
    for account in EarlierVersionState.timelines {
      let expected = try state.expected(account)
      #expect(!expected.isEmpty)
      let posts = try EarlierVersionState.posts(await run(home, "export", account))
      for (id, post) in expected {
        // The sandbox returns its newest posts again, with picture URLs on its current port.
        let wanted = account == "demo" ? .object(["id": post["id"], "text": post["text"]]) : post
        #expect(posts[id].map { holds($0, all: wanted) } == true, "\(account): \(id)")
      }
      #expect(checked.contains(account), "\(checked)")
      #expect(try await run(home, "show", account, "--format", "jsonl").contains(#""id""#))
    }
    let status = try JSONValue(Array(await run(home, "status", "--json").utf8))
    for account in EarlierVersionState.timelines + ["key"] {
      let reported = try #require(status["accounts"].items.first { $0["account"].text == account })
      #expect(
        reported["authorised"] != .null && reported["token"] != .null && reported["problems"].items.isEmpty,
        "\(reported)")
      #expect(reported["error"] == .null, "\(reported)")
    }
    #expect(try await run(home, "search", "imported", "--account", "blue").contains("imported number 2"))
    #expect(try await run(home, "show", "--view", "all").count > 100)
    // The purged post, the read mark and the spent budget are kept.
    let purged = try #require(try JSONValue(file: "\(home.path)/expected/marks.json")["purged"].text)
    let read = try #require(try JSONValue(file: "\(home.path)/expected/marks.json")["read"].text)
    let rest = try await EarlierVersionState.posts(run(home, "export", "blue"))[purged]
    #expect(rest?["deleted_at"].text != nil && rest?["text"] == .null, "\(String(describing: rest))")
    let unread = try await EarlierVersionState.posts(run(home, "show", "blue", "--unread", "--format", "jsonl"))
    let shown = try await EarlierVersionState.posts(run(home, "show", "blue", "--format", "jsonl"))
    #expect(unread[read] == nil && (shown[read] == nil || unread.count < shown.count))
    // Every picture that the page refers to still exists.
    let media = "\(home.path)/cache/homeline/_media"
    let pictures = Set(try home.files(below: media).map { $0.split(separator: "/").last.map(String.init) ?? "" })
    for name in try JSONValue(file: "\(home.path)/expected/marks.json")["pictures"].items {
      #expect(pictures.contains(try #require(name.text)))
    }
  }

  /// Returns whether a value contains all members of another value. Later versions may add members.
  private func holds(_ value: JSONValue, all other: JSONValue) -> Bool {
    guard case .object(let members) = value, case .object(let wanted) = other else { return value == other }
    return wanted.allSatisfy { name, wanted in members[name].map { holds($0, all: wanted) } ?? (wanted == .null) }
  }

  private func run(_ home: TestInstallation, _ arguments: String...) async throws -> String {
    let outcome = try await home.start(arguments).end()
    try #require(outcome.code == 0, "\(arguments): \(outcome.code) \(outcome.error)")
    #expect(!outcome.error.contains("corrupt"), "\(outcome.error)")
    return outcome.output
  }
}
