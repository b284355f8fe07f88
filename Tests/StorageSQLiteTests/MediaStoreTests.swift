import CivilTime
import Media
import Platform
import TestSupport
import Testing

@Suite struct MediaStoreTests {
  private let folder = TemporaryFolder()

  @Test("a picture lies under the hash of its bytes, private, and once for all who show it")
  func stored() throws {
    let house = PictureHouse(folder.path)
    #expect(house.store.missing(["https://a/1", "https://b/1", "https://a/1"]) == ["https://a/1", "https://b/1"])
    guard case .kept(let name) = house.fetch("https://a/1", picture(1)) else {
      Issue.record("it was not kept")
      return
    }
    house.fetch("https://b/1", picture(1))
    let paths = house.publish(["https://a/1", "https://b/1", "https://c/1"])
    #expect(paths == ["https://a/1": name.path, "https://b/1": name.path])
    #expect(name.path == "_media/\(name.hash.prefix(2))/\(name.hash).png")
    #expect(name.hash.utf8.count == 64)
    let path = "\(folder.path)/\(name.path)"
    #expect(try File.read(path, limit: 5000) == picture(1))
    #expect(try permissions(path) == 0o600)
    #expect(try permissions(house.folder) == 0o700)
    #expect(try permissions("\(house.folder)/index.db") == 0o600)
    #expect(house.store.totalBytes == 1000)
    #expect(house.store.missing(["https://a/1", "https://b/1"]).isEmpty)
  }

  @Test("the hash is that of SHA-256")
  func hash() throws {
    let house = PictureHouse(folder.path)
    // printf '\x89PNG\r\n\x1a\n' | sha256sum
    guard case .kept(let name) = house.fetch("https://a/1", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      Issue.record("it was not kept")
      return
    }
    #expect(name.hash == "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6")
  }

  @Test("what goes is decided by the page alone, and ten minutes after the last one that named it")
  func grace() {
    let house = PictureHouse(folder.path, limit: 2500)
    house.fetch("https://a/1", picture(1))
    house.fetch("https://a/2", picture(2))
    let first = house.publish(["https://a/1", "https://a/2"])
    house.clock.move(by: .seconds(86_400))
    // Both are named: nothing may go, so nothing more is taken.
    #expect(house.fetch("https://a/3", picture(3)) == .noRoom)
    #expect(house.store.missing(["https://a/4"]).isEmpty)

    house.publish(["https://a/2"])
    house.clock.move(by: .seconds(599))
    house.store.evict()
    #expect(house.store.missing(["https://a/4"]).isEmpty)
    #expect(house.has(first["https://a/1"]))
    house.clock.move(by: .seconds(1))
    #expect(house.store.missing(["https://a/4"]) == ["https://a/4"])
    #expect(house.has(first["https://a/1"]))
    guard case .kept = house.fetch("https://a/4", picture(4)) else {
      Issue.record("there was room")
      return
    }
    #expect(!house.has(first["https://a/1"]))
    #expect(house.has(first["https://a/2"]))
    #expect(house.store.totalBytes <= 2500)
  }

  @Test("what has been on no page for longest goes first")
  func order() {
    let house = PictureHouse(folder.path, limit: 3500)
    for number in 1...3 {
      house.fetch("https://a/\(number)", picture(number))
      house.clock.move(by: .seconds(1))
    }
    let all = house.publish(["https://a/1", "https://a/2", "https://a/3"])
    house.publish(["https://a/1", "https://a/3"])
    house.clock.move(by: .seconds(5))
    house.publish(["https://a/1"])
    house.clock.move(by: .seconds(5))
    house.publish([])
    house.clock.move(by: .seconds(700))
    house.fetch("https://a/4", picture(4))
    #expect(!house.has(all["https://a/2"]) && house.has(all["https://a/3"]) && house.has(all["https://a/1"]))
    house.fetch("https://a/5", picture(5))
    #expect(!house.has(all["https://a/3"]) && house.has(all["https://a/1"]))
  }

  @Test("a picture on two pages stays as long as one of them names it")
  func shared() {
    let house = PictureHouse(folder.path, limit: 1500)
    house.fetch("https://a/1", picture(1))
    let path = house.publish(["https://a/1"], by: "account:bird")["https://a/1"]
    house.publish(["https://a/1"], by: "view:all")
    house.publish([], by: "account:bird")
    house.clock.move(by: .seconds(10_000))
    #expect(house.fetch("https://a/2", picture(2)) == .noRoom)
    #expect(house.has(path))
    house.store.retain(owners: ["account:bird"])
    house.clock.move(by: .seconds(600))
    house.store.evict()
    #expect(house.has(path))  // Within the limit nothing has to go.
    #expect(house.store.missing(["https://a/3"]) == ["https://a/3"])
    house.fetch("https://a/3", picture(3))
    #expect(!house.has(path))
  }

  @Test("a purged picture goes at once, or with the last page that names it")
  func purge() {
    let house = PictureHouse(folder.path)
    for number in 1...2 { house.fetch("https://a/\(number)", picture(number)) }
    let paths = house.publish(["https://a/1", "https://a/2"])
    house.publish(["https://a/2"])
    house.store.remove(["https://a/1", "https://a/2"])
    #expect(!house.has(paths["https://a/1"]))
    #expect(house.has(paths["https://a/2"]))
    // Nothing is known of it any more: it could be fetched again.
    #expect(house.store.missing(["https://a/1", "https://a/2"]) == ["https://a/1"])
    #expect(house.publish(["https://a/2"]).count == 1)
    // With the last page that names it, and not ten minutes later.
    house.publish([])
    #expect(!house.has(paths["https://a/2"]))
    #expect(house.store.missing(["https://a/2"]) == ["https://a/2"])
  }

  @Test("while a page cannot be written, what the one before names stays")
  func unwritten() {
    struct DiskFull: Error {}
    let house = PictureHouse(folder.path, limit: 1500)
    house.fetch("https://a/1", picture(1))
    let path = house.publish(["https://a/1"])["https://a/1"]
    #expect(throws: DiskFull.self) {
      try house.store.name([], by: "account:bird") { _ throws(DiskFull) in throw DiskFull() }
    }
    house.clock.move(by: .seconds(10_000))
    house.store.remove(["https://a/1"])
    #expect(house.fetch("https://a/2", picture(2)) == .noRoom)
    #expect(house.has(path))
  }

  @Test("a picture that somebody took away is not named, and fetched again")
  func takenAway() throws {
    let house = PictureHouse(folder.path)
    house.fetch("https://a/1", picture(1))
    let path = try #require(house.publish(["https://a/1"])["https://a/1"])
    try File.remove("\(folder.path)/\(path)")
    #expect(house.publish(["https://a/1"]).isEmpty)
    #expect(house.store.missing(["https://a/1"]) == ["https://a/1"])
    house.fetch("https://a/1", picture(1))
    #expect(house.publish(["https://a/1"]) == ["https://a/1": path])
  }

  @Test("with a limit of nothing, nothing is fetched, named or made")
  func off() throws {
    let house = PictureHouse(folder.path, limit: 0)
    #expect(!house.store.isOn)
    #expect(house.store.missing(["https://a/1"]).isEmpty)
    #expect(house.store.claim("https://a/1") == nil)
    #expect(house.publish(["https://a/1"]).isEmpty)
    #expect(!File.exists(house.folder))
  }

  @Test("pictures go when they are turned off, ten minutes after the last page with them")
  func turnedOff() {
    let house = PictureHouse(folder.path)
    house.fetch("https://a/1", picture(1))
    let path = house.publish(["https://a/1"])["https://a/1"]
    house.store.adopt(limit: 0)
    #expect(house.publish(["https://a/1"]).isEmpty)
    #expect(house.has(path))
    house.clock.move(by: .seconds(600))
    house.publish(["https://a/1"])
    #expect(!house.has(path))
    #expect(house.store.totalBytes == 0)
  }

  @Test("a smaller limit is kept to by naming fewer, the most wanted first")
  func smallerLimit() {
    let house = PictureHouse(folder.path)
    let urls = (1...4).map { "https://a/\($0)" }
    for (index, url) in urls.enumerated() { house.fetch(url, picture(index)) }
    #expect(house.publish(urls).count == 4)
    house.store.adopt(limit: 2500)
    #expect(Set(house.publish(urls).keys) == ["https://a/1", "https://a/2"])
    house.clock.move(by: .seconds(600))
    house.store.evict()
    #expect(house.store.totalBytes <= 2500)
  }
}
