import HTTP
import Platform
import TestSupport
import Testing
import Time
import Timeline

@testable import Formats

/// Feed readers that read the published Atom feed. newsboat, and the libraries of other readers, are in `PublishedFeedsTests`.
@Suite("Feed readers", .timeLimit(.minutes(3))) struct FeedReaderTests {
  private let folder = PublishedFolder()

  // MARK: Posts of every kind

  @Test(
    "elfeed lists the feed's posts, and after an update marks only new posts as unread",
    .enabled(if: FeedReaderTests.hasElfeed, "elfeed is not installed"))
  func elfeed() async throws {
    let versions = try publishVersions()
    let run = try await folder.run(
      "emacs", ["--batch", "--load", Repository.path("Tests/Peers/read_with_elfeed.el")] + versions.paths)
    try #require(run.code == 0, "\(run.error)")
    let read = try JSONValue(Array(run.output.utf8)).items.map(\.items)
    #expect(read.map(\.count) == [versions.first.count, versions.second.count])
    let entries = Dictionary(uniqueKeysWithValues: try #require(read.first).map { ($0["id"].text ?? "", $0) })
    for published in versions.first {
      let entry = try #require(entries[EntryID.of(published)])
      #expect(entry["title"].text == PostTitle.of(published.post))
      // Without an address of the post, elfeed opens the first related one.
      let links = ([published.post.url].compactMap { $0 } + published.alsoAt).compactMap(WebLink.init)
      #expect(entry["link"].text == links.first?.text)
      #expect(entry["date"].integer.map(Int64.init) == published.post.createdAt.seconds)
      #expect(entry["author"].text == PersonName.short(of: published.post.author))
      #expect(entry["content"].text == PostContent.html(of: published).text)
      #expect(entry["unread"] == .boolean(true))
    }
    let new = try #require(read.last).filter { $0["unread"] == .boolean(true) }.compactMap { $0["id"].text }
    #expect(Set(new) == Set(versions.new.map { EntryID.of($0) }))
  }

  @Test("rss2email delivers one mail for each post, and after an update only new posts", .needs("r2e"))
  func rss2email() async throws {
    let versions = try publishVersions()
    var delivered = Set<String>()
    for (path, posts) in zip(versions.paths, [versions.first, versions.new]) {
      try folder.write(String(decoding: try File.read(path, limit: 1 << 20), as: UTF8.self), to: "timeline.atom")
      let ids = try await Set(mails()).subtracting(delivered)
      #expect(ids == Set(posts.map { EntryID.of($0) }))
      delivered.formUnion(ids)
    }
  }

  // MARK: A real run

  @Test(
    "Each reader lists the posts that a login has published",
    .needs("xmllint"), .needs("r2e"), .enabled(if: FeedReaderTests.hasElfeed, "elfeed is not installed"))
  func published() async throws {
    let home = try TestInstallation()
    try home.configure(
      #"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "publish": ["atom"], "accounts": { "demo": { "provider": "sandbox" } } }"#
    )
    try await home.logIn()
    let feed = "\(home.cacheFolder)/home_timeline.atom"
    let expected = try home.publishedIDs().prefix(100)
    try folder.write(try home.read(feed), to: "timeline.atom")
    #expect(try await mails().count == expected.count)
    let run = try await folder.run(
      "emacs", ["--batch", "--load", Repository.path("Tests/Peers/read_with_elfeed.el"), feed])
    try #require(run.code == 0, "\(run.error)")
    let ids = try JSONValue(Array(run.output.utf8)).items.flatMap { $0.items.compactMap { $0["id"].text } }
    // The last part of an entry's id is the id of the post.
    #expect(Set(ids.compactMap { $0.split(separator: "/").last.map(String.init) }) == Set(expected))
    let grammar = Repository.path("Tests/Vectors/atom.rng")
    let valid = try await folder.run("xmllint", ["--noout", "--nonet", "--relaxng", grammar, feed])
    #expect(valid.code == 0, "\(valid.error)")
  }

  static let hasElfeed =
    ProgramSearch.find("emacs", in: ProcessEnvironment.variables()["PATH"] ?? "") != nil
    && ["elpa", "elpa-src"].contains { folder in
      (try? Folder.names(in: "/usr/share/emacs/site-lisp/\(folder)"))?.contains { $0.hasPrefix("elfeed-") } == true
    }

  /// Publishes two versions of a feed: the second one has new posts, and changes the others.
  private func publishVersions() throws -> (
    paths: [String], first: [PublishedPost], second: [PublishedPost], new: [PublishedPost]
  ) {
    let first = Array(PublishedFolder.posts.dropFirst(3))
    var changed = first
    for index in changed.indices {
      changed[index].post.url = "https://new.example/\(index)"
      changed[index].post.author = User(id: "6", screenName: "renamed", name: "Renamed")
    }
    let new = Array(PublishedFolder.posts.prefix(3))
    let second = new + changed
    let paths = try zip(["first", "second"], [first, second]).map { name, posts in
      try folder.write(
        String(decoding: PublishedFormat.atom.bytes(of: PublishedFolder.publication(posts)), as: UTF8.self), to: name)
      return "\(folder.path)/\(name)"
    }
    return (paths, first, second, new)
  }

  /// Runs rss2email with the feed `timeline.atom`, and returns the ids of all mails that it has delivered.
  private func mails() async throws -> [String] {
    let (settings, data, mail) = ("\(folder.path)/r2e.cfg", "\(folder.path)/r2e.json", "\(folder.path)/mail")
    if !File.exists(settings) {
      // rss2email writes a lock file to XDG_RUNTIME_DIR.
      try Folder.create("\(folder.path)/run")
      for name in ["cur", "new", "tmp"] { try Folder.create("\(mail)/Inbox/\(name)") }
      let text =
        "[DEFAULT]\nto = me@home.example\nemail-protocol = maildir\nmaildir-path = \(mail)\nmaildir-mailbox = Inbox\n"
      try folder.write(text, to: "r2e.cfg")
      let added = try await folder.run(
        "r2e", ["-c", settings, "-d", data, "add", "timeline", "file://\(folder.path)/timeline.atom"])
      try #require(added.code == 0, "\(added.error)")
    }
    let run = try await folder.run("r2e", ["-c", settings, "-d", data, "run"])
    try #require(run.code == 0, "\(run.error)")
    // A long header field is folded; the id continues on the next line (RFC 5322 §2.2.3).
    return try Folder.names(in: "\(mail)/Inbox/new").map { name in
      let text = String(decoding: try File.read("\(mail)/Inbox/new/\(name)", limit: 1 << 20), as: UTF8.self)
      let field = try #require(text.firstMatch(of: /\nX-RSS-ID:\s+(\S+)\n/))
      return String(field.1)
    }
  }
}
