import HTTP
import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post` and the commands that act on posts, with X's v2 API.
@Suite("Posting on X", .timeLimit(.minutes(4))) struct XPostingTests {
  private static let path = TwitterRoute.tweets.path
  private static let writing =
    #""scopes": ["tweet.read", "users.read", "offline.access", "tweet.write", "bookmark.write"]"#

  private func fixture(_ more: String = writing, budget: String = "{}") async throws -> XFixture {
    let fixture = try XFixture(#""refresh_seconds": 86400, "keep_posts": 20, "budget": \#(budget), \#(more)"#)
    try await fixture.logIn()
    return fixture
  }

  private func published(_ fixture: XFixture) -> [String] { fixture.server.with { $0.publishedTexts } }

  @Test(
    "A post on X is published only once, appears in the files immediately, and is not duplicated by the next refresh")
  func published() async throws {
    let fixture = try await fixture()
    let text = #"a & b "c" \ é 😀 <i> #tag"#
    let outcome = try await fixture.home.run("post", "bird", text)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(published(fixture) == [text])
    let newest = try #require(try fixture.home.published("bird")["posts"].items.first)
    #expect(newest["text"].text == text && newest["author"]["screen_name"].text == "mira_demo")
    #expect(try await fixture.home.run("refresh").code == 0)
    let items = try fixture.home.published("bird")["posts"].items
    #expect(items.count { $0["text"].text == text } == 1)
    let id = try #require(items.first { $0["text"].text == text }?["id"].text)
    let reply = try await fixture.home.run("post", "bird", "Indeed.", "--reply-to", id)
    #expect(reply.code == 0 && !reply.error.contains("posted, but"), "\(reply.error)")
    #expect(try fixture.home.published("bird")["posts"].items.first?["in_reply_to"]["id"].text == id)
  }

  @Test("homeline looks among newer posts for a post whose response was lost, and never sends it again")
  func lostAnswer() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.home.run("post", "bird", "An earlier post.").code == 0)
    let another = Response(json: Array(#"{"data":{"id":"5","text":"Something else."}}"#.utf8), status: StatusCode(201))
    for (number, fault) in [SandboxFault.drop(worked: true), .named(.postError), .change { $0 = another }].enumerated()
    {
      fixture.server.withFaults { $0.add(fault, to: Self.path) }
      let found = try await fixture.home.run("post", "bird", "Only once: \(number).")
      #expect(found.code == 0, "\(found.error)")
    }
    #expect(published(fixture).count == 4)
    fixture.server.withFaults { $0.add(.drop(worked: false), to: Self.path) }
    let lost = try await fixture.home.run("post", "bird", "Perhaps.")
    #expect(lost.code == 69 && lost.error.contains("may have been posted"), "\(lost.error)")
    #expect(published(fixture).count == 4)
  }

  @Test("Without credit, a post waits in the outbox, and the command exits with 75")
  func noCredit() async throws {
    let fixture = try await fixture()
    fixture.server.withFaults { $0.add(.named(.creditsDepleted), to: Self.path) }
    let outcome = try await fixture.home.run("post", "bird", "Later.")
    #expect(outcome.code == 75 && outcome.error.contains("waits in the outbox"), "\(outcome.error)")
    #expect(outcome.error.contains("credit") && published(fixture) == [], "\(outcome.error)")
  }

  @Test("A duplicate is refused, and the command exits with 65")
  func duplicate() async throws {
    let fixture = try await fixture()
    #expect(try await fixture.home.run("post", "bird", "Again.").code == 0)
    let again = try await fixture.home.run("post", "bird", "Again.")
    #expect(again.code == 65 && again.error.contains("duplicate content"), "\(again.error)")
    let visibility = try await fixture.home.run("post", "bird", "Secret.", "--visibility", "direct")
    #expect(
      visibility.code == 65 && visibility.error.contains("X does not support the visibility direct"),
      "\(visibility.error)")
    #expect(published(fixture) == ["Again."])
  }

  @Test("Without the scope tweet.write, nothing is sent, and the message names the login that gets it")
  func missingScope() async throws {
    let fixture = try await fixture(#""first_fill_posts": 20"#)
    let outcome = try await fixture.home.run("post", "bird", "Hello.")
    #expect(outcome.code == 77 && outcome.error.contains("waits in the outbox"), "\(outcome.error)")
    #expect(outcome.error.contains("run: homeline login bird --allow posting"), "\(outcome.error)")
    #expect(published(fixture) == [])
    let bookmark = try await fixture.home.run("bookmark", "1")
    #expect(bookmark.code == 77 && bookmark.error.contains("homeline login bird --allow posting"), "\(bookmark.error)")
  }

  @Test("Posts can be deleted, reposted and bookmarked, and likes and quotes are refused before anything is sent")
  func actions() async throws {
    let fixture = try await fixture()
    let items = try fixture.home.published("bird")["posts"].items
    let other = try #require(items.first { $0["reposted_by"] == .null }?["id"].text)
    let number = try #require(UInt64(other))
    #expect(try await fixture.home.run("bookmark", other).code == 0)
    #expect(fixture.server.with { $0.bookmarks } == [number])
    #expect(try await fixture.home.run("bookmark", other, "--undo").code == 0)
    #expect(fixture.server.with { $0.bookmarks } == [])
    #expect(try await fixture.home.run("repost", other).code == 0)
    #expect(try await fixture.home.run("refresh").code == 0)
    let reposters = try fixture.home.published("bird")["posts"].items.map { $0["reposted_by"]["screen_name"].text }
    #expect(reposters.contains("mira_demo"))
    #expect(try await fixture.home.run("repost", other, "--undo").code == 0)
    let remaining = try fixture.home.published("bird")["posts"].items.map { $0["reposted_by"]["screen_name"].text }
    #expect(!remaining.contains("mira_demo"))
    // The archive knows whose post it is, so nothing is sent, and nothing is paid.
    let stranger = try await fixture.home.run("delete", other)
    #expect(stranger.code == 65 && stranger.error.contains("is not yours"), "\(stranger.error)")
    #expect(try await fixture.home.run("post", "bird", "To be deleted.").code == 0)
    let own = try #require(try fixture.home.publishedIDs("bird").first)
    #expect(try await fixture.home.run("delete", own).code == 0)
    #expect(try !fixture.home.publishedIDs("bird").contains(own) && published(fixture) == [])
    let like = try await fixture.home.run("like", other)
    #expect(like.code == 78 && like.error.contains("X no longer lets self-serve applications like"), "\(like.error)")
    let quote = try await fixture.home.run("post", "bird", "look https://x.com/kai/status/5", "--dry-run")
    #expect(quote.code == 65 && quote.error.contains("quote"), "\(quote.error)")
    let reply = try await fixture.home.run("post", "bird", "Uninvited.", "--reply-to", other)
    #expect(reply.code == 65 && reply.error.contains("you have not been mentioned"), "\(reply.error)")
  }
}
