import Glibc
import HTTP
import Platform
@testable import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The service is killed at each step of a post with a file, and started again.
@Suite("Killed while posting a file", .timeLimit(.minutes(8)), .serialized) struct KilledUploadTests {
  /// When the service is killed. The server has processed the request, except where it says otherwise.
  enum Step: CaseIterable {
    /// The server has not processed the upload.
    case beforeUpload
    /// Half of the file has arrived.
    case inUpload
    /// Before the response to the upload.
    case afterUpload
    /// While the server processes the file.
    case inProcessing
    /// After the upload and before the post.
    case beforePost
    /// The server has not processed the post.
    case inPost
    /// Before the response to the post.
    case afterPost
    case done
  }

  /// Kills the service when the server receives a request.
  private final class Killer: Sendable {
    private let step: Step
    private let victim = Locked<Int32?>(nil)
    let hasStruck = Locked(false)

    init(at step: Step) { self.step = step }

    func aim(at daemon: RunningDaemon) { victim.withLock { $0 = daemon.program.process } }

    func note(_ request: RequestRecord) {
      let path = request.path.prefix { $0 != "?" }
      switch step {
      case .beforeUpload, .afterUpload: if path == "/api/v2/media" { strike() }
      case .inProcessing: if path.hasPrefix("/api/v1/media/") { strike() }
      case .beforePost: if path.hasSuffix("/statuses"), request.method == .get { strike() }
      case .inPost, .afterPost: if path == "/api/v1/statuses" { strike() }
      case .inUpload, .done: break
      }
    }

    func strike() {
      victim.withLock { victim in
        guard let process = victim else { return }
        kill(process, SIGKILL)
        victim = nil
        hasStruck.withLock { $0 = true }
      }
    }
  }

  @Test(
    "the post is published once, or is unknown if its response was lost and the server has no keys",
    arguments: Step.allCases, [MastodonFlavour.mastodon, .goToSocial])
  func killed(step: Step, flavour: MastodonFlavour) async throws {
    // GoToSocial does not process files after the upload.
    if flavour == .goToSocial, step == .inProcessing { return }
    let killer = Killer(at: step)
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
      #expect(killer.hasStruck.withLock { $0 })
    }
    // The lock is free when the process has ended.
    await first.stop(SIGKILL)
    fixture.server.atHalf(nil)

    let second = try await RunningDaemon(fixture.home)
    let isLost = step == .inPost && flavour == .goToSocial
    let state = isLost ? " unknown \"Survives.\"" : " posted \"Survives.\""
    #expect(try await eventually(within: .seconds(60)) { try await fixture.outbox().contains(state) }, "\(second.log)")
    await second.stop()
    #expect(fixture.published == (isLost ? [] : ["Survives."]))
    if !isLost { #expect(fixture.server.with { $0.publishedMedia.map(\.count) } == [1]) }
    // A file whose upload was confirmed is not uploaded again.
    let count = fixture.server.with { $0.uploadedFiles.count }
    #expect(count == (step == .afterUpload ? 2 : 1))
  }
}
