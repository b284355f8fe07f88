import Dispatch
import Glibc
import Platform
import TestSupport
import Testing

@testable import PublishedFiles

/// Writes pages and removes pictures as fast as possible, while other processes read.
@Suite struct MediaOrderTests {
  private let folder = TemporaryFolder()

  /// Publishes pages with different pictures and purges the previous page's pictures immediately.
  private static func publishAndPurge(_ fixture: PictureFixture, pages: ClosedRange<Int>) {
    for page in pages {
      let urls = (0..<4).map { "https://a/\(page)/\($0)" }
      for (index, url) in urls.enumerated() { fixture.fetch(url, picture(page * 10 + index, size: 200)) }
      do {
        try fixture.store.name(urls, by: "account:bird") { paths in
          let content = paths.values.sorted().joined(separator: "\n")
          try AtomicFile.write(Array(content.utf8), to: "\(fixture.cache)/page", .replaced)
        }
      } catch { Issue.record("\(error)") }
      fixture.store.remove((0..<4).map { "https://a/\(page - 1)/\($0)" })
    }
  }

  /// Reads the page and then each picture on it.
  /// - Returns: the number of pictures, and the number of missing pictures.
  private static func readPage(in cache: String) -> (read: Int, gone: Int) {
    guard let page = try? File.read("\(cache)/page", limit: 10_000) else { return (0, 0) }
    var outcome = (read: 0, gone: 0)
    for path in String(decoding: page, as: UTF8.self).split(separator: "\n") {
      // The pause gives other threads a chance to run.
      sched_yield()
      if (try? File.read("\(cache)/\(path)", limit: 1000)) != nil { outcome.read += 1 } else { outcome.gone += 1 }
    }
    return outcome
  }

  @Test("while another process reads a page, none of the page's pictures are removed")
  func processes() async throws {
    let fixture = PictureFixture(folder.path)
    Self.publishAndPurge(fixture, pages: 1...1)
    async let first = Self.readInAnotherProcess(folder.path, "first")
    async let second = Self.readInAnotherProcess(folder.path, "second")
    await withCheckedContinuation { done in
      DispatchQueue(label: "publisher").async { @Sendable in
        var page = 2
        while page < 100_000, !["first", "second"].allSatisfy({ File.exists("\(fixture.cache)/\($0)") }) {
          Self.publishAndPurge(fixture, pages: page...page)
          page += 1
        }
        Self.publishAndPurge(fixture, pages: page...page + 80)
        try? AtomicFile.write([], to: "\(fixture.cache)/over", .replaced)
        done.resume()
      }
    }
    for outcome in await [first, second] { #expect(outcome == "0 gone") }
    // Without readers, pictures that are not on any page are removed at the next opportunity.
    fixture.store.remove([])
    #expect(fixture.store.totalBytes == 4 * 200)
  }

  /// - Returns: the output of the reader.
  private static func readInAnotherProcess(_ cache: String, _ name: String) async -> String {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [cache = cache as String, name = name as String] in
      try AtomicFile.write([], to: "\(cache)/\(name)", .replaced)
      var (rounds, gone, read) = (0, 0, 0)
      while rounds == 0 || !File.exists("\(cache)/over") {
        let outcome = try MediaReading.during("\(cache)/_media") { Self.readPage(in: cache) }
        (rounds, gone, read) = (rounds + 1, gone + outcome.gone, read + outcome.read)
        if rounds > 1_000_000 { break }
      }
      let result = read > 0 ? "\(gone) gone" : "nothing was read"
      print("\u{2}\(result)\u{3}")
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    guard let begin = text.firstIndex(of: "\u{2}"), let end = text.firstIndex(of: "\u{3}") else { return text }
    return String(text[text.index(after: begin)..<end])
  }

  @Test("removing a picture waits for a page that is being written")
  func writing() {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    let path = fixture.publish(["https://a/1"])["https://a/1"]
    fixture.publish([])
    let isRemoved = DispatchSemaphore(value: 0)
    fixture.store.name([], by: "account:fish") { _ in
      DispatchQueue(label: "purge").async { @Sendable in
        fixture.store.remove(["https://a/1"])
        isRemoved.signal()
      }
      #expect(isRemoved.wait(timeout: .now() + .milliseconds(100)) == .timedOut)
      #expect(fixture.has(path))
    }
    #expect(isRemoved.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(!fixture.has(path))
  }

  @Test("a picture purged while a reader is working is removed later")
  func later() throws {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    fixture.fetch("https://a/2", picture(2))
    let path = fixture.publish(["https://a/1"])["https://a/1"]
    fixture.publish([])
    try MediaReading.during(fixture.folder) {
      fixture.store.remove(["https://a/1"])
      fixture.publish([])
      #expect(fixture.has(path))
    }
    fixture.publish([])
    #expect(!fixture.has(path))
  }

  @Test("a picture due for removal is kept if a page refers to it again")
  func namedAgain() throws {
    let fixture = PictureFixture(folder.path)
    fixture.fetch("https://a/1", picture(1))
    fixture.fetch("https://b/1", picture(1))
    let path = fixture.publish(["https://a/1"])["https://a/1"]
    fixture.publish([])
    try MediaReading.during(fixture.folder) {
      fixture.store.remove(["https://a/1"])
      fixture.publish(["https://b/1"], by: "account:fish")
    }
    fixture.store.remove([])
    #expect(fixture.has(path))
  }

  @Test("without pictures, a reader acquires no lock and creates nothing")
  func nothing() throws {
    #expect(try MediaReading.during("\(folder.path)/_media") { 7 } == 7)
    #expect(!File.exists("\(folder.path)/_media"))
  }
}
