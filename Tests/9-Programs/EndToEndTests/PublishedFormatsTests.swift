import Glibc
import Platform
import TestSupport
import Testing
import Timeline

/// An account's published formats, and when they are created, kept and deleted.
@Suite("Published formats", .timeLimit(.minutes(4))) struct PublishedFormatsTests {
  private static let all = #""keep_posts": 20, "publish": ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#
  private static let noPictures = #""media": {"megabytes": 0}"#
  private static let names = Set(
    PublishedFormat.allCases.map { $0.fileName(stem: TimelineName.homeStem) } + ["home_timeline.json"])

  private func fixture(_ withService: Bool, _ members: String = PublishedFormatsTests.all) async throws
    -> PostingFixture
  {
    try await PostingFixture(withService: withService, members, more: Self.noPictures)
  }

  private func facts(_ file: String) throws -> stat {
    var facts = stat()
    try #require(lstat(file, &facts) == 0, "\(file)")
    return facts
  }

  @Test(
    "A refresh publishes every configured format completely, readable only by the user", .needs("jq"),
    arguments: [true, false])
  func all(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    // The service writes deferred formats when it exits.
    await fixture.end()
    let folder = fixture.home.cacheFolder
    #expect(Set(try fixture.home.names(in: folder)) == Self.names)
    #expect(try facts(folder).st_mode & 0o777 == 0o700)
    for name in Self.names {
      #expect(try facts("\(folder)/\(name)").st_mode & 0o7777 == 0o600, "\(name)")
      #expect(try fixture.home.read("\(folder)/\(name)").hasSuffix("\n"), "\(name)")
    }
    let count = { (file: String, filter: String) in
      let outcome = try await ProgramRun.run(
        "jq", ["-r", "-s", filter, "\(folder)/\(file)"], environment: fixture.home.environment())
      #expect(outcome.code == 0 && outcome.error == "", "\(file): \(outcome.error)")
      return outcome.output
    }
    #expect(try await count("home_timeline.json", ".[0].posts | length") == "20\n")
    #expect(try await count("home_timeline.jsonl", "length") == "20\n")
    #expect(try await count("home_timeline.feed.json", ".[0].items | length") == "20\n")
    #expect(try await count("bar.json", ".[0].text") == "20\n")
    #expect(try fixture.home.read("\(folder)/home_timeline.txt").split(separator: "\n").count == 20)
    #expect(try fixture.home.read("\(folder)/home_timeline.atom").ranges(of: "<entry").count == 20)
    #expect(try fixture.home.read("\(folder)/home_timeline.html").hasSuffix("</html>\n"))
  }

  @Test("When a login ends, the feeds and the page contain the posts from its first refresh")
  func afterLogin() async throws {
    let fixture = try await fixture(true)
    fixture.post(2)
    // The files of the previous login exist, so only the end of this login can make the service write them immediately.
    try await #require(fixture.daemon).logIn()
    let newest = try #require(try fixture.home.publishedIDs().first)
    for name in ["home_timeline.atom", "home_timeline.feed.json", "home_timeline.html"] {
      #expect(try fixture.home.read("\(fixture.home.cacheFolder)/\(name)").contains(newest), "\(name)")
    }
    await fixture.end()
  }

  @Test(
    "The next publication deletes the file of a format removed from the configuration; adding the format restores the file",
    arguments: [true, false])
  func takenOut(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    try fixture.configure(["demo"], #""keep_posts": 20, "publish": ["txt"]"#, more: Self.noPictures)
    if let daemon = fixture.daemon {
      daemon.program.signal(SIGHUP)
      #expect(await daemon.program.line(containing: "reloaded /", on: .error) != nil)
    }
    try await fixture.run("refresh")
    #expect(try fixture.home.names(in: fixture.home.cacheFolder) == ["home_timeline.json", "home_timeline.txt"])
    try fixture.configure(["demo"], Self.all, more: Self.noPictures)
    try await fixture.reload()
    try await fixture.run("refresh")
    #expect(Set(try fixture.home.names(in: fixture.home.cacheFolder)) == Self.names)
    await fixture.end()
  }

  @Test(
    "Only a refresh with new posts rewrites the feeds",
    arguments: [true, false])
  func unchanged(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let feeds = ["jsonl", "atom", "feed.json", "txt"].map { "\(fixture.home.cacheFolder)/home_timeline.\($0)" }
    let before = try feeds.map { try facts($0) }
    #expect(try await fixture.run("refresh").hasPrefix("demo: nothing new"))
    for (feed, known) in zip(feeds, before) {
      let now = try facts(feed)
      #expect(now.st_ino == known.st_ino && now.st_mtim.tv_nsec == known.st_mtim.tv_nsec, "\(feed)")
    }
    fixture.post(1)
    try await fixture.run("refresh")
    await fixture.end()
    for (feed, known) in zip(feeds, before) {
      let now = try facts(feed)
      #expect(now.st_ino != known.st_ino || now.st_mtim.tv_nsec != known.st_mtim.tv_nsec, "\(feed)")
    }
  }

  @Test("A refresh restores a deleted cache folder", arguments: [true, false])
  func deleted(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    _ = try await fixture.home.shell("rm -r '\(fixture.home.path)/cache'")
    #expect(try await fixture.run("refresh").hasPrefix("demo: nothing new"))
    #expect(Set(try fixture.home.names(in: fixture.home.cacheFolder)) == Self.names)
    await fixture.end()
  }

  @Test(
    "If a format cannot be written, the refresh writes the others and exits with 74; the next refresh writes it",
    arguments: [true, false])
  func inTheWay(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let txt = "\(fixture.home.cacheFolder)/home_timeline.txt"
    _ = try await fixture.home.shell("rm '\(txt)'; mkdir -p '\(txt)/x'")
    fixture.post(1)
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 74 && outcome.error.contains(txt), "\(outcome.code) \(outcome.error)")
    let newest = try #require(try fixture.home.publishedIDs().first)
    let lines = "\(fixture.home.cacheFolder)/home_timeline.jsonl"
    // A service writes this format once for several refreshes.
    #expect(try withService || fixture.home.read(lines).contains(newest))
    #expect(try fixture.home.names(in: fixture.home.cacheFolder).allSatisfy { Self.names.contains($0) })
    _ = try await fixture.home.shell("rm -r '\(txt)'")
    try await fixture.run("refresh")
    #expect(try fixture.home.read(txt).split(separator: "\n").count == 20)
    #expect(try fixture.home.read(lines).contains(newest))
    await fixture.end()
  }

  @Test("keep_days and keep_archive remove old posts at each refresh", arguments: [true, false])
  func retention(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService, #""keep_posts": 20, "keep_archive": false"#)
    for _ in 0..<3 {
      fixture.post(7)
      try await fixture.run("refresh")
      #expect(try await fixture.run("export").split(separator: "\n").count == 20)
    }
    #expect(try fixture.home.publishedIDs().count == 20)
    // The archive keeps posts for a year, so older imported posts are removed and today's posts stay.
    try fixture.configure(["demo"], #""keep_posts": 20, "keep_days": 365"#)
    try await fixture.reload()
    let old = ImportCommandTests.lines(1...3).joined(separator: "\n")
    #expect(try await fixture.run("import", "-", input: .text(old)) == "demo: 3 posts imported\n")
    for wave in 1...2 {
      fixture.post(7)
      try await fixture.run("refresh")
      let export = try await fixture.run("export")
      #expect(export.split(separator: "\n").count == 20 + 7 * wave)
      #expect(!export.contains("imported number"))
    }
    await fixture.end()
  }
}
