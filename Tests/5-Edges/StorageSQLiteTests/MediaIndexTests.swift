import Platform
import TestSupport
import Testing
import Time

@testable import PublishedFiles

@Suite struct MediaIndexTests {
  private let folder = TemporaryFolder()

  private func published() throws -> (path: String, url: String) {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    let path = try #require(fixture.publish(["https://a/1"])["https://a/1"])
    fixture.store.close()
    return (path, "https://a/1")
  }

  @Test("the next process knows the pictures that a process has stored")
  func again() throws {
    let (path, url) = try published()
    let fixture = PictureFixture(folder.path, limit: 1500)
    #expect(fixture.store.missing([url]).isEmpty)
    fixture.clock.move(by: .seconds(10_000))
    #expect(fixture.fetch("https://a/2", picture(2)) == .full)
    #expect(fixture.publish([url]) == [url: path])
  }

  @Test(
    "a lost or corrupt index of pictures is rebuilt, and no picture that a page may refer to is removed",
    arguments: [nil, "spoilt"])
  func lost(_ content: String?) throws {
    let (path, url) = try published()
    let index = "\(folder.path)/_media/index.db"
    if let content {
      try AtomicFile.write(Array(String(repeating: content, count: 2000).utf8), to: index, .replaced)
    } else {
      try File.remove(index)
    }
    let fixture = PictureFixture(folder.path, limit: 1500)
    #expect(fixture.store.totalBytes == 1000)
    #expect(fixture.has(path))
    // The index no longer contains the URL, but the bytes are still known.
    #expect(fixture.store.missing([url]) == [url])
    fixture.fetch(url, picture(1))
    #expect(fixture.store.totalBytes == 1000)
    #expect(fixture.publish([url]) == [url: path])
  }

  @Test("foreign and incomplete files in the picture folder are removed at startup")
  func strangers() throws {
    let (path, _) = try published()
    let table = "\(folder.path)/" + path.split(separator: "/").dropLast().joined(separator: "/")
    let name = String(repeating: "ab", count: 32)
    for stranger in ["\(table)/notes.txt", "\(table)/x.png.new-17", "\(table)/\(name).png"] {
      try AtomicFile.write(picture(9), to: stranger, .replaced)
    }
    try File.remove("\(folder.path)/_media/index.db")
    let fixture = PictureFixture(folder.path)
    #expect(fixture.store.totalBytes == 1000)
    #expect(try Folder.names(in: table).count == 1)
    #expect(fixture.has(path))
  }

  @Test("a deleted picture folder is recreated")
  func deleted() throws {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    let path = try #require(fixture.publish(["https://a/1"])["https://a/1"])
    for name in ["index.db", "index.db-wal", "index.db-shm", "lock"] { try File.remove("\(fixture.folder)/\(name)") }
    try File.remove("\(folder.path)/\(path)")
    #expect(fixture.publish(["https://a/1"]).isEmpty)
    fixture.fetch("https://a/1", picture(1))
    #expect(fixture.publish(["https://a/1"]) == ["https://a/1": path])
  }

  @Test("if the picture folder cannot be created, pages refer to no pictures, and one message is logged")
  func noFolder() throws {
    try AtomicFile.write([], to: "\(folder.path)/_media", .replaced)
    let fixture = PictureFixture(folder.path)
    #expect(fixture.publish(["https://a/1"]).isEmpty)
    #expect(fixture.publish(["https://a/1"]).isEmpty)
    #expect(fixture.store.claim("https://a/1") == nil)
    #expect(fixture.said.withLock { $0.count } == 1)
  }
}
