import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post --media` with X's v2 API.
@Suite("Posting files on X", .timeLimit(.minutes(5))) struct XMediaTests {
  private static let scopes =
    #""scopes": ["tweet.read", "users.read", "offline.access", "tweet.write", "media.write"]"#

  private func fixture(_ more: String = scopes) async throws -> XFixture {
    let fixture = try XFixture(
      #""refresh_seconds": 86400, "keep_posts": 20, "first_fill_posts": 1, "budget": { "usd_per_day": 10 }, \#(more)"#)
    try await fixture.logIn()
    return fixture
  }

  private func published(_ fixture: XFixture) -> [String] {
    fixture.server.with { $0.publishedTexts.map { $0.trimmingTrailingSpaces() } }
  }

  @Test(
    "Pictures are uploaded without metadata but with descriptions, whose cost of 0.005 USD each is printed beforehand",
    .needs("sqlite3"))
  func pictures() async throws {
    let fixture = try await fixture()
    let (one, two) = (PostFile.picture("media/one"), PostFile.picture("media/two"))
    // Bytes after the end of the picture are not part of it.
    let first = try fixture.home.file("one.png", one + Array("location".utf8))
    let second = try fixture.home.file("two.png", two)
    let before = try await fixture.spent()
    let outcome = try await fixture.home.run(
      "post", "bird", "Two pictures.", "--media", first, "--alt", "Waves & \"wind\"", "--media", second)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error == "homeline: bird: this post costs 0.02 USD, including 0.005 USD for a description\n",
      "\(outcome.error)")
    #expect(published(fixture) == ["Two pictures."])
    #expect(fixture.server.with { $0.publishedMedia } == [["Waves & \"wind\"", nil]])
    let files = fixture.server.with { $0.uploadedFiles }
    #expect(files.map(\.content) == [one, two] && files.allSatisfy { $0.type == "image/png" })
    #expect(try await fixture.spent() - before == 20_000)
    #expect(try fixture.home.published("bird")["posts"].items.first?["text"].text == "Two pictures.")
    // The next refresh adds the pictures to the post instead of duplicating it.
    #expect(try await fixture.home.run("refresh").code == 0)
    let posts = try fixture.home.published("bird")["posts"].items.filter { $0["text"].text == "Two pictures." }
    #expect(posts.count == 1)
    #expect(posts.first?["media"].items.map { $0["alt"].text } == ["Waves & \"wind\"", nil])
  }

  @Test("A post with a file needs no text, and --dry-run uploads and costs nothing", .needs("sqlite3"))
  func noText() async throws {
    let fixture = try await fixture()
    let path = try fixture.home.file("a.png", PostFile.picture())
    let before = try await fixture.spent()
    let dry = try await fixture.home.run("post", "bird", "--media", path, "--dry-run")
    #expect(dry.code == 0 && fixture.server.with { $0.uploadedFiles } == [], "\(dry.error)")
    #expect(try await fixture.spent() == before)
    let outcome = try await fixture.home.run("post", "bird", "--media", path)
    #expect(outcome.code == 0 && fixture.server.with { $0.publishedMedia } == [[nil]], "\(outcome.error)")
  }

  @Test("memory use does not grow with the size of a video")
  func memory() async throws {
    let fixture = try await fixture()
    let daemon = try await RunningDaemon(fixture.home)
    let small = try fixture.home.file("small.png", PostFile.picture())
    #expect(try await fixture.home.run("post", "bird", "Small.", "--media", small).code == 0)
    let statistics = ProcessStatistics(process: daemon.program.process)
    let before = try statistics.peakMemory()
    let path = try fixture.home.file("large.mp4", PostFile.video(64_000_000))
    let outcome = try await fixture.home.run("post", "bird", "Large.", "--media", path)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try statistics.peakMemory() - before < 12_000 || Sanitizer.isOn)
    #expect(fixture.server.with { $0.uploadedFiles.last?.content.count } == 64_000_000)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("a video is uploaded in parts, a part that fails is repeated, and the post waits until the video is processed")
  func video() async throws {
    let fixture = try await fixture()
    let video = PostFile.video(11_000_000)
    let path = try fixture.home.file("a.mp4", video)
    // The first request for a part gets no response, the second fails, and the third breaks off halfway.
    let part = XMediaTests.partPath
    fixture.server.withFaults {
      $0.add(.drop(worked: true), to: part)
      $0.add(.named(.uploadError), to: part)
    }
    let halves = Locked(0)
    fixture.server.atHalf { _ in
      halves.withLock { count in
        count += 1
        return count == 3
      }
    }
    let outcome = try await fixture.home.run("post", "bird", "A video.", "--media", path)
    #expect(outcome.error.contains("files wait in the outbox") || outcome.code == 0, "\(outcome.error)")
    let id = try await fixture.home.run("outbox").output.split(separator: " ").first { $0.hasPrefix("out-") }
    if published(fixture) == [], let id {
      #expect(try await fixture.home.run("outbox", "--retry", String(id)).code == 0)
    }
    #expect(published(fixture) == ["A video."] && halves.withLock { $0 } > 3)
    #expect(fixture.server.with { $0.uploadedFiles.map(\.content) } == [video])
    // The upload was started only once, and the parts that X had confirmed were not sent again.
    #expect(fixture.count(of: .uploadStart) == 1 && fixture.count(of: .uploadState) == 3)
  }

  @Test("A video that X cannot process is not published, and X's reason is reported")
  func failedVideo() async throws {
    let fixture = try await fixture()
    let path = try fixture.home.file("a.mp4", PostFile.video(10_000))
    fixture.server.with { $0.processVideos(polls: 1, failing: true) }
    let outcome = try await fixture.home.run("post", "bird", "A video.", "--media", path)
    #expect(outcome.code == 65 && outcome.error.contains("Unsupported video format"), "\(outcome.error)")
    #expect(published(fixture) == [])
  }

  @Test(
    "A description whose response is lost is sent again, and both requests count as spent", .needs("sqlite3"))
  func lostDescription() async throws {
    let fixture = try await fixture()
    let path = try fixture.home.file("a.png", PostFile.picture())
    fixture.server.withFaults { $0.add(.drop(worked: true), to: .describeMedia) }
    let before = try await fixture.spent()
    let outcome = try await fixture.home.run("post", "bird", "A picture.", "--media", path, "--alt", "Waves")
    #expect(outcome.code == 0 && published(fixture) == ["A picture."], "\(outcome.error)")
    #expect(fixture.server.with { $0.publishedMedia } == [["Waves"]])
    #expect(try await fixture.spent() - before == 25_000)
  }

  @Test("Nothing is sent if X does not accept the files, or if the token does not allow it")
  func refused() async throws {
    let fixture = try await fixture()
    let picture = try fixture.home.file("a.png", PostFile.picture())
    let video = try fixture.home.file("a.mp4", PostFile.video(10_000))
    let many = try await fixture.home.start(
      ["post", "bird", "Many."] + Array(repeating: ["--media", picture], count: 5).flatMap { $0 }
    ).end()
    #expect(many.code == 65 && many.error.contains("X allows 4 files in a post, not 5"), "\(many.error)")
    let mixed = try await fixture.home.run("post", "bird", "Mixed.", "--media", picture, "--media", video)
    #expect(mixed.code == 65 && mixed.error.contains("only as the sole file of a post"), "\(mixed.error)")
    let alt = try await fixture.home.run("post", "bird", "Described.", "--media", video, "--alt", "Waves")
    #expect(alt.code == 65 && alt.error.contains("descriptions of pictures only"), "\(alt.error)")
    let other = try await self.fixture(
      #""scopes": ["tweet.read", "users.read", "offline.access", "tweet.write"]"#)
    let path = try other.home.file("a.png", PostFile.picture())
    let missing = try await other.home.run("post", "bird", "A picture.", "--media", path)
    #expect(missing.code == 77 && missing.error.contains("homeline login bird --allow posting"), "\(missing.error)")
    for fixture in [fixture, other] {
      #expect(fixture.server.with { $0.uploadedFiles } == [] && published(fixture) == [])
    }
  }

  @Test("With OAuth 1.0a, neither JSON nor the fields of multipart forms are signed, as the strict verifier demands")
  func oauth1() async throws {
    let fixture = try TwitterFixture()
    let routes: [(String, TwitterRoute)] = [
      ("request_token", .requestToken), ("authorize", .authorize), ("access_token", .accessToken),
      ("users_me", .usersMe),
    ]
    let endpoints = routes.map { #""\#($0)": "\#(fixture.sandbox.address(of: $1))""# }.joined(separator: ", ")
    try fixture.configure([
      (
        "demo",
        """
        { "provider": "x", "consumer_key": "sandbox", "consumer_secret": "\(TwitterFixture.consumerSecret)",
          "refresh_seconds": 86400, "first_fill_posts": 1, "endpoints": { \(endpoints),
            "home_timeline": "\(fixture.sandbox.baseURL)\(TwitterRoute.reverseChronological.rawValue)" } }
        """
      )
    ])
    try await fixture.home.logIn()
    let path = try fixture.home.file("a.png", PostFile.picture())
    let outcome = try await fixture.home.run("post", "demo", "A picture.", "--media", path, "--alt", "Waves")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(fixture.sandbox.with { $0.uploadedV2Files.map(\.content) } == [PostFile.picture()])
  }

  /// The path of the sandbox's first upload, whose id is fixed.
  fileprivate static let partPath = "/2/media/upload/710511363345354753/append"
}

extension String {
  /// Returns the text without trailing spaces. The sandbox puts a space between the text and the link to the files.
  fileprivate func trimmingTrailingSpaces() -> String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
