import Dispatch
import Glibc
import HTTP
import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

/// `homeline post --media` on Mastodon-compatible servers.
@Suite("Posting files", .timeLimit(.minutes(5))) struct PostMediaTests {
  private static let uploads = "/api/v2/media"

  @Test(
    "Pictures are published in order, without metadata, with random file names and with their descriptions",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma, .snac])
  func pictures(flavour: MastodonFlavour) async throws {
    let fixture = try await PostingHome(flavour, scopes: "write")
    let (one, two) = (PostFile.picture("media/one"), PostFile.picture("media/two"))
    // Bytes after the end of the picture are not part of it.
    let first = try fixture.home.file("holiday.png", one + Array("location".utf8))
    let second = try fixture.home.file("second", two)
    let outcome = try await fixture.post(
      "ann", "Two pictures.", "--media", first, "--alt", "The \"first\"", "--media", second)
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    #expect(fixture.published == ["Two pictures."])
    let files = fixture.server.with { $0.uploadedFiles }
    #expect(Set(files.map(\.content)) == [one, two] && files.allSatisfy { $0.type == "image/png" })
    #expect(Set(files.map(\.name)).count == 2 && !files.contains { $0.name.contains("holiday") })
    #expect(Set(files.map(\.description)) == ["The \"first\"", nil])
    let newest = try #require(try fixture.home.published("ann")["posts"].items.first)
    #expect(newest["media"].items.map { $0["alt"].text } == ["The \"first\"", nil], "\(newest)")
  }

  @Test("The published page shows the picture that the user posted in the sandbox")
  func ownPicture() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let configuration = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(
      configuration.replacing(#""keep_posts": 20"#, with: #""keep_posts": 20, "publish": ["html"]"#))
    let picture = PostFile.picture("drawn by the user")
    let path = try fixture.home.file("a.png", picture)
    let daemon = try await RunningDaemon(fixture.home)
    #expect(try await fixture.post("ann", "My picture.", "--media", path).code == 0)
    #expect(try await fixture.home.run("refresh", "ann").code == 0)
    let folder = "\(fixture.home.path)/cache/homeline/_media"
    #expect(
      try await eventually {
        let pictures = try fixture.home.files(below: folder).filter { $0.hasSuffix(".png") }
        return try pictures.contains { try File.read($0, limit: 1 << 20) == picture }
      }, "\(daemon.log)")
    await daemon.stop()
  }

  @Test("A post with a file needs no text, and --dry-run uploads nothing")
  func noText() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let path = try fixture.home.file("a.png", PostFile.picture())
    let dry = try await fixture.post("ann", "--media", path, "--dry-run")
    #expect(dry.code == 0 && fixture.server.with { $0.uploadedFiles } == [], "\(dry.error)")
    let outcome = try await fixture.post("ann", "--media", path)
    #expect(outcome.code == 0 && fixture.published == [""], "\(outcome.error)")
    #expect(fixture.server.with { $0.publishedMedia.map(\.count) } == [1])
  }

  @Test("A post waits until the server has processed its video, and is refused if the processing fails")
  func processing() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let path = try fixture.home.file("a.mp4", PostFile.video(100_000))
    fixture.server.with { $0.processVideos(polls: 3) }
    let outcome = try await fixture.post("ann", "A video.", "--media", path)
    #expect(outcome.code == 0 && fixture.published == ["A video."], "\(outcome.error)")
    fixture.server.with { $0.processVideos(polls: 2, failing: true) }
    let failed = try await fixture.post("ann", "A broken video.", "--media", path)
    #expect(failed.code == 65 && failed.error.contains("could not be processed"), "\(failed.error)")
    #expect(fixture.published == ["A video."])
  }

  @Test(
    "An interrupted or failed upload is repeated, and the post is published only once",
    arguments: [FaultName.uploadReset, .uploadError])
  func repeated(fault: FaultName) async throws {
    let fixture = try await PostingHome(scopes: "write")
    let path = try fixture.home.file("a.mp4", PostFile.video(1_000_000))
    if fault == .uploadReset {
      let count = Locked(0)
      fixture.server.atHalf { _ in
        count.withLock { count in
          count += 1
          return count == 1
        }
      }
    } else {
      fixture.server.withFaults { $0.add(.named(fault), to: Self.uploads) }
    }
    let outcome = try await fixture.post("ann", "Again.", "--media", path)
    #expect(outcome.code == 0 && fixture.published == ["Again."], "\(outcome.error)")
    #expect(fixture.server.with { $0.uploadedFiles }.map(\.content) == [PostFile.video(1_000_000)])
  }

  @Test("If uploads are rate-limited, the post waits, and is not published if its file changes in the meantime")
  func changedLater() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let path = try fixture.home.file("a.png", PostFile.picture())
    fixture.server.withFaults { $0.add(.named(.uploadLimited), to: Self.uploads) }
    let waits = try await fixture.post("ann", "Later.", "--media", path)
    #expect(waits.code == 75 && waits.error.contains("wait in the outbox"), "\(waits.error)")
    let list = try await fixture.outbox()
    #expect(list.contains(" uploading \"Later.\""), "\(list)")
    let id = try #require(list.split(separator: " ").dropFirst().first.map { String($0) })
    _ = try fixture.home.file("a.png", PostFile.picture("media/other"))
    let retry = try await fixture.home.run("outbox", "--retry", id)
    #expect(retry.code == 65 && retry.error.contains("the file has changed since"), "\(retry.error)")
    #expect(fixture.published == [] && fixture.server.with { $0.uploadedFiles } == [])
  }

  @Test("A file that changes while it is being sent is not published")
  func changedDuringUpload() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let path = try fixture.home.file("a.mp4", PostFile.video(40_000_000))
    fixture.server.atHalf { _ in
      let descriptor = open(path, O_WRONLY | O_APPEND)
      _ = write(descriptor, "x", 1)
      close(descriptor)
      return false
    }
    let outcome = try await fixture.post("ann", "Changing.", "--media", path)
    #expect(outcome.code == 65 && outcome.error.contains("file changed while it was being read"), "\(outcome.error)")
    #expect(fixture.published == [] && fixture.server.with { $0.uploadedFiles } == [])
  }

  @Test("A file that the server does not accept, or that lacks a required description, is refused before it is sent")
  func refused() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let picture = try fixture.home.file("a.png", PostFile.picture())
    let text = try fixture.home.file("a.txt", Array("text".utf8))
    let unknown = try await fixture.post("ann", "Text.", "--media", text)
    #expect(unknown.code == 65 && unknown.error.contains("not a picture, video or sound"), "\(unknown.error)")
    let kept = try await fixture.post("ann", "Text.", "--media", text, "--keep-metadata")
    #expect(kept.code == 65 && kept.error.contains("does not accept application/octet-stream"), "\(kept.error)")
    let missing = try await fixture.post("ann", "Missing.", "--media", "\(fixture.home.path)/none.png")
    #expect(missing.code == 65 && missing.error.contains("none.png"), "\(missing.error)")
    let many = try await fixture.home.start(
      ["post", "ann", "Many."] + Array(repeating: ["--media", picture], count: 5).flatMap { $0 }
    ).end()
    #expect(many.code == 65 && many.error.contains("allows 4 files in a post, not 5"), "\(many.error)")
    let configuration = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(
      configuration.replacing(#""keep_posts": 20"#, with: #""keep_posts": 20, "require_alt_text": true"#))
    let bare = try await fixture.post("ann", "Bare.", "--media", picture)
    #expect(bare.code == 65 && bare.error.contains("add --alt"), "\(bare.error)")
    #expect(try await fixture.outbox() == "" && fixture.server.with { $0.uploadedFiles } == [])
    #expect(try await fixture.post("ann", "Described.", "--media", picture, "--alt", "Waves").code == 0)
  }

  @Test("A file that is larger than the server allows is refused before it is examined")
  func tooLarge() async throws {
    let fixture = try await PostingHome(scopes: "write")
    // An examination would find that the picture is truncated.
    let path = try fixture.home.file("a.png", Array(PostFile.picture().prefix(40)))
    #expect(truncate(path, 17_000_000) == 0)
    let outcome = try await fixture.post("ann", "Large.", "--media", path)
    #expect(
      outcome.code == 65 && outcome.error.contains("allows at most 16777216 bytes")
        && outcome.error.contains("this one has 17000000"), "\(outcome.error)")
    #expect(try await fixture.outbox() == "" && fixture.server.with { $0.uploadedFiles } == [])
  }

  @Test("Without permission to upload, a post with a file waits in the outbox for a login that grants it")
  func missingScope() async throws {
    let fixture = try await PostingHome()
    let path = try fixture.home.file("a.png", PostFile.picture())
    let outcome = try await fixture.post("ann", "A picture.", "--media", path)
    #expect(outcome.code == 77 && outcome.error.contains("waits in the outbox"), "\(outcome.error)")
    #expect(outcome.error.contains("run: homeline login ann --allow posting"), "\(outcome.error)")
    #expect(fixture.published == [] && fixture.server.with { $0.uploadedFiles } == [])
  }

  @Test("A terminal shows an upload's progress and erases it at the end", .needs("script"))
  func terminal() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let path = try fixture.home.file("a.mp4", PostFile.video(1_000_000))
    let command = "stty cols 80 && '\(ProgramRun.product("homeline"))' post ann 'A video.' --media '\(path)'"
    let outcome = try await ProgramRun.run(
      "script", ["-qec", command, "/dev/null"],
      environment: fixture.home.environment(["SHELL": "/bin/sh", "TERM": "xterm"]))
    #expect(outcome.code == 0, "\(outcome.output)")
    let parts = outcome.output.split(separator: "\r\u{1b}[K", omittingEmptySubsequences: false)
    let lines = parts.filter { $0.hasPrefix("upload: ") }
    #expect(lines.contains { $0.contains("%, ") && $0.contains(" of 976.5 KiB") }, "\(outcome.output.debugDescription)")
    #expect(parts.last?.hasPrefix("http") == true, "\(outcome.output.debugDescription)")
  }

  @Test(
    "The control socket and `homeline status` show an upload's progress, and memory use does not grow with the file's size"
  )
  func progress() async throws {
    let fixture = try await PostingHome(scopes: "write")
    let daemon = try await RunningDaemon(fixture.home)
    let small = try fixture.home.file("small.png", PostFile.picture())
    #expect(try await fixture.post("ann", "Small.", "--media", small).code == 0)
    let statistics = ProcessStatistics(process: daemon.program.process)
    let before = try statistics.peakMemory()

    let size = 96_000_000
    let path = try fixture.home.file("large.mp4", PostFile.video(size))
    let (isHalf, mayContinue) = (Locked(false), DispatchSemaphoreBox())
    fixture.server.atHalf { _ in
      let isFirst = isHalf.withLock { isHalf in
        defer { isHalf = true }
        return !isHalf
      }
      if isFirst { mayContinue.wait() }
      return true
    }
    let stream = try daemon.command("post", #"{"account":"ann","text":"Large.","media":[{"path":"\#(path)"}]}"#)
    #expect(try await eventually { isHalf.withLock { $0 } })
    let isShown = try await eventually {
      let account = try #require(try await daemon.status()["accounts"].items.first)
      guard let done = account["upload"]["done"].integer, done >= size / 2 else { return false }
      return account["activity"].text == "uploading" && account["upload"]["total"].integer == size && done <= size
    }
    #expect(isShown)
    let shown = try await fixture.home.run("status", "-v").output
    #expect(shown.contains("uploading") && shown.contains(" of 91.5 MiB"), "\(shown)")
    #expect(try statistics.peakMemory() - before < 12_000)
    mayContinue.signal()
    // The upload's connection is reset, so the post stays in the outbox.
    #expect(try await eventually { try await fixture.outbox().contains(" uploading \"Large.\"") })
    let id = try #require(try await fixture.outbox().split(whereSeparator: \.isNewline).last?.split(separator: " ")[1])
    #expect(try await fixture.home.run("outbox", "--discard", String(id)).code == 0)
    let events = String(decoding: try await OwnThread.run { try stream.receiveToEnd() }, as: UTF8.self)
    #expect(events.contains(#""event":"upload""#) && events.contains(#""total":\#(size)"#), "\(events.suffix(500))")
    #expect(fixture.published == ["Small."])
    await daemon.stop()
  }
}

/// A semaphore that closures on a server's queue can use.
final class DispatchSemaphoreBox: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { _ = semaphore.wait(timeout: .now() + 60) }
  func signal() { semaphore.signal() }
}
