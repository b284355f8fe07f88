import Glibc
import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// A service killed at each step of publishing a post with a file, and then restarted.
@Suite("A service killed while posting a file", .timeLimit(.minutes(8)), .serialized) struct KilledUploadTests {
  /// The moment when the service is killed. Unless stated otherwise, the server has processed the request.
  enum Step: CaseIterable {
    /// The service is killed before the server processes the upload.
    case beforeUpload
    /// The service is killed when half of the file has arrived.
    case inUpload
    /// The service is killed before the response to the upload.
    case afterUpload
    /// The service is killed while the server processes the file.
    case inProcessing
    /// The service is killed after the upload and before the post.
    case beforePost
    /// The service is killed before the server processes the post.
    case inPost
    /// The service is killed before the response to the post.
    case afterPost
    case done

    /// Returns whether the service is killed at this request.
    func isReached(by request: RequestRecord) -> Bool {
      let path = request.path.prefix { $0 != "?" }
      return switch self {
      case .beforeUpload, .afterUpload: path == "/api/v2/media"
      case .inProcessing: path.hasPrefix("/api/v1/media/")
      case .beforePost: path.hasSuffix("/statuses") && request.method == .get
      case .inPost, .afterPost: path == "/api/v1/statuses"
      case .inUpload, .done: false
      }
    }
  }

  @Test(
    "A file post is published once despite SIGKILL; after a lost response and without idempotency keys, its outcome stays unknown",
    arguments: Step.allCases, [MastodonFlavour.mastodon, .goToSocial])
  func killed(step: Step, flavour: MastodonFlavour) async throws {
    // GoToSocial does not process files after the upload.
    if flavour == .goToSocial, step == .inProcessing { return }
    let killer = ServiceKiller { step.isReached(by: $0) }
    let fixture = try await PostingHome(flavour, scopes: "write") { killer.note($0) }
    let path = try fixture.home.file("a.mp4", PostFile.video(1_000_000))
    fixture.server.with { $0.processVideos(polls: 1) }
    let first = try await RunningDaemon(fixture.home)
    killer.aim(at: first)
    switch step {
    case .beforeUpload: fixture.server.withFaults { $0.add(.drop(worked: false), to: "/api/v2/media") }
    case .inPost: fixture.server.withFaults { $0.add(.drop(worked: false), to: PostingHome.path) }
    case .inUpload:
      fixture.server.atHalf { _ in
        killer.strike()
        return true
      }
    default: break
    }
    let command = try fixture.home.start(["post", "ann", "Survives.", "--media", path])
    let outcome = await command.end()
    if step == .done {
      #expect(outcome.code == 0, "\(outcome.error)")
    } else {
      #expect(killer.hasStruck)
    }
    // The lock becomes free once the process has ended.
    await first.stop(SIGKILL)
    fixture.server.atHalf(nil)

    let second = try await RunningDaemon(fixture.home)
    let isLost = step == .inPost && flavour == .goToSocial
    let state = isLost ? " unknown \"Survives.\"" : " posted \"Survives.\""
    #expect(try await eventually(within: .seconds(60)) { try await fixture.outbox().contains(state) }, "\(second.log)")
    await second.stop()
    #expect(fixture.published == (isLost ? [] : ["Survives."]))
    if !isLost { #expect(fixture.server.with { $0.publishedMedia.map(\.count) } == [1]) }
    // A confirmed upload is not repeated.
    let count = fixture.server.with { $0.uploadedFiles.count }
    #expect(count == (step == .afterUpload ? 2 : 1))
  }
}
