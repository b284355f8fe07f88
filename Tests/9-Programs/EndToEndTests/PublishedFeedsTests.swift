import HTTP
import Platform
import TestSupport
import Testing
import Time
import Timeline

@testable import Formats

/// Published feeds, read and validated by third-party programs.
@Suite("Published feeds", .timeLimit(.minutes(2))) struct PublishedFeedsTests {
  private let folder = PublishedFolder()

  @Test(
    "The Atom feed is valid according to RFC 4287, both with posts of every kind and without posts",
    .needs("xmllint"))
  func valid() async throws {
    for posts in [PublishedFolder.posts, []] {
      try folder.publish(PublishedFolder.publication(posts), as: [.atom])
      let outcome = try await xmllint(folder.path(of: .atom))
      #expect(outcome.code == 0, "\(outcome.error)")
    }
  }

  @Test("The Atom validator refuses feeds with errors", .needs("xmllint"))
  func validator() async throws {
    let feed = String(decoding: PublishedFormat.atom.bytes(of: PublishedFolder.publication()), as: UTF8.self)
    for (part, wrong) in [
      ("<generator>", "<generator> "), ("<id>", "<id>tag:x</id><id>"), ("<id>tag:", "<id>"),
      ("00Z</published>", "</published>"),
      ("16:00:00Z</published>", "16:00:00</published>"), ("<published>", "<issued>x</issued><published>"),
      (" type=\"html\"", " type=\"markdown\""), ("rel=\"alternate\"", "rel=\"related\" rev=\"x\""),
      ("<name>", "<nick>x</nick><name>"), ("rel=\"related\"", "rel=\"alternate\""),
      ("xml:lang=\"ja\"", "xml:lang=\"j p\""),
      ("<content", "<summary>x</summary><summary>y</summary><content"),
    ] {
      let broken = try #require(feed.replacingFirst(part, with: wrong), "\(part) is not in the feed")
      try folder.write(broken, to: "broken.atom")
      let outcome = try await xmllint("\(folder.path)/broken.atom")
      // The space after `<generator>` is valid, so the validator refuses only real errors.
      #expect((outcome.code == 0) == (part == "<generator>"), "\(part): \(outcome.error)")
    }
  }

  @Test("feedparser reads the published posts from the Atom feed without warnings", .needsPeers)
  func atom() async throws {
    let posts = PublishedFolder.posts
    try folder.publish(PublishedFolder.publication(posts), as: [.atom])
    let feed = try await read("atom")
    #expect(feed["version"].text == "atom10" && feed["title"].text == "Me & \"I\"'s home timeline")
    #expect(feed["updated"].text == "2026-11-20T16:01:30Z" && feed["author"].text == "Me & \"I\"")
    #expect(feed["entries"].items.count == posts.count)
    for (entry, published) in zip(feed["entries"].items, posts) {
      try compare(entry, published)
      #expect(entry["title"].text == PostTitle.of(published.post))
      #expect(entry["updated"].text == (published.post.editedAt ?? published.post.createdAt).rfc3339)
      #expect(entry["related"].items.map(\.text) == published.alsoAt.compactMap { WebLink($0)?.text })
    }
    #expect(Set(feed["entries"].items.map { $0["id"].text }).count == posts.count)
  }

  @Test("feedparser-rs reads the published posts from the JSON Feed without warnings", .needsPeers)
  func json() async throws {
    let posts = PublishedFolder.posts
    try folder.publish(PublishedFolder.publication(posts), as: [.jsonFeed])
    let feed = try await read("json")
    #expect(feed["version"].text == "json11" && feed["title"].text == "Me & \"I\"'s home timeline")
    #expect(feed["entries"].items.count == posts.count)
    for (entry, published) in zip(feed["entries"].items, posts) {
      try compare(entry, published)
      #expect(entry["text"].text == PostContent.text(of: published))
    }
    let enclosures = feed["entries"].items[0]["enclosures"].items.map { $0.items.map(\.text) }
    #expect(enclosures == [["https://i.example/1.jpg?a&b", "image/jpeg"], ["https://i.example/2.mp3", "audio/mpeg"]])
  }

  @Test(
    "newsboat lists the feed's posts, and after an update marks only new posts as unread", .needs("newsboat"),
    .needs("sqlite3"))
  func newsboat() async throws {
    try folder.write("file://\(folder.path(of: .atom))\n", to: "urls")
    try folder.write("", to: "config")
    var posts = Array(PublishedFolder.posts.dropFirst(3))
    let first = try await newsboat(PublishedFolder.publication(posts), unread: posts.count)
    #expect(first.map { $0["guid"].text } == posts.map { EntryID.of($0) }.sorted())
    for (item, published) in zip(first, posts.sorted { EntryID.of($0) < EntryID.of($1) }) {
      #expect(item["pubDate"].integer.map(Int64.init) == published.post.createdAt.seconds, "\(item)")
      #expect(item["title"].text == PostTitle.of(published.post), "\(item)")
      #expect(item["url"].text == published.post.url.flatMap(WebLink.init)?.text ?? "", "\(item)")
    }
    // A changed post must not become a new entry.
    for index in posts.indices {
      posts[index].post.url = "https://new.example/\(index)"
      posts[index].post.author = User(id: "6", screenName: "renamed", name: "Renamed")
      posts[index].isUnread = false
    }
    posts = PublishedFolder.posts.prefix(3) + posts
    let second = try await newsboat(PublishedFolder.publication(posts), unread: posts.count)
    #expect(second.map { $0["guid"].text } == posts.map { EntryID.of($0) }.sorted())
  }

  @Test(
    "feedparser and newsboat list the posts that a refresh has published of a list, apart from those of home",
    .needsPeers, .needs("newsboat"), .needs("sqlite3"), .needs("xmllint"))
  func list() async throws {
    let home = try TestInstallation(
      account: #""keep_posts": 20, "timelines": { "home": {}, "list:Friends": { "publish": ["atom"] } }"#)
    try await home.logIn()
    let refresh = try await home.run("refresh", "demo/list:Friends")
    try #require(refresh.code == 0, "\(refresh.error)")
    let feed = "\(home.cacheFolder)/list-Friends.atom"
    let posts = try JSONValue(file: "\(home.cacheFolder)/list-Friends.json")["posts"].items
    try #require(!posts.isEmpty)
    let valid = try await xmllint(feed)
    #expect(valid.code == 0, "\(valid.error)")

    let read = try await read("atom", feed)
    #expect(read["title"].text?.contains("Friends") == true, "\(read["title"])")
    let entries = read["entries"].items
    #expect(entries.map { $0["link"].text } == posts.map { $0["url"].text })
    #expect(entries.map { $0["published"].text } == posts.map { $0["created_at"].text })
    // An entry has the id of the post's entry in any other feed of the account.
    let ids = try posts.map { "tag:homeline.invalid,2026:post/demo/\(try #require($0["id"].text))" }
    #expect(entries.map { $0["id"].text } == ids)

    try folder.write("file://\(feed)\n", to: "urls")
    try folder.write("", to: "config")
    let items = try await newsboat(unread: posts.count)
    #expect(items.map { $0["guid"].text } == ids.sorted())
    #expect(!File.exists("\(home.cacheFolder)/home_timeline.atom"))
    #expect(try home.publishedIDs().contains { !ids.contains("tag:homeline.invalid,2026:post/demo/\($0)") })
  }

  /// Publishes a feed, and reads it with newsboat.
  private func newsboat(_ publication: Publication, unread: Int) async throws -> [JSONValue] {
    try folder.publish(publication, as: [.atom])
    return try await newsboat(unread: unread)
  }

  /// Reloads the feed in `urls` with newsboat, and reads newsboat's cache.
  private func newsboat(unread: Int) async throws -> [JSONValue] {
    let cache = "\(folder.path)/cache.db"
    let reload = try await folder.run(
      "newsboat",
      ["-q", "-u", "\(folder.path)/urls", "-c", cache, "-C", "\(folder.path)/config", "-x", "reload", "print-unread"])
    try #require(reload.code == 0, "\(reload.error)")
    #expect(reload.output.hasPrefix("\(unread) unread"), "\(reload.output)")
    let rows = try await folder.run(
      "sqlite3", ["-json", cache, "select guid, title, url, pubDate from rss_item order by guid"])
    try #require(rows.code == 0, "\(rows.error)")
    return try JSONValue(Array(rows.output.utf8.dropLast())).items
  }

  /// Compares the members that Atom and JSON Feed have in common.
  private func compare(_ entry: JSONValue, _ published: PublishedPost) throws {
    #expect(entry["id"].text == EntryID.of(published))
    #expect(entry["link"].text == published.post.url.flatMap(WebLink.init)?.text)
    #expect(entry["published"].text == published.post.createdAt.rfc3339)
    #expect(entry["author"].text == PersonName.short(of: published.post.author))
    #expect(entry["html"].text == PostContent.html(of: published).text)
  }

  private func read(_ format: String) async throws -> JSONValue {
    try await read(format, folder.path(of: format == "atom" ? .atom : .jsonFeed))
  }

  private func read(_ format: String, _ path: String) async throws -> JSONValue {
    let outcome = await (try Peers.start("read_feeds.py", [format, path], input: .nothing)).end()
    try #require(outcome.code == 0, "\(outcome.error)")
    let feed = try JSONValue(Array(outcome.output.utf8))
    #expect(feed["bozo"] == .boolean(false), "\(feed["problem"])")
    return feed
  }

  /// Checks that a feed is well-formed and conforms to the grammar.
  private func xmllint(_ path: String) async throws -> ProgramRun.Outcome {
    let grammar = Repository.path("Tests/Vectors/atom.rng")
    return try await folder.run("xmllint", ["--noout", "--nonet", "--relaxng", grammar, path])
  }
}

extension String {
  /// Returns the string with the first occurrence of `part` replaced; `nil` if there is none.
  fileprivate func replacingFirst(_ part: String, with other: String) -> String? {
    let bytes = Array(utf8)
    let wanted = Array(part.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: wanted) }
    return start.map {
      String(decoding: bytes[..<$0] + Array(other.utf8) + bytes[($0 + wanted.count)...], as: UTF8.self)
    }
  }
}
