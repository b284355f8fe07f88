import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post` on servers with Twitter's v1.1 API, which verify the signed form strictly.
@Suite("Posting with the v1.1 API", .timeLimit(.minutes(3))) struct TwitterPostingTests {
  private static let path = "/1.1/statuses/update.json"

  private func fixture(isGNUSocial: Bool = false) async throws -> TwitterFixture {
    var policy = TwitterFixture.unlimited
    policy.isGNUSocial = isGNUSocial
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#, policy: policy)
    try await fixture.home.logIn()
    return fixture
  }

  private func published(_ fixture: TwitterFixture) -> [String] { fixture.sandbox.with { $0.publishedTexts } }

  @Test(
    "A post with unusual characters is signed correctly, published only once, and appears in the files immediately",
    arguments: [false, true])
  func published(isGNUSocial: Bool) async throws {
    let fixture = try await fixture(isGNUSocial: isGNUSocial)
    let text = "a & b = c + d % \u{e9} \u{1F600} ~ 'quoted' https://example.org/x?y=1&z=2"
    let outcome = try await fixture.home.run("post", "demo", text)
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(published(fixture) == [text])
    #expect(try fixture.home.published()["posts"].items.first?["text"].text == text)
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try fixture.home.published()["posts"].items.count { $0["text"].text == text } == 1)
    let reply = try #require(try fixture.home.publishedIDs().last)
    #expect(try await fixture.home.run("post", "demo", "Indeed, a reply.", "--reply-to", reply).code == 0)
    #expect(try fixture.home.published()["posts"].items.first?["in_reply_to"] != .null)
  }

  @Test("homeline looks for a post whose response was lost, and never sends it again", arguments: [false, true])
  func lostAnswer(isGNUSocial: Bool) async throws {
    let fixture = try await fixture(isGNUSocial: isGNUSocial)
    fixture.sandbox.withFaults { $0.add(.drop(worked: true), to: Self.path) }
    let found = try await fixture.home.run("post", "demo", "Only once.")
    #expect(found.code == 0 && published(fixture) == ["Only once."], "\(found.error)")
    #expect(found.error.contains("; waiting until "), "the command says what it waits for: \(found.error)")
    let stranger = Response(
      json: Array(
        #"{"id":18,"created_at":"Thu Nov 26 09:12:00 +0000 2026","text":"Something else.","user":{"id":7,"screen_name":"kim"}}"#
          .utf8))
    fixture.sandbox.withFaults { $0.add(.respond(stranger), to: Self.path) }
    let lost = try await fixture.home.run("post", "demo", "Perhaps.")
    #expect(lost.code == 69 && lost.error.contains("may have been posted"), "\(lost.error)")
    #expect(published(fixture) == ["Only once."])
    #expect(try fixture.home.published()["posts"].items.allSatisfy { $0["text"].text != "Something else." })
  }

  @Test(
    "A post that is too long for Twitter or a GNU social site is refused before it is sent",
    arguments: [(false, 280), (true, 1_000)])
  func tooLong(isGNUSocial: Bool, limit: Int) async throws {
    let fixture = try await fixture(isGNUSocial: isGNUSocial)
    let dry = try await fixture.home.run("post", "demo", String(repeating: "é", count: limit), "--dry-run")
    #expect(dry.output.contains(", \(limit) of \(limit) characters"), "\(dry.output)\(dry.error)")
    let long = try await fixture.home.run("post", "demo", String(repeating: "é", count: limit + 1))
    #expect(long.code == 65 && long.error.contains("\(limit + 1) of \(limit) characters"), "\(long.error)")
    #expect(published(fixture) == [])
  }

  @Test(
    "Posts can be deleted, reposted and liked with the v1.1 API, but not bookmarked, and nothing is sent twice",
    arguments: [false, true])
  func actions(isGNUSocial: Bool) async throws {
    let fixture = try await fixture(isGNUSocial: isGNUSocial)
    let posts = try fixture.home.published()["posts"].items
    let other = try #require(posts.first { $0["reposted_by"] == .null }?["id"].text)
    #expect(try await fixture.home.run("like", other).code == 0)
    let liked = try await fixture.home.run("like", other)
    #expect(liked.code == 0 && liked.error == "homeline: demo: already liked\n", "\(liked.error)")
    let number = try #require(UInt64(other))
    #expect(fixture.sandbox.with { $0.likedPosts } == [number])
    #expect(try await fixture.home.run("like", other, "--undo").code == 0)
    #expect(fixture.sandbox.with { $0.likedPosts } == [])
    let repost = try await fixture.home.run("repost", other)
    #expect(repost.code == 0, "\(repost.error)")
    #expect(try fixture.home.published()["posts"].items.first?["reposted_by"]["screen_name"].text == "mira_demo")
    let again = try await fixture.home.run("repost", other)
    #expect(again.code == 0 && again.error == "homeline: demo: already reposted\n", "\(again.error)")
    let undone = try await fixture.home.run("repost", other, "--undo")
    #expect(undone.code == 0 && undone.error == "" && published(fixture) == [], "\(undone.error)")
    #expect(try fixture.home.published()["posts"].items.first?["reposted_by"]["screen_name"].text != "mira_demo")
    let stranger = try await fixture.home.run("delete", other)
    #expect(stranger.code == 65 && stranger.error.contains("not yours"), "\(stranger.error)")
    #expect(try await fixture.home.run("post", "demo", "To be deleted.").code == 0)
    let own = try #require(try fixture.home.publishedIDs().first)
    #expect(try await fixture.home.run("delete", own).code == 0)
    #expect(try !published(fixture).contains("To be deleted.") && !fixture.home.publishedIDs().contains(own))
    let bookmark = try await fixture.home.run("bookmark", other)
    #expect(bookmark.code == 78 && bookmark.error.contains("does not support bookmark"), "\(bookmark.error)")
  }

  @Test("A like and a repost of a post that was found as a repost can be undone", arguments: [false, true])
  func repostActions(isGNUSocial: Bool) async throws {
    let fixture = try await fixture(isGNUSocial: isGNUSocial)
    let posts = try fixture.home.published()["posts"].items
    let other = try #require(posts.first { $0["reposted_by"] != .null }?["id"].text)
    for (command, participle) in [("like", "liked"), ("repost", "reposted")] {
      #expect(try await fixture.home.run(command, other).error == "")
      let again = try await fixture.home.run(command, other)
      #expect(again.code == 0 && again.error == "homeline: demo: already \(participle)\n", "\(again.error)")
      let undone = try await fixture.home.run(command, other, "--undo")
      #expect(undone.code == 0 && undone.error == "", "\(undone.error)")
    }
    #expect(fixture.sandbox.with { $0.likedPosts } == [] && published(fixture) == [])
  }

  @Test(
    "GNU social commands, empty posts and duplicates are not published, and the user is informed"
  )
  func commands() async throws {
    let fixture = try await fixture(isGNUSocial: true)
    #expect(try await fixture.home.run("post", "demo", "The first.").code == 0)
    let command = try await fixture.home.run("post", "demo", "off")
    #expect(command.code == 65 && command.error.contains("interpreted the text as a command"), "\(command.error)")
    let zero = try await fixture.home.run("post", "demo", "0")
    #expect(zero.code == 65, "\(zero.error)")
    let duplicate = try await fixture.home.run("post", "demo", "The first.")
    #expect(duplicate.code == 65 && duplicate.error.contains("duplicate"), "\(duplicate.error)")
    let warning = try await fixture.home.run("post", "demo", "Careful.", "--warning", "spoiler")
    #expect(warning.code == 65 && warning.error.contains("does not support content warnings"), "\(warning.error)")
    #expect(published(fixture) == ["The first."])
  }
}
