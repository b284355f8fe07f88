import Glibc
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// A service killed at each step of posting a file on X, which has no idempotency keys, and then restarted.
@Suite("A service killed while posting a file on X", .timeLimit(.minutes(8)), .serialized) struct KilledXUploadTests {
  /// The moment when the service is killed. Unless stated otherwise, the server has processed the request but not responded.
  enum Step: CaseIterable {
    case start
    /// Half of a part has arrived.
    case inPart
    case part
    case end
    case processing
    case description
    /// After the upload and before the post.
    case beforePost
    /// Before the server processes the post.
    case lostPost
    case post

    var isWithVideo: Bool { self == .inPart || self == .processing }

    func isReached(by request: RequestRecord) -> Bool {
      let path = request.path.prefix { $0 != "?" }
      return switch self {
      case .start: path == TwitterRoute.uploadStart.path
      case .inPart: false
      case .part: path.hasSuffix("/append")
      case .end: path.hasSuffix("/finalize")
      case .processing: path == TwitterRoute.uploadState.path
      case .description: path == TwitterRoute.describeMedia.path
      case .beforePost: path == TwitterRoute.ownTweets.path
      case .lostPost, .post: path == TwitterRoute.tweets.path
      }
    }
  }

  @Test(
    "A post is published only once despite SIGKILL; its outcome stays unknown if the publishing request was interrupted",
    arguments: Step.allCases)
  func killed(step: Step) async throws {
    let killer = ServiceKiller { step.isReached(by: $0) }
    let scopes = #""scopes": ["tweet.read", "users.read", "offline.access", "tweet.write", "media.write"]"#
    let fixture = try XFixture(
      #""refresh_seconds": 86400, "first_fill_posts": 1, "budget": { "usd_per_day": null }, \#(scopes)"#
    ) { killer.note($0) }
    try await fixture.logIn()
    let content = step.isWithVideo ? PostFile.video(1_000_000) : PostFile.picture()
    let path = try fixture.home.file("file", content)
    let first = try await RunningDaemon(fixture.home)
    killer.aim(at: first)
    if step == .lostPost { fixture.server.withFaults { $0.add(.drop(worked: false), to: .tweets) } }
    if step == .inPart {
      fixture.server.atHalf { _ in
        killer.strike()
        return true
      }
    }
    let description = step.isWithVideo ? [] : ["--alt", "Waves"]
    _ = await (try fixture.home.start(["post", "bird", "Survives.", "--media", path] + description)).end()
    #expect(killer.hasStruck)
    // The lock becomes free once the process has ended.
    await first.stop(SIGKILL)
    fixture.server.atHalf(nil)

    let second = try await RunningDaemon(fixture.home)
    let state = step == .lostPost ? " unknown \"Survives.\"" : " posted \"Survives.\""
    #expect(
      try await eventually(within: .seconds(60)) { try await fixture.home.run("outbox").output.contains(state) },
      "\(second.log)")
    await second.stop()
    let published = fixture.server.with { ($0.publishedTexts.count, $0.publishedMedia) }
    let media: [[String?]] = step == .lostPost ? [] : [[step.isWithVideo ? nil : "Waves"]]
    #expect(published.0 == media.count && published.1 == media)
    // A started upload is resumed, unless the service never learnt its id.
    #expect(fixture.count(of: .uploadStart) == (step == .start ? 2 : 1))
    #expect(fixture.server.with { $0.uploadedFiles.last?.content } == content)
  }
}
