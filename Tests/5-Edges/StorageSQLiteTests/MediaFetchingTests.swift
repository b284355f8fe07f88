import Platform
import TestSupport
import Testing
import Time

@testable import PublishedFiles

@Suite struct MediaFetchingTests {
  private let folder = TemporaryFolder()

  @Test("only one caller at a time can claim a picture")
  func claimed() throws {
    let fixture = PictureFixture(folder.path)
    let claim = try #require(fixture.store.claim("https://a/1"))
    #expect(fixture.store.claim("https://a/1") == nil)
    #expect(fixture.store.missing(["https://a/1"]).isEmpty)
    fixture.store.interrupt(claim, nil, isFailure: false)
    #expect(fixture.store.claim("https://a/1") != nil)
  }

  @Test("a URL without a picture is retried after a minute, ten minutes, an hour, a day, and then every week")
  func patience() throws {
    let fixture = PictureFixture(folder.path)
    for rest in [60, 600, 3600, 86_400, 604_800, 604_800] {
      let claim = try #require(fixture.store.claim("https://a/1"))
      fixture.store.fail(claim)
      fixture.clock.move(by: .seconds(rest - 1))
      #expect(fixture.store.claim("https://a/1") == nil)
      fixture.clock.move(by: .seconds(1))
    }
    // Setting the clock back does not lengthen the pause beyond a week.
    fixture.store.fail(try #require(fixture.store.claim("https://a/1")))
    fixture.clock.move(by: .seconds(-3_000_000))
    #expect(fixture.store.claim("https://a/1") != nil)
  }

  @Test("bytes that are not a picture are never stored, regardless of the URL")
  func noPicture() {
    let fixture = PictureFixture(folder.path)
    let others = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>", "<!DOCTYPE html><script>1</script>",
      "\n<?xml version=\"1.0\"?><svg/>", "", "%PDF-1.7", "GIF88a", "RIFF\u{1}\u{1}\u{1}\u{1}WAVE",
    ]
    for (index, text) in others.enumerated() {
      #expect(fixture.fetch("https://a/\(index).png", Array(text.utf8)) == .notAPicture)
      #expect(fixture.store.claim("https://a/\(index).png") == nil)
    }
    #expect(fixture.store.totalBytes == 0)
  }

  private static let heads: [(bytes: [UInt8], suffix: String)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], "jpg"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "png"),
    (Array("GIF87a".utf8), "gif"),
    (Array("GIF89a".utf8), "gif"),
    (Array("RIFF\u{4}\0\0\0WEBPVP8 ".utf8), "webp"),
    (box(28, "ftypavif\0\0\0\0avifmif1miaf"), "avif"),
    (box(28, "ftypmif1\0\0\0\0mif1avifmiaf"), "avif"),
    (box(24, "ftypavis\0\0\0\0avismsf1"), "avif"),
  ]

  private static let lookalikes: [[UInt8]] = [
    [], [0xFF, 0xD8], box(24, "ftypisom\0\0\0\0isommp42"), box(8, "ftypavif"), box(16, "ftypheic\0\0\0\0avif"),
    [255, 255, 255, 255] + Array("ftypheic\0\0\0\0".utf8),
  ]

  private static func box(_ size: UInt8, _ content: String) -> [UInt8] { [0, 0, 0, size] + Array(content.utf8) }

  @Test("picture types are recognised by their first bytes, but similar bytes are not")
  func types() {
    for (bytes, suffix) in Self.heads { #expect(PictureType(of: bytes)?.suffix == suffix) }
    for bytes in Self.lookalikes { #expect(PictureType(of: bytes) == nil) }
  }

  @Test("an interrupted download of a picture resumes where it stopped, even after a restart")
  func parts() throws {
    let first = PictureFixture(folder.path)
    let claim = try #require(first.store.claim("https://a/1"))
    let part = MediaClaim.Part(bytes: Array(picture(1).prefix(400)), validator: "\"1\"")
    first.store.interrupt(claim, part, isFailure: false)
    #expect(first.store.totalBytes == 400)
    first.store.close()

    let fixture = PictureFixture(folder.path)
    let again = try #require(fixture.store.claim("https://a/1"))
    #expect(again.part == part)
    guard case .stored = fixture.store.store(picture(1), of: again) else {
      Issue.record("the picture was not stored")
      return
    }
    #expect(fixture.store.totalBytes == 1000)
    #expect(try Folder.names(in: "\(fixture.folder)/part").isEmpty)
  }

  @Test(
    "a partial picture is discarded if the picture fails or is purged, or if the partial file was modified")
  func forgottenParts() throws {
    let fixture = PictureFixture(folder.path)
    let part = MediaClaim.Part(bytes: Array(picture(1).prefix(400)), validator: "\"1\"")
    let parts = "\(fixture.folder)/part"
    func broken() throws {
      fixture.store.interrupt(try #require(fixture.store.claim("https://a/1")), part, isFailure: false)
      #expect(try Folder.names(in: parts).count == 1)
    }
    try broken()
    fixture.store.remove(["https://a/1"])
    #expect(try Folder.names(in: parts).isEmpty)
    try broken()
    try AtomicFile.write([1, 2], to: "\(parts)/\(try Folder.names(in: parts)[0])", .replaced)
    let claim = try #require(fixture.store.claim("https://a/1"))
    #expect(claim.part == nil)
    fixture.store.interrupt(claim, part, isFailure: false)
    fixture.store.fail(try #require(fixture.store.claim("https://a/1")))
    #expect(try Folder.names(in: parts).isEmpty)
  }

  @Test("an interrupted download is also retried after a delay, which does not grow while there is progress")
  func comingAlong() throws {
    let fixture = PictureFixture(folder.path)
    for step in 1...4 {
      let claim = try #require(fixture.store.claim("https://a/1"))
      #expect(claim.part?.bytes.count ?? 0 == (step - 1) * 70_000)
      let part = MediaClaim.Part(bytes: picture(1, size: step * 70_000), validator: "\"1\"")
      fixture.store.interrupt(claim, part, isFailure: true)
      #expect(fixture.store.claim("https://a/1") == nil)
      fixture.clock.move(by: .seconds(60))
    }
    fixture.store.interrupt(try #require(fixture.store.claim("https://a/1")), nil, isFailure: true)
    fixture.clock.move(by: .seconds(60))
    #expect(fixture.store.claim("https://a/1") == nil)
    fixture.clock.move(by: .seconds(540))
    #expect(fixture.store.claim("https://a/1")?.part?.bytes.count == 280_000)
  }
}
