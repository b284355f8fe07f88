import Folders
import Platform
import Settings
import TestSupport
import Testing
import Timeline

@testable import Web

@Suite("Feeds over HTTP") struct FeedPagesTests {
  private static let content = "<feed xmlns=\"http://www.w3.org/2005/Atom\"/>\n"

  /// Returns the page of an account that publishes an Atom feed, which is on the disk.
  private func fixture() throws -> WebFixture {
    let fixture = try WebFixture(publish: [.atom])
    let files = fixture.layout.files(of: "bird").home
    try Folder.create(files.folder)
    try AtomicFile.write(Array(Self.content.utf8), to: files.published(as: .atom), .replaced)
    return fixture
  }

  /// Sends a button of the page.
  private func press(_ action: String, of feed: String = "bird", _ fixture: WebFixture, _ cookie: String) throws -> Int
  {
    try fixture.send(
      "/feeds", method: "POST", [cookie, "Origin: http://127.0.0.1:\(fixture.port)"],
      body: "feed=\(feed)&action=\(action)"
    ).status
  }

  private func address(_ fixture: WebFixture, _ cookie: String) throws -> String? {
    try fixture.send("/feeds", [cookie]).text.firstMatch(
      of: /href="http:\/\/127\.0\.0\.1:\d+(\/f\/[0-9a-f]{32}\/atom\.xml)"/
    )
    .map { String($0.1) }
  }

  @Test("A feed reader gets the bytes on the disk without entering, and 304 until the file changes")
  func read() throws {
    let fixture = try fixture()
    let cookie = try fixture.enter()
    #expect(try address(fixture, cookie) == nil)
    #expect(try press("make", fixture, cookie) == 303)
    let path = try #require(try address(fixture, cookie))
    let feed = try fixture.send(path)
    #expect(feed.status == 200 && feed.text == Self.content)
    #expect(feed.field("Content-Type") == "application/atom+xml")
    #expect(feed.field("Cache-Control") == "private, no-cache")
    let tag = try #require(feed.field("ETag"))
    let same = try fixture.send(path, ["If-None-Match: \(tag)"])
    #expect(same.status == 304 && same.body.isEmpty && same.field("ETag") == tag)
    let head = try fixture.send(path, method: "HEAD")
    #expect(head.status == 200 && head.field("Content-Length") == "\(Self.content.utf8.count)")
    try AtomicFile.write(
      Array(Self.content.utf8), to: fixture.layout.files(of: "bird").home.published(as: .atom), .replaced)
    #expect(try fixture.send(path, ["If-None-Match: \(tag)"]).status == 200)
  }

  @Test("A feed's address opens nothing else, and stops working when it is revoked")
  func revoked() throws {
    let fixture = try fixture()
    let cookie = try fixture.enter()
    #expect(try press("make", fixture, cookie) == 303)
    let path = try #require(try address(fixture, cookie))
    let token = String(path.split(separator: "/")[1])
    for other in [
      "/", "/feeds", "/a/bird", "/f/\(token)", "/f/\(token)/feed.json", "/f/\(token)/..%2fx", "/x/\(token)",
    ] {
      #expect([403, 404].contains(try fixture.send(other).status), "\(other)")
    }
    #expect(try fixture.send("/enter?ticket=\(token)").status == 403)
    #expect(try fixture.send("/", ["Cookie: homeline-\(fixture.port)=\(token)"]).status == 403)
    #expect(try press("make", fixture, cookie) == 303)
    #expect(try address(fixture, cookie) == path)
    #expect(try FileStatus.of(fixture.layout.webFeeds).permissions == 0o600)
    // The address outlives the sessions and the process.
    _ = try fixture.listener.forget()
    #expect(try fixture.send(path).status == 200)
    #expect(FeedTokens(fixture.layout.webFeeds, log: .silent).source(of: token)?.text == "bird")
    let again = try fixture.enter()
    #expect(try press("revoke", fixture, again) == 303)
    #expect(try fixture.send(path).status == 404)
    #expect(try address(fixture, again) == nil)
    // Revoking does not depend on the disk.
    #expect(try press("make", fixture, again) == 303)
    let next = try #require(try address(fixture, again))
    try File.remove(fixture.layout.webFeeds)
    try Folder.create("\(fixture.layout.webFeeds)/occupied")
    #expect(try press("revoke", fixture, again) == 503)
    #expect(try fixture.send(next).status == 404)
  }

  @Test("Only published feeds get an address, and only with the page's own form")
  func refused() throws {
    let fixture = try fixture()
    let cookie = try fixture.enter()
    #expect(try press("make", of: "cat", fixture, cookie) == 404)
    #expect(try press("make", of: "../bird", fixture, cookie) == 400)
    #expect(try press("open", fixture, cookie) == 400)
    #expect(try fixture.send("/feeds", method: "POST", [cookie], body: "feed=bird&action=make").status == 403)
    #expect(!FreeName.isTaken(fixture.layout.webFeeds))
    #expect(try fixture.send("/f/0/atom.xml").status == 404)
  }

  @Test("The text of a source identifies it", arguments: ["bird", "bird/list:A/B", "bird/tag:x", "view quiet"])
  func sources(text: String) throws {
    #expect(FeedSource(text: text)?.text == text)
    for wrong in ["", "view ", "Bird", "bird/nothing", "view a/b"] { #expect(FeedSource(text: wrong) == nil) }
  }
}
