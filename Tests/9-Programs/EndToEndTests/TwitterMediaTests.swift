import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post --media` on servers with Twitter's v1.1 API. Their strict verifier refuses signed fields of multipart forms.
@Suite("Posting files with the v1.1 API", .timeLimit(.minutes(4))) struct TwitterMediaTests {
  private static let upload = "/1.1/media/upload.json"

  private func fixture(isGNUSocial: Bool = false) async throws -> TwitterFixture {
    var policy = TwitterFixture.unlimited
    policy.isGNUSocial = isGNUSocial
    let fixture = try TwitterFixture(#""refresh_seconds": 86400, "keep_posts": 20"#, policy: policy)
    try await fixture.home.logIn()
    return fixture
  }

  private func published(_ fixture: TwitterFixture) -> [String] {
    fixture.sandbox.with { $0.publishedTexts.map { $0.trimmingSuffix() } }
  }

  @Test("A picture is uploaded in one request, gets its description, and appears in the published files")
  func picture() async throws {
    let fixture = try await fixture()
    let path = try fixture.home.file("a.png", PostFile.picture())
    let outcome = try await fixture.home.run("post", "demo", "A picture.", "--media", path, "--alt", "Waves & wind")
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(published(fixture) == ["A picture."])
    let file = try #require(fixture.sandbox.with { $0.uploadedFiles }.first)
    #expect(file.content == PostFile.picture() && file.type == "image/png" && !file.name.hasPrefix("a."))
    #expect(fixture.sandbox.with { $0.publishedMedia } == [["Waves & wind"]])
    let newest = try #require(try fixture.home.published()["posts"].items.first)
    #expect(newest["media"].items.map { $0["alt"].text } == ["Waves & wind"], "\(newest)")
  }

  @Test("A video is uploaded in parts, a failed part is sent again, and the post waits until the video is processed")
  func video() async throws {
    let fixture = try await fixture()
    let video = PostFile.video(11_000_000)
    let path = try fixture.home.file("a.mp4", video)
    // INIT and the first part succeed. The second part first fails and then its response is lost.
    let requests = Locked(0)
    fixture.sandbox.withFaults {
      $0.add(.change { _ in requests.withLock { $0 += 1 } }, to: Self.upload, times: 2)
      $0.add(.named(.uploadError), to: Self.upload)
      $0.add(.drop(worked: true), to: Self.upload)
    }
    let outcome = try await fixture.home.run("post", "demo", "A video.", "--media", path)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(requests.withLock { $0 } == 2 && published(fixture) == ["A video."])
    #expect(fixture.sandbox.with { $0.uploadedFiles.map(\.content) } == [video])
    #expect(fixture.sandbox.with { $0.publishedMedia } == [[nil]])
  }

  @Test("A video that cannot be processed is not published")
  func failedVideo() async throws {
    let fixture = try await fixture()
    let path = try fixture.home.file("a.mp4", PostFile.video(10_000))
    fixture.sandbox.with { $0.processVideos(polls: 1, failing: true) }
    let outcome = try await fixture.home.run("post", "demo", "A video.", "--media", path)
    #expect(outcome.code == 65 && outcome.error.contains("Unsupported video format"), "\(outcome.error)")
    #expect(published(fixture) == [])
  }

  @Test("GNU social appends links to the files, does not support descriptions, and requires text")
  func gnuSocial() async throws {
    let fixture = try await fixture(isGNUSocial: true)
    let path = try fixture.home.file("a.png", PostFile.picture())
    let alt = try await fixture.home.run("post", "demo", "A picture.", "--media", path, "--alt", "Waves")
    #expect(alt.code == 65 && alt.error.contains("does not support descriptions of files"), "\(alt.error)")
    let bare = try await fixture.home.run("post", "demo", "--media", path)
    #expect(bare.code == 65 && bare.error.contains("requires text"), "\(bare.error)")
    let outcome = try await fixture.home.run("post", "demo", "A picture.", "--media", path)
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(published(fixture).first?.hasPrefix("A picture. https://social.example/attachment/") == true)
    #expect(fixture.sandbox.with { $0.uploadedFiles.map(\.content) } == [PostFile.picture()])
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
