import Glibc
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post` on Weibo.
@Suite("Posting on Weibo", .timeLimit(.minutes(3))) struct WeiboPostingTests {
  private final class Fixture: Sendable {
    let home: TestInstallation
    let server: SandboxServer<WeiboSandbox>

    /// - Parameters:
    ///   - more: additional members of the account.
    ///   - onRequest: called for each request before its response is sent.
    init(
      _ more: String = "", onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
    ) async throws {
      home = try TestInstallation()
      server = try SandboxServer(WeiboSandbox(redirects: ["http://127.0.0.1:1/callback"]), onRequest: onRequest)
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

  @Test("A post with a link to the safe domain is published, and is not duplicated by the next refresh")
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

  @Test("Without a configured domain, Weibo's own errors are reported, including the one about a repeated text")
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

  private static let text = "一 https://app.example/"

  @Test("A picture is published with the post, without metadata and under a random name")
  func picture() async throws {
    let fixture = try await Fixture(#", "weibo": { "rip": "203.0.113.7" }"#)
    fixture.server.with { $0.quirks.requiresUserAddress = true }
    let picture = PostFile.picture()
    // Bytes after the end of the picture are not part of it.
    let path = try fixture.home.file("holiday.png", picture + Array("location".utf8))
    let outcome = try await fixture.home.run("post", "bo", Self.text, "--media", path)
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(fixture.published == [Self.text])
    let file = try #require(fixture.server.with { $0.uploadedFiles }.first)
    #expect(file.content == picture && file.type == "image/png" && !file.name.contains("holiday"))
    #expect(try fixture.home.published("bo")["posts"].items.first?["media"].items.count == 1)
  }

  @Test("Files that Weibo does not accept are refused before anything is sent")
  func refusedMedia() async throws {
    let fixture = try await Fixture()
    let picture = try fixture.home.file("a.png", PostFile.picture())
    let video = try fixture.home.file("a.mp4", PostFile.video(10_000))
    for (arguments, message) in [
      (["--media", picture, "--media", picture], "Weibo allows 1 file in a post, not 2"),
      (["--media", video], "Weibo does not accept video/mp4"),
      (["--media", picture, "--alt", "Waves"], "Weibo does not support descriptions of files"),
    ] {
      let outcome = try await fixture.home.start(["post", "bo", Self.text] + arguments).end()
      #expect(outcome.code == 65 && outcome.error.contains(message), "\(outcome.error)")
    }
    let long = try await fixture.home.run(
      "post", "bo", String(repeating: "字", count: 140) + Self.text, "--media", picture)
    #expect(long.code == 65 && long.error.contains(" of 140 characters; shorten it by "), "\(long.error)")
    #expect(fixture.published == [] && fixture.server.with { $0.uploadedFiles } == [])
    #expect(try await fixture.home.run("outbox").output == "")
  }

  @Test("A post with a picture is not sent again if the connection broke or the response was lost")
  func lostPicture() async throws {
    let fixture = try await Fixture()
    let path = try fixture.home.file("a.gif", PostFile.animation(1_000_000))
    fixture.server.atHalf { _ in true }
    let broken = try await fixture.home.run("post", "bo", "二 https://app.example/", "--media", path)
    #expect(broken.code == 69 && broken.error.contains("may have been posted"), "\(broken.error)")
    fixture.server.atHalf(nil)
    fixture.server.withFaults {
      $0.add(.drop(worked: true), to: WeiboRoute.share.path)
      $0.add(.named(.uploadError), to: WeiboRoute.share.path)
    }
    let lost = try await fixture.home.run("post", "bo", Self.text, "--media", path)
    #expect(lost.code == 69 && lost.error.contains("may have been posted"), "\(lost.error)")
    let failed = try await fixture.home.run("post", "bo", "三 https://app.example/", "--media", path)
    #expect(failed.code == 69 && failed.error.contains("may have been posted"), "\(failed.error)")
    #expect(fixture.published == [Self.text] && fixture.server.with { $0.uploadedFiles.count } == 1)
  }

  /// The moment when the service is killed.
  enum Step: CaseIterable {
    /// Half of the picture has arrived.
    case inPicture
    /// The server has received the post and does not process it.
    case beforePublication
    /// The server has published the post and has not sent its response.
    case afterPublication
  }

  @Test(
    "If the service is killed while it posts a picture, the outcome stays unknown, and only other posts are sent",
    arguments: Step.allCases)
  func killed(step: Step) async throws {
    let killer = ServiceKiller { $0.path.hasPrefix(WeiboRoute.share.path) }
    let fixture = try await Fixture { killer.note($0) }
    let path = try fixture.home.file("a.gif", PostFile.animation(1_000_000))
    let first = try await RunningDaemon(fixture.home)
    killer.aim(at: first)
    switch step {
    case .inPicture:
      fixture.server.atHalf { _ in
        killer.strike()
        return true
      }
    case .beforePublication: fixture.server.withFaults { $0.add(.drop(worked: false), to: WeiboRoute.share.path) }
    case .afterPublication: break
    }
    _ = try await fixture.home.run("post", "bo", Self.text, "--media", path)
    #expect(killer.hasStruck)
    // The lock becomes free once the process has ended.
    await first.stop(SIGKILL)
    fixture.server.atHalf(nil)

    let second = try await RunningDaemon(fixture.home)
    #expect(
      try await eventually(within: .seconds(60)) { try await fixture.home.run("outbox").output.contains(" unknown ") },
      "\(second.log)")
    let other = try await fixture.home.run("post", "bo", "二 https://app.example/")
    #expect(other.code == 0, "\(other.error)")
    await second.stop()
    #expect(fixture.published == (step == .afterPublication ? [Self.text] : []) + ["二 https://app.example/"])
    #expect(try await fixture.home.run("outbox").output.contains(" unknown "))
  }

  @Test("A post whose response was lost is not sent again, and its outcome is unknown until a refresh shows it")
  func lostAnswer() async throws {
    let fixture = try await Fixture()
    fixture.server.withFaults { $0.add(.drop(worked: true), to: WeiboRoute.share.path) }
    let lost = try await fixture.home.run("post", "bo", "一 https://app.example/")
    #expect(lost.code == 69 && lost.error.contains("may have been posted"), "\(lost.error)")
    #expect(fixture.published == ["一 https://app.example/"])
    #expect(try await fixture.home.run("outbox").output.contains(" unknown "))
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try await fixture.home.run("outbox").output.contains(" posted "), "the timeline shows the post")
    #expect(fixture.published == ["一 https://app.example/"])
  }
}
