import Glibc
import Platform
import TestSupport
import Testing
import Timeline

/// An account's published formats: when they are created, kept and deleted.
@Suite("Published formats over refreshes", .timeLimit(.minutes(4))) struct PublishingRoadTests {
  private static let all = #""keep_posts": 20, "publish": ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#
  private static let noPictures = #""media": {"megabytes": 0}"#
  private static let names = Set(PublishedFormat.allCases.map(\.fileName) + ["home_timeline.json"])

  private func road(_ withService: Bool, _ members: String = PublishingRoadTests.all) async throws -> PostingHome {
    try await PostingHome(withService: withService, members, more: Self.noPictures)
  }

  private func facts(_ file: String) throws -> stat {
    var facts = stat()
    try #require(lstat(file, &facts) == 0, "\(file)")
    return facts
  }

  @Test(
    "A refresh publishes every configured format completely, readable only by its user", .needs("jq"),
    arguments: [true, false])
  func all(withService: Bool) async throws {
    let road = try await road(withService)
    let folder = road.folder()
    #expect(Set(try road.home.names(in: folder)) == Self.names)
    #expect(try facts(folder).st_mode & 0o777 == 0o700)
    for name in Self.names {
      #expect(try facts("\(folder)/\(name)").st_mode & 0o7777 == 0o600, "\(name)")
      #expect(try road.home.read("\(folder)/\(name)").hasSuffix("\n"), "\(name)")
    }
    let count = { (file: String, filter: String) in
      let outcome = try await ProgramRun.run(
        "jq", ["-r", "-s", filter, "\(folder)/\(file)"], environment: road.home.environment())
      #expect(outcome.code == 0 && outcome.error == "", "\(file): \(outcome.error)")
      return outcome.output
    }
    #expect(try await count("home_timeline.json", ".[0].posts | length") == "20\n")
    #expect(try await count("home_timeline.jsonl", "length") == "20\n")
    #expect(try await count("home_timeline.feed.json", ".[0].items | length") == "20\n")
    #expect(try await count("bar.json", ".[0].text") == "20\n")
    #expect(try road.home.read("\(folder)/home_timeline.txt").split(separator: "\n").count == 20)
    #expect(try road.home.read("\(folder)/home_timeline.atom").ranges(of: "<entry").count == 20)
    #expect(try road.home.read("\(folder)/home_timeline.html").hasSuffix("</html>\n"))
    await road.end()
  }

  @Test(
    "A format removed from the configuration is deleted with the next publication, and returns when it is added again",
    arguments: [true, false])
  func takenOut(withService: Bool) async throws {
    let road = try await road(withService)
    try road.configure(["demo"], #""keep_posts": 20, "publish": ["txt"]"#, more: Self.noPictures)
    if let daemon = road.daemon {
      daemon.program.signal(SIGHUP)
      #expect(await daemon.program.line(containing: "was read again", on: .error) != nil)
    }
    try await road.run("refresh")
    #expect(try road.home.names(in: road.folder()) == ["home_timeline.json", "home_timeline.txt"])
    try road.configure(["demo"], Self.all, more: Self.noPictures)
    try await road.reload()
    try await road.run("refresh")
    #expect(Set(try road.home.names(in: road.folder())) == Self.names)
    await road.end()
  }

  @Test(
    "A refresh without new posts does not rewrite the feeds, and one with a new post does",
    arguments: [true, false])
  func unchanged(withService: Bool) async throws {
    let road = try await road(withService)
    let feeds = ["jsonl", "atom", "feed.json", "txt"].map { "\(road.folder())/home_timeline.\($0)" }
    let before = try feeds.map { try facts($0) }
    #expect(try await road.run("refresh").hasPrefix("demo: nothing new"))
    for (feed, known) in zip(feeds, before) {
      let now = try facts(feed)
      #expect(now.st_ino == known.st_ino && now.st_mtim.tv_nsec == known.st_mtim.tv_nsec, "\(feed)")
    }
    road.post(1)
    try await road.run("refresh")
    for (feed, known) in zip(feeds, before) {
      let now = try facts(feed)
      #expect(now.st_ino != known.st_ino || now.st_mtim.tv_nsec != known.st_mtim.tv_nsec, "\(feed)")
    }
    await road.end()
  }

  @Test("The next refresh restores a deleted cache folder", arguments: [true, false])
  func deleted(withService: Bool) async throws {
    let road = try await road(withService)
    _ = try await road.home.shell("rm -r '\(road.home.path)/cache'")
    #expect(try await road.run("refresh").hasPrefix("demo: nothing new"))
    #expect(Set(try road.home.names(in: road.folder())) == Self.names)
    await road.end()
  }

  @Test(
    "When one format cannot be written, the refresh exits with 74, writes the others, and the next refresh repairs it",
    arguments: [true, false])
  func inTheWay(withService: Bool) async throws {
    let road = try await road(withService)
    let txt = "\(road.folder())/home_timeline.txt"
    _ = try await road.home.shell("rm '\(txt)'; mkdir -p '\(txt)/x'")
    road.post(1)
    let outcome = try await road.home.run("refresh")
    #expect(outcome.code == 74 && outcome.error.contains(txt), "\(outcome.code) \(outcome.error)")
    let newest = try #require(try road.ids().first)
    #expect(try road.home.read("\(road.folder())/home_timeline.jsonl").contains(newest))
    #expect(try road.home.names(in: road.folder()).allSatisfy { Self.names.contains($0) })
    _ = try await road.home.shell("rm -r '\(txt)'")
    try await road.run("refresh")
    #expect(try road.home.read(txt).split(separator: "\n").count == 20)
    await road.end()
  }

  @Test("keep_days and keep_archive remove old posts over refreshes", arguments: [true, false])
  func retention(withService: Bool) async throws {
    let road = try await PostingHome(withService: withService, #""keep_posts": 20, "keep_archive": false"#)
    for _ in 0..<3 {
      road.post(7)
      try await road.run("refresh")
      #expect(try await road.run("export").split(separator: "\n").count == 20)
    }
    #expect(try road.ids().count == 20)
    // Keeps posts for a year: imported older posts are removed, today's stay.
    try road.configure(["demo"], #""keep_posts": 20, "keep_days": 365"#)
    try await road.reload()
    let old = ImportRoadTests.lines(1...3).joined(separator: "\n")
    #expect(try await road.run("import", "-", input: .text(old)) == "demo: 3 posts imported\n")
    for wave in 1...2 {
      road.post(7)
      try await road.run("refresh")
      let export = try await road.run("export")
      #expect(export.split(separator: "\n").count == 20 + 7 * wave)
      #expect(!export.contains("imported number"))
    }
    await road.end()
  }
}
