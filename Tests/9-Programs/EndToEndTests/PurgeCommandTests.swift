import Glibc
import Platform
import TestSupport
import Testing
import Time

/// `homeline purge`, which removes posts from every file, with and without a service.
@Suite("Purging posts", .timeLimit(.minutes(4))) struct PurgeCommandTests {
  private static let members =
    #""keep_posts": 150, "publish": ["jsonl", "atom", "feed.json", "txt", "html", "bar.json"]"#
  private static let views =
    #""media": {"megabytes": 0}, "views": {"all": {"publish": ["jsonl", "html"], "fold_cross_posts": false}}"#

  private func fixture(_ withService: Bool, accounts: [String] = ["demo"]) async throws -> PostingFixture {
    try await PostingFixture(withService: withService, accounts: accounts, Self.members, more: Self.views)
  }

  /// Returns the published files, databases and logs whose bytes contain the text.
  private func files(with text: String, _ fixture: PostingFixture) async throws -> [String] {
    let folders = ["cache", "data"].map { "\(fixture.home.path)/\($0)" }
    let outcome = try await ProgramRun.run(
      "grep", ["-rlaF", "-e", text] + folders, environment: fixture.home.environment())
    try #require(outcome.code < 2, "\(outcome.error)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// Returns a post with unique text that every format writes identically.
  private func plainPost(_ fixture: PostingFixture) async throws -> JSONValue {
    let texts = try await fixture.run("export", "demo").split(separator: "\n").flatMap { line in
      let post = try JSONValue(Array(line.utf8))
      return [post["text"].text, post["quoted"]["text"].text].compactMap { $0 }
    }
    let posts = try fixture.home.published()["posts"].items
    return try #require(
      posts.dropFirst(2).first { post in
        guard let text = post["text"].text, post["reposted_by"] == .null, post["quoted"] == .null else { return false }
        return text.utf8.count > 20 && text.utf8.allSatisfy { $0 < 0x80 && !"&<>\"'/:@#\n".utf8.contains($0) }
          && texts.count { $0.contains(text) } == 1
      })
  }

  @Test(
    "A purged post disappears from all files, search and export, and is not restored by refreshes",
    arguments: [true, false])
  func post(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let post = try await plainPost(fixture)
    let id = try #require(post["id"].text)
    let text = try #require(post["text"].text)
    let phrase = "\"\(text.split(separator: " ").prefix(4).joined(separator: " "))\""
    // Before the purge, the text is in all these files. Views are published a little later than accounts.
    #expect(try await eventually { try await files(with: text, fixture).count >= 8 }, "\(text)")
    #expect(try await fixture.run("search", phrase) != "")

    #expect(try await fixture.run("purge", "--post", id, "--dry-run") == "demo: 1 post would be removed\n")
    #expect(try await files(with: text, fixture).count >= 8)
    #expect(try await fixture.run("purge", "--post", id) == "demo: 1 post removed\n")
    #expect(try await files(with: text, fixture) == [])
    #expect(!(try fixture.home.publishedIDs().contains(id)))
    #expect(try await fixture.run("search", phrase, "--format", "jsonl").contains(text) == false)
    #expect(try await fixture.run("export", "demo").contains(text) == false)

    fixture.post(2)
    try await fixture.run("refresh")
    // A refresh that fetches everything again does not restore the text.
    try await fixture.home.sql("DELETE FROM spans; UPDATE state SET entity_tag = NULL")
    try await fixture.run("refresh")
    #expect(try await files(with: text, fixture) == [])
    #expect(!(try fixture.home.publishedIDs().contains(id)))
    #expect(try await fixture.run("purge", "--post", id) == "demo: 0 posts removed\n")
    await fixture.end()
  }

  @Test(
    "Purging an author permanently removes all their posts, and purging an unknown author is not an error",
    arguments: [true, false])
  func author(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let name = try #require(try await plainPost(fixture)["author"]["screen_name"].text)
    let theirs = try fixture.home.published()["posts"].items.filter { post in
      [post["author"], post["reposted_by"], post["quoted"]["author"]].contains { $0["screen_name"].text == name }
    }
    let texts = theirs.compactMap { $0["author"]["screen_name"].text == name ? $0["text"].text : nil }
    #expect(!texts.isEmpty)
    let dry = try await fixture.run("purge", "--author", "@\(name.uppercased())", "--account", "demo", "--dry-run")
    let real = try await fixture.run("purge", "--author", "@\(name.uppercased())", "--account", "demo")
    #expect(dry.replacing("would be removed", with: "removed") == real)
    #expect(try await fixture.run("purge", "--author", "nobody_at_all") == "demo: 0 posts removed\n")
    let export = try await fixture.run("export", "demo")
    func check(_ roles: (JSONValue) -> [JSONValue]) throws {
      for post in try fixture.home.published()["posts"].items {
        for person in roles(post) { #expect(person["screen_name"].text != name) }
      }
    }
    try check { [$0["author"], $0["reposted_by"], $0["quoted"]["author"]] }
    // Another author's post with the same text is kept.
    for text in texts where text.utf8.allSatisfy({ $0 != 0x0a && $0 != 0x22 && $0 != 0x5c }) {
      if export.contains(text) { continue }
      let left = try await files(with: text, fixture)
      #expect(left == [], "\(text)")
    }
    #expect(try await fixture.run("search", "--from", name, "a OR the OR e*", "--format", "jsonl") == "")
    try await fixture.home.sql("DELETE FROM spans; UPDATE state SET entity_tag = NULL")
    try await fixture.run("refresh")
    try check { [$0["author"], $0["reposted_by"]] }
    await fixture.end()
  }

  @Test("Posts purged by date are not fetched again", arguments: [true, false])
  func before(withService: Bool) async throws {
    let fixture = try await fixture(withService)
    let posts = try fixture.home.published()["posts"].items
    let moment = try #require(posts[9]["created_at"].text)
    let dry = try await fixture.run("purge", "--before", moment, "--dry-run")
    #expect(try fixture.home.publishedIDs().count == 150)
    #expect(try await fixture.run("purge", "--before", moment) == dry.replacing("would be removed", with: "removed"))
    #expect(try fixture.home.publishedIDs() == posts.prefix(10).compactMap { $0["id"].text })
    #expect(try await fixture.run("export").split(separator: "\n").count == 10)
    try await fixture.home.sql("DELETE FROM spans; UPDATE state SET entity_tag = NULL")
    try await fixture.run("refresh")
    #expect(try fixture.home.publishedIDs() == posts.prefix(10).compactMap { $0["id"].text })
    let future = try await fixture.home.run("purge", "--before", "2099-01-01")
    #expect(future.code == 64 && future.error.contains("--before is in the future"))
    await fixture.end()
  }

  @Test("Purging an account deletes its pictures")
  func pictures() async throws {
    let fixture = try await PostingFixture(
      withService: true, #""keep_posts": 30, "publish": ["html"]"#, more: #""views": {"all": {}}"#)
    let folder = "\(fixture.home.path)/cache/homeline/_media"
    let pictures: @Sendable () throws -> [String] = {
      try fixture.home.files(below: folder).filter { $0.hasSuffix(".png") }
    }
    #expect(try await eventually { try pictures().count >= 5 })
    try await fixture.run("purge", "--account", "demo")
    #expect(try await eventually { try pictures().isEmpty })
    await fixture.end()
  }

  @Test("Purging one account keeps the posts of the others", arguments: [true, false])
  func account(withService: Bool) async throws {
    let fixture = try await fixture(withService, accounts: ["demo", "other"])
    let text = try #require(try await plainPost(fixture)["text"].text)
    let others = try fixture.home.publishedIDs("other")
    let dry = try await fixture.run("purge", "--account", "demo", "--dry-run")
    #expect(dry.hasPrefix("demo: ") && dry.hasSuffix(" posts would be removed\n"))
    #expect(try await fixture.run("purge", "--account", "demo") == dry.replacing("would be removed", with: "removed"))
    #expect(try fixture.home.publishedIDs() == [])
    #expect(try await files(with: text, fixture).allSatisfy { $0.contains("/other/") || $0.contains("/_views/") })
    #expect(try await fixture.run("export", "demo") == "")
    let view = try JSONValue(file: "\(fixture.home.viewFolder("all"))/home_timeline.json")["posts"].items
    let kept = try await fixture.run("export", "other").split(separator: "\n").map {
      try JSONValue(Array($0.utf8))["id"]
    }
    #expect(view.map { $0["id"] } == kept.prefix(200).map { $0 } && view.allSatisfy { $0["account"].text == "other" })
    #expect(try fixture.home.publishedIDs("other") == others)
    try await fixture.run("refresh")
    #expect(try fixture.home.publishedIDs() == [])
    await fixture.end()
  }

  @Test(
    "Without --account, `homeline purge` applies to every account; without a selection of posts, it exits with 64",
    arguments: [true, false])
  func all(withService: Bool) async throws {
    let fixture = try await fixture(withService, accounts: ["demo", "other"])
    let id = try #require(try await plainPost(fixture)["id"].text)
    let output = try await fixture.run("purge", "--post", id)
    #expect(Set(output.split(separator: "\n")) == ["demo: 1 post removed", "other: 1 post removed"])
    #expect(try await fixture.home.run("purge").code == 64)
    #expect(try await fixture.home.run("purge", "--post", "1", "--author", "x").code == 64)
    let unknown = try await fixture.home.run("purge", "--account", "nobody")
    #expect(unknown.code == 64 && unknown.error.contains("demo, other"), "\(unknown.error)")
    await fixture.end()
  }

  @Test("The next state owner completes an interrupted purge")
  func killed() async throws {
    let fixture = try await fixture(false)
    // The search index has three parts, so the purge takes three transactions.
    try fixture.home.write(
      ImportCommandTests.lines(1...12_000).joined(separator: "\n"), to: "\(fixture.home.path)/posts.jsonl")
    try await fixture.run("import", "\(fixture.home.path)/posts.jsonl", "--account", "demo")
    let count = try await Int(fixture.home.sql("SELECT kept FROM state").dropLast()) ?? 0
    let purge = try fixture.home.start(["purge", "--account", "demo"])
    #expect(try await eventually { try await fixture.home.sql("SELECT count(*) FROM purges") == "1\n" })
    purge.signal(SIGKILL)
    try #require(await purge.end().code == 128 + SIGKILL)
    #expect(try await fixture.home.sql("SELECT count(*) FROM purges") == "1\n")
    let left = try await Int(fixture.home.sql("SELECT kept FROM state").dropLast()) ?? 0
    #expect(left > 0 && left <= count)

    let refresh = try await fixture.home.run("refresh")
    #expect(refresh.code == 0 && refresh.error.contains("continuing an interrupted purge"), "\(refresh.error)")
    #expect(try await fixture.home.sql("SELECT count(*) FROM purges") == "0\n")
    #expect(try await fixture.run("export", "demo") == "")
    #expect(try fixture.home.publishedIDs() == [])
    #expect(try await files(with: "imported number", fixture).filter { !$0.hasSuffix("posts.jsonl") } == [])
    #expect(try await fixture.run("check", "--archive") == "demo: 0 posts, no damage\n")
  }
}
