@testable import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// `homeline post` on Weibo.
@Suite("Posting on Weibo", .timeLimit(.minutes(3))) struct WeiboPostingTests {
  private final class Fixture: Sendable {
    let home: TestInstallation
    let server: SandboxServer<WeiboSandbox>

    init(_ more: String = "") async throws {
      home = try TestInstallation()
      server = try SandboxServer(WeiboSandbox(redirects: ["http://127.0.0.1:1/callback"]))
      server.with {
        $0.tokens.server.policy.redirectMatch = .anyLoopbackPort
        $0.quirks.silentAuthors = nil
      }
      let paths: [(String, WeiboRoute)] = [
        ("authorize", .authorize), ("token", .token), ("token_info", .tokenInfo), ("users_show", .usersShow),
        ("home_timeline", .homeTimeline),
      ]
      let endpoints = paths.map { #""\#($0)": "\#(server.baseURL)\#($1.path)""# }.joined(separator: ", ")
      try home.configure(
        """
        { "callback": { "port": 0 }, "accounts": { "bo": { "provider": "weibo", "client_id": "\(WeiboSandbox.clientID)",
          "client_secret": "\(WeiboSandbox.clientSecret)", "refresh_seconds": 86400, "keep_posts": 20,
          "endpoints": { \(endpoints) }\(more) } } }
        """)
      try await home.logIn()
    }

    deinit { server.stop() }

    var published: [String] { server.with { $0.publishedTexts } }
  }

  @Test("a post with a link to the safe domain is published, and is not duplicated by the next refresh")
  func published() async throws {
    let fixture = try await Fixture(#", "weibo": { "safe_domain": "app.example", "rip": "203.0.113.7" }"#)
    fixture.server.with { $0.quirks.requiresUserAddress = true }
    let text = "你好 & 再见 https://www.app.example/1?a=b"
    let outcome = try await fixture.home.run("post", "bo", text)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(fixture.published == [text])
    #expect(try fixture.home.published("bo")["posts"].items.first?["text"].text == text)
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try fixture.home.published("bo")["posts"].items.count { $0["text"].text == text } == 1)
    let other = try await fixture.home.run("post", "bo", "https://other.example/")
    #expect(other.code == 65 && other.error.contains("add a link to app.example"), "\(other.error)")
  }

  @Test("without a configured domain, Weibo's own refusal is reported, and so is a repeated text")
  func refused() async throws {
    let fixture = try await Fixture()
    let none = try await fixture.home.run("post", "bo", "你好")
    #expect(none.code == 65 && none.error.contains("only posts with a link"), "\(none.error)")
    let other = try await fixture.home.run("post", "bo", "https://other.example/")
    #expect(other.code == 65 && other.error.contains("text not find domain!"), "\(other.error)")
    #expect(try await fixture.home.run("post", "bo", "一 https://app.example/").code == 0)
    let again = try await fixture.home.run("post", "bo", "一 https://app.example/")
    #expect(again.code == 65 && again.error.contains("20019"), "\(again.error)")
    let reply = try await fixture.home.run("post", "bo", "https://app.example/", "--reply-to", "1")
    #expect(reply.code == 65 && reply.error.contains("does not let applications reply"), "\(reply.error)")
    let deletion = try await fixture.home.run("delete", "1")
    #expect(deletion.code == 78 && deletion.error.contains("does not let applications delete"), "\(deletion.error)")
    #expect(fixture.published == ["一 https://app.example/"])
  }

  @Test("a post whose response was lost stays unknown, and is not sent again")
  func lostAnswer() async throws {
    let fixture = try await Fixture()
    fixture.server.withFaults { $0.add(.drop(worked: true), to: WeiboRoute.share.path) }
    let lost = try await fixture.home.run("post", "bo", "一 https://app.example/")
    #expect(lost.code == 69 && lost.error.contains("may have been posted"), "\(lost.error)")
    #expect(fixture.published == ["一 https://app.example/"])
    #expect(try await fixture.home.run("outbox").output.contains(" unknown "))
  }
}
