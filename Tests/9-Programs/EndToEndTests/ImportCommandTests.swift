import Glibc
import Platform
import TestSupport
import Testing

/// Imports of exported posts into another installation, from a file or a pipe, with and without a service.
@Suite("Importing posts", .timeLimit(.minutes(4))) struct ImportCommandTests {
  private static let members = #""keep_posts": 30"#

  private func dataFolder(_ fixture: PostingFixture) -> String { "\(fixture.home.path)/data/homeline/demo" }

  /// Returns the files next to the database.
  private func leftovers(_ fixture: PostingFixture) throws -> [String] {
    try fixture.home.files(below: dataFolder(fixture)).filter { file in
      !file.hasSuffix("/timeline.db") && !file.contains("/timeline.db-") && !file.hasSuffix("/published")
        && !file.hasSuffix("/request-start")
    }
  }

  /// Returns the export lines of posts that are older than all of the provider's posts.
  static func lines(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { number in
      #"{"id":"\#(number)","created_at":"2019-05-01T12:00:00Z","author":{"id":"7","screen_name":"old","name":"Old"},"#
        + #""text":"imported number \#(number)","language":"en","media":[],"counts":{}}"#
    }
  }

  @Test(
    "An export can be imported completely into a new installation, and importing it again adds nothing",
    arguments: [true, false])
  func thereAndBack(withService: Bool) async throws {
    let source = try await PostingFixture(withService: false, Self.members)
    source.post(5)
    try await source.run("refresh")
    let export = try await source.run("export", "demo")
    let count = export.split(separator: "\n").count
    #expect(count >= 35)

    let fixture = try await PostingFixture(withService: withService, Self.members)
    let own = Set(
      try await fixture.run("export").split(separator: "\n").map { try JSONValue(Array($0.utf8))["id"].text })
    let expected = try export.split(separator: "\n").filter { !own.contains(try JSONValue(Array($0.utf8))["id"].text) }
    let file = "\(fixture.home.path)/posts.jsonl"
    try fixture.home.write(export, to: file)
    let new = expected.count
    #expect(new > 0)
    let first = try await fixture.run("import", file)
    let known = count - new
    #expect(
      first
        == "demo: \(new) \(new == 1 ? "post" : "posts") imported, \(known) \(known == 1 ? "was" : "were") already stored\n"
    )
    #expect(
      try await fixture.run("import", "-", "--account", "demo", input: .text(export))
        == "demo: 0 posts imported, \(count) were already stored\n")
    try fixture.home.write(String(export.prefix { $0 != "\n" }) + "\n", to: file)
    #expect(try await fixture.run("import", file) == "demo: 0 posts imported, 1 was already stored\n")
    #expect(try leftovers(fixture) == [])
    // All exported posts are present and unchanged.
    let here = Set(try await fixture.run("export").split(separator: "\n"))
    #expect(expected.allSatisfy { here.contains($0) })
    await fixture.end()
  }

  @Test("An export piped into an account without posts is imported and published", arguments: [true, false])
  func pipe(withService: Bool) async throws {
    let source = try await PostingFixture(withService: false, Self.members)
    let export = try await source.run("export", "demo")
    let home = try TestInstallation()
    let daemon = withService ? try await RunningDaemon(home) : nil
    let count = export.split(separator: "\n").count
    let outcome = try await home.start(["import", "-"], input: .text(export)).end()
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(outcome.output == "demo: \(count) posts imported\n")
    #expect(try await home.run("export").output == export)
    let ids = try source.home.publishedIDs().prefix(20)
    #expect(try JSONValue(file: home.timeline)["posts"].items.map { $0["id"].text } == Array(ids))
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
  }

  @Test(
    "If a line is invalid, `homeline import` prints the line's number, imports nothing and exits with 65",
    arguments: [true, false],
    [true, false])
  func broken(withService: Bool, throughPipe: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, Self.members)
    let before = try await fixture.run("export")
    var lines = Self.lines(1...300)
    lines[2] = #"{"id":"3","created_at":"yesterday"}"#
    let text = lines.joined(separator: "\n")
    let file = "\(fixture.home.path)/posts.jsonl"
    try fixture.home.write(text, to: file)
    let outcome = try await fixture.home.start(
      ["import", throughPipe ? "-" : file], input: throughPipe ? .text(text) : .nothing
    ).end()
    #expect(outcome.code == 65 && outcome.output == "")
    #expect(outcome.error.contains("\(throughPipe ? "standard input" : file), line 3: "), "\(outcome.error)")
    #expect(outcome.error.contains("Nothing was imported"))
    #expect(try await fixture.run("export") == before)
    #expect(try leftovers(fixture) == [])
    await fixture.end()
  }

  @Test(
    "`homeline import` exits with 74 for a missing file and 64 for an unknown account, and leaves no files behind",
    arguments: [true, false])
  func notThere(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, Self.members)
    let missing = try await fixture.home.run("import", "/nonexistent/posts.jsonl")
    #expect(missing.code == 74 && missing.error.contains("/nonexistent/posts.jsonl"), "\(missing.error)")
    let unknown = try await fixture.home.run("import", "/dev/null", "--account", "dmo")
    #expect(unknown.code == 64 && unknown.error.contains("demo"), "\(unknown.error)")
    #expect(try leftovers(fixture) == [])
    #expect(try await fixture.run("import", "/dev/null") == "demo: 0 posts imported\n")
    #expect(try leftovers(fixture) == [])
    await fixture.end()
  }

  @Test("`homeline import` refuses an account that the service does not know yet, and leaves no staged files behind")
  func unknownToTheService() async throws {
    let fixture = try await PostingFixture(withService: true, Self.members)
    try fixture.configure(["demo", "later"], Self.members)
    let file = "\(fixture.home.path)/posts.jsonl"
    try fixture.home.write(Self.lines(1...5).joined(separator: "\n"), to: file)
    let refused = try await fixture.home.run("import", file, "--account", "later")
    #expect(refused.code == 64 && refused.error.contains("there is no account \"later\""), "\(refused.error)")
    #expect(try fixture.home.files(below: "\(fixture.home.path)/data/homeline/later") == [])
    try await fixture.reload()
    #expect(try await fixture.run("import", file, "--account", "later") == "later: 5 posts imported\n")
    #expect(File.exists(file))
    await fixture.end()
  }

  @Test("The service neither imports nor deletes a file that was not staged")
  func otherFile() async throws {
    let fixture = try await PostingFixture(withService: true, Self.members)
    let response = try await #require(fixture.daemon).request("import", #"{"account":"demo","file":"timeline.db"}"#)
    #expect(response.contains(#""exit":65"#), "\(response)")
    #expect(File.exists(fixture.home.database))
    try await fixture.run("refresh")
    await fixture.end()
  }

  @Test("If the archive comes from a newer version, an import leaves it unchanged and exits with 78")
  func newerArchive() async throws {
    let fixture = try await PostingFixture(withService: false, Self.members)
    try await fixture.home.sql("PRAGMA user_version = 999")
    let file = "\(fixture.home.path)/posts.jsonl"
    try fixture.home.write(Self.lines(1...5).joined(separator: "\n"), to: file)
    let refused = try await fixture.home.run("import", file)
    #expect(refused.code == 78, "\(refused.error)")
    #expect(try leftovers(fixture) == [])
  }

  @Test(
    "The next start removes the files of a killed import", arguments: [true, false])
  func killed(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, Self.members)
    let before = try await fixture.run("export")
    let program = try fixture.home.start(["import", "-"], input: .open)
    program.type(Self.lines(1...3000).joined(separator: "\n") + "\n")
    #expect(try await eventually { try !leftovers(fixture).isEmpty })
    program.signal(SIGKILL)
    #expect(await program.end().code == 128 + SIGKILL)
    #expect(try !leftovers(fixture).isEmpty)
    await fixture.end()
    // The next state owner removes the files.
    if withService {
      let daemon = try await RunningDaemon(fixture.home)
      #expect(try await eventually { try leftovers(fixture).isEmpty })
      #expect(await daemon.stop().outcome.code == 0)
    } else {
      try await fixture.run("refresh")
      #expect(try leftovers(fixture) == [])
    }
    #expect(try await fixture.run("export") == before)
  }

  @Test("Refreshes continue during an import of thousands of posts")
  func many() async throws {
    let fixture = try await PostingFixture(withService: true, Self.members)
    let file = "\(fixture.home.path)/posts.jsonl"
    try fixture.home.write(Self.lines(1...5000).joined(separator: "\n") + "\n", to: file)
    let program = try fixture.home.start(["import", file])
    var refreshes = 0
    repeat {
      fixture.post(1)
      #expect(try await fixture.run("refresh").hasPrefix("demo: 1 new post,"))
      refreshes += 1
    } while program.isRunning
    let outcome = await program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == "demo: 5000 posts imported\n")
    #expect(refreshes > 0)
    #expect(
      try await fixture.home.sql("SELECT count(*) FROM posts WHERE length(key) > 0 AND created_at < 1560000000000")
        == "5000\n")
    // Imported posts do not make the service request the posts between them and the newest one.
    #expect(try fixture.home.published()["posts"].items.count == 30)
    #expect(try leftovers(fixture) == [])
    await fixture.end()
  }
}
