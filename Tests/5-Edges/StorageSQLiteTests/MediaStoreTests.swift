import Platform
import TestSupport
import Testing
import Time

@testable import PublishedFiles

@Suite struct MediaStoreTests {
  private let folder = TemporaryFolder()

  @Test("a picture is stored once, in a private file named after the hash of its bytes")
  func stored() throws {
    let fixture = PictureFixture(folder.path)
    #expect(fixture.store.missing(["https://a/1", "https://b/1", "https://a/1"]) == ["https://a/1", "https://b/1"])
    guard case .stored(let name) = fixture.fetch("https://a/1", picture(1)) else {
      Issue.record("the picture was not stored")
      return
    }
    fixture.fetch("https://b/1", picture(1))
    let paths = fixture.publish(["https://a/1", "https://b/1", "https://c/1"])
    #expect(paths == ["https://a/1": name.path, "https://b/1": name.path])
    #expect(name.path == "_media/\(name.hash.prefix(2))/\(name.hash).png")
    #expect(name.hash.utf8.count == 64)
    let path = "\(folder.path)/\(name.path)"
    #expect(try File.read(path, limit: 5000) == picture(1))
    #expect(try permissions(path) == 0o600)
    #expect(try permissions(fixture.folder) == 0o700)
    #expect(try permissions("\(fixture.folder)/index.db") == 0o600)
    #expect(fixture.store.totalBytes == 1000)
    #expect(fixture.store.missing(["https://a/1", "https://b/1"]).isEmpty)
  }

  @Test("pictures are named after the SHA-256 of their bytes")
  func hash() throws {
    let fixture = PictureFixture(folder.path)
    // The name is the output of `printf '\x89PNG\r\n\x1a\n' | sha256sum`.
    guard case .stored(let name) = fixture.fetch("https://a/1", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      Issue.record("the picture was not stored")
      return
    }
    #expect(name.hash == "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6")
  }

  @Test("a picture can be removed ten minutes after the last page that referred to it")
  func grace() {
    let fixture = PictureFixture(folder.path, limit: 2500)
    fixture.fetch("https://a/1", picture(1))
    fixture.fetch("https://a/2", picture(2))
    let first = fixture.publish(["https://a/1", "https://a/2"])
    fixture.clock.move(by: .seconds(86_400))
    // A page refers to both pictures, so neither may be removed and no other picture is stored.
    #expect(fixture.fetch("https://a/3", picture(3)) == .full)
    #expect(fixture.store.missing(["https://a/4"]).isEmpty)

    fixture.publish(["https://a/2"])
    fixture.clock.move(by: .seconds(599))
    #expect(fixture.store.missing(["https://a/4"]).isEmpty)
    #expect(fixture.has(first["https://a/1"]))
    fixture.clock.move(by: .seconds(1))
    #expect(fixture.store.missing(["https://a/4"]) == ["https://a/4"])
    #expect(fixture.has(first["https://a/1"]))
    guard case .stored = fixture.fetch("https://a/4", picture(4)) else {
      Issue.record("the picture was not stored")
      return
    }
    #expect(!fixture.has(first["https://a/1"]))
    #expect(fixture.has(first["https://a/2"]))
    #expect(fixture.store.totalBytes <= 2500)
  }

  @Test("pictures are removed in the order pages last referred to them")
  func order() {
    let fixture = PictureFixture(folder.path, limit: 3500)
    for number in 1...3 {
      fixture.fetch("https://a/\(number)", picture(number))
      fixture.clock.move(by: .seconds(1))
    }
    let all = fixture.publish(["https://a/1", "https://a/2", "https://a/3"])
    fixture.publish(["https://a/1", "https://a/3"])
    fixture.clock.move(by: .seconds(5))
    fixture.publish(["https://a/1"])
    fixture.clock.move(by: .seconds(5))
    fixture.publish([])
    fixture.clock.move(by: .seconds(700))
    fixture.fetch("https://a/4", picture(4))
    #expect(!fixture.has(all["https://a/2"]) && fixture.has(all["https://a/3"]) && fixture.has(all["https://a/1"]))
    fixture.fetch("https://a/5", picture(5))
    #expect(!fixture.has(all["https://a/3"]) && fixture.has(all["https://a/1"]))
  }

  @Test("a picture on two pages is kept as long as one of them refers to it")
  func shared() {
    let fixture = PictureFixture(folder.path, limit: 1500)
    fixture.fetch("https://a/1", picture(1))
    let path = fixture.publish(["https://a/1"], by: "account:bird")["https://a/1"]
    fixture.publish(["https://a/1"], by: "view:all")
    fixture.publish([], by: "account:bird")
    fixture.clock.move(by: .seconds(10_000))
    #expect(fixture.fetch("https://a/2", picture(2)) == .full)
    #expect(fixture.has(path))
    fixture.store.retain(owners: ["account:bird"])
    fixture.clock.move(by: .seconds(600))
    fixture.store.adopt(limit: 1500)
    #expect(fixture.has(path))  // Within the limit, nothing is removed.
    #expect(fixture.store.missing(["https://a/3"]) == ["https://a/3"])
    fixture.fetch("https://a/3", picture(3))
    #expect(!fixture.has(path))
  }

  @Test("a purged picture is removed immediately, or with the last page that refers to it")
  func purge() {
    let fixture = PictureFixture(folder.path)
    for number in 1...2 { fixture.fetch("https://a/\(number)", picture(number)) }
    let paths = fixture.publish(["https://a/1", "https://a/2"])
    fixture.publish(["https://a/2"])
    fixture.store.remove(["https://a/1", "https://a/2"])
    #expect(!fixture.has(paths["https://a/1"]))
    #expect(fixture.has(paths["https://a/2"]))
    // The store has also forgotten the picture's URL, so it could fetch the picture again.
    #expect(fixture.store.missing(["https://a/1", "https://a/2"]) == ["https://a/1"])
    #expect(fixture.publish(["https://a/2"]).count == 1)
    // The picture is removed together with the last page that refers to it, without the grace period.
    fixture.publish([])
    #expect(!fixture.has(paths["https://a/2"]))
    #expect(fixture.store.missing(["https://a/2"]) == ["https://a/2"])
  }

  @Test("if a page cannot be written, the previous page's pictures are kept")
  func unwritten() {
    struct DiskFull: Error {}
    let fixture = PictureFixture(folder.path, limit: 1500)
    fixture.fetch("https://a/1", picture(1))
    let path = fixture.publish(["https://a/1"])["https://a/1"]
    #expect(throws: DiskFull.self) {
      try fixture.store.name([], by: "account:bird") { _ throws(DiskFull) in throw DiskFull() }
    }
    fixture.clock.move(by: .seconds(10_000))
    fixture.store.remove(["https://a/1"])
    #expect(fixture.fetch("https://a/2", picture(2)) == .full)
    #expect(fixture.has(path))
  }

  @Test("if someone deletes a picture's file, pages no longer refer to it, and it is fetched again")
  func takenAway() throws {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    let path = try #require(fixture.publish(["https://a/1"])["https://a/1"])
    try File.remove("\(folder.path)/\(path)")
    #expect(fixture.publish(["https://a/1"]).isEmpty)
    #expect(fixture.store.missing(["https://a/1"]) == ["https://a/1"])
    fixture.fetch("https://a/1", picture(1))
    #expect(fixture.publish(["https://a/1"]) == ["https://a/1": path])
  }

  @Test("with a size limit of 0, no picture is fetched, referred to or created")
  func off() throws {
    let fixture = PictureFixture(folder.path, limit: 0)
    #expect(!fixture.store.isOn)
    #expect(fixture.store.missing(["https://a/1"]).isEmpty)
    #expect(fixture.store.claim("https://a/1") == nil)
    #expect(fixture.publish(["https://a/1"]).isEmpty)
    #expect(!File.exists(fixture.folder))
  }

  @Test("after pictures are turned off, stored ones are removed ten minutes after the last page that showed them")
  func turnedOff() {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    let path = fixture.publish(["https://a/1"])["https://a/1"]
    fixture.store.adopt(limit: 0)
    #expect(fixture.publish(["https://a/1"]).isEmpty)
    #expect(fixture.has(path))
    fixture.clock.move(by: .seconds(600))
    fixture.publish(["https://a/1"])
    #expect(!fixture.has(path))
    #expect(fixture.store.totalBytes == 0)
  }

  @Test("when the size limit is lowered, pages refer only to the pictures with the highest priority")
  func smallerLimit() {
    let fixture = PictureFixture(folder.path)
    let urls = (1...4).map { "https://a/\($0)" }
    for (index, url) in urls.enumerated() { fixture.fetch(url, picture(index)) }
    #expect(fixture.publish(urls).count == 4)
    fixture.store.adopt(limit: 2500)
    #expect(Set(fixture.publish(urls).keys) == ["https://a/1", "https://a/2"])
    fixture.clock.move(by: .seconds(600))
    fixture.store.adopt(limit: 2500)
    #expect(fixture.store.totalBytes <= 2500)
  }
}
