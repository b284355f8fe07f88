import CivilTime
import Media
import Platform
import TestSupport
import Testing

@Suite struct MediaIndexTests {
  private let folder = TemporaryFolder()

  private func published() throws -> (path: String, url: String) {
    let house = PictureHouse(folder.path)
    house.fetch("https://a/1", picture(1))
    let path = try #require(house.publish(["https://a/1"])["https://a/1"])
    house.store.close()
    return (path, "https://a/1")
  }

  @Test("what is kept is known to the next process")
  func again() throws {
    let (path, url) = try published()
    let house = PictureHouse(folder.path, limit: 1500)
    #expect(house.store.missing([url]).isEmpty)
    house.clock.move(by: .seconds(10_000))
    #expect(house.fetch("https://a/2", picture(2)) == .noRoom)
    #expect(house.publish([url]) == [url: path])
  }

  @Test("a lost or damaged index is begun anew, and no picture goes that a page may name", arguments: [nil, "spoilt"])
  func lost(_ content: String?) throws {
    let (path, url) = try published()
    let index = "\(folder.path)/_media/index.db"
    if let content {
      try AtomicFile.write(Array(String(repeating: content, count: 2000).utf8), to: index, .replaced)
    } else {
      try File.remove(index)
    }
    let house = PictureHouse(folder.path, limit: 1500)
    #expect(house.store.totalBytes == 1000)
    #expect(house.has(path))
    // Where it came from is forgotten; the bytes are known all the same.
    #expect(house.store.missing([url]) == [url])
    house.fetch(url, picture(1))
    #expect(house.store.totalBytes == 1000)
    #expect(house.publish([url]) == [url: path])
  }

  @Test("files that are none of ours, or not whole, are removed at the beginning")
  func strangers() throws {
    let (path, _) = try published()
    let shelf = "\(folder.path)/" + path.split(separator: "/").dropLast().joined(separator: "/")
    let name = String(repeating: "ab", count: 32)
    for stranger in ["\(shelf)/notes.txt", "\(shelf)/x.png.new-17", "\(shelf)/\(name).png"] {
      try AtomicFile.write(picture(9), to: stranger, .replaced)
    }
    try File.remove("\(folder.path)/_media/index.db")
    let house = PictureHouse(folder.path)
    #expect(house.store.totalBytes == 1000)
    #expect(try Folder.names(in: shelf).count == 1)
    #expect(house.has(path))
  }

  @Test("a folder that is deleted under the store is made anew")
  func deleted() throws {
    let house = PictureHouse(folder.path)
    house.fetch("https://a/1", picture(1))
    let path = try #require(house.publish(["https://a/1"])["https://a/1"])
    for name in ["index.db", "index.db-wal", "index.db-shm", "lock"] { try File.remove("\(house.folder)/\(name)") }
    try File.remove("\(folder.path)/\(path)")
    #expect(house.publish(["https://a/1"]).isEmpty)
    house.fetch("https://a/1", picture(1))
    #expect(house.publish(["https://a/1"]) == ["https://a/1": path])
  }

  @Test("where no folder can be made, pages name no pictures, and that is said once")
  func noFolder() throws {
    try AtomicFile.write([], to: "\(folder.path)/_media", .replaced)
    let house = PictureHouse(folder.path)
    #expect(house.publish(["https://a/1"]).isEmpty)
    #expect(house.publish(["https://a/1"]).isEmpty)
    #expect(house.store.claim("https://a/1") == nil)
    #expect(house.said.withLock { $0.count } == 1)
  }
}
