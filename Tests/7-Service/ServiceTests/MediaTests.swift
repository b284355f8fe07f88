import Accounts
import Dispatch
import Folders
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Service
import Settings
import Testing
import Time

@Suite struct MediaTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Logs in and waits until the account has nothing left to do.
  private func logIn(_ home: PictureHome) async throws -> AccountManager {
    let accountManager = home.accountManager()
    try await accountManager.logIn(home.account).get()
    try await home.settle(accountManager)
    return accountManager
  }

  @Test(
    "pictures are fetched once, after the page is published, and the page is then published again"
  )
  func arriving() async throws {
    let home = try PictureHome()
    let accountManager = try await logIn(home)
    let kept = try home.kept()
    #expect(kept.count > 5)
    #expect(kept.values.allSatisfy { $0.starts(with: Self.png) })
    #expect(home.responses.count >= kept.count && Set(home.responses) == [200])
    let named = try home.named()
    #expect(named.count > 5 && named.isSubset(of: Set(kept.keys)))
    let asked = home.responses.count
    home.advance(300)
    _ = await accountManager.refreshed([home.account])
    try await home.settle(accountManager)
    let again = home.responses.count - asked
    #expect(again <= 10, "only new posts have new pictures")
    await shutDown(accountManager)
  }

  @Test("interrupted downloads of pictures resume, and every picture is complete in the end")
  func resumed() async throws {
    let home = try PictureHome(posts: 12)
    home.sandbox.withPictures { pictures in
      pictures.faults.add(.breakOff(after: 4000), to: "/media/", times: 3)
    }
    let accountManager = try await logIn(home)
    #expect(try Folder.names(in: "\(home.layout.mediaFolder)/part").count == 3)
    home.advance(61)
    _ = await accountManager.refreshed([home.account])
    try await home.settle(accountManager)
    #expect(home.responses.count { $0 == 206 } == 3)
    #expect(try Folder.names(in: "\(home.layout.mediaFolder)/part").isEmpty)
    for (path, bytes) in try home.kept() {
      #expect(
        bytes.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82], "\(path) does not end as a PNG does")
    }
    await shutDown(accountManager)
  }

  @Test("data that is not a picture is never stored, regardless of its declared content type")
  func impostors() async throws {
    let home = try PictureHome(posts: 12)
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"
    home.sandbox.withPictures { pictures in
      for type: FieldValue in ["image/png", "image/svg+xml", "text/html"] {
        pictures.faults.add(.respond(Response(status: .ok, type: type, text: svg)), to: "/media/")
      }
      pictures.faults.add(.respond(Response(status: .notFound, text: "404")), to: "/media/")
    }
    let accountManager = try await logIn(home)
    let kept = try home.kept()
    #expect(home.responses.count >= kept.count + 4)
    #expect(!kept.isEmpty && kept.values.allSatisfy { $0.starts(with: Self.png) })
    // The requests for pictures are held back, but the page has been published.
    let asked = home.responses.count
    home.advance(30)
    _ = await accountManager.refreshed([home.account])
    try await home.settle(accountManager)
    #expect(home.responses.count - asked <= 4)
    await shutDown(accountManager)
  }

  @Test("stored pictures never exceed the size limit")
  func limit() async throws {
    let home = try PictureHome(megabytes: 1, posts: 150)
    let accountManager = try await logIn(home)
    let bytes = try home.kept().values.reduce(0) { $0 + $1.count }
    #expect(bytes <= 1_000_000)
    // The pictures together exceed this limit.
    #expect(bytes > 900_000)
    await shutDown(accountManager)
  }

  @Test("with a size limit of zero, no picture is fetched")
  func off() async throws {
    let home = try PictureHome(megabytes: 0)
    let accountManager = try await logIn(home)
    #expect(home.responses.isEmpty)
    #expect(!File.exists(home.layout.mediaFolder))
    await shutDown(accountManager)
  }

  @Test(
    "a refresh interrupts the download of a slow picture, which is then fetched after the refresh",
    .timeLimit(.minutes(5)))
  func givingWay() async throws {
    let home = try PictureHome(posts: 12)
    let accountManager = home.accountManager()
    let reports = Locked<[RefreshReport]>([])
    let completed = DispatchGroup()
    completed.enter()
    home.sandbox.withPictures { [account = home.account] pictures in
      // This delay is longer than the client waits for any response. If the picture did not give way, the refresh would be late by as much,
      // and the picture would fail.
      pictures.faults.add(.delay(.seconds(120)), to: "/media/")
      pictures.onNextRequest = {
        accountManager.refresh([account], on: .global()) { all in
          reports.withLock { $0 = all }
          completed.leave()
        }
      }
    }
    try await accountManager.logIn(home.account).get()
    try await home.settle(accountManager)
    await withCheckedContinuation { done in completed.notify(queue: .global()) { done.resume() } }
    #expect(reports.withLock { $0.count } == 1)
    let paths = home.sandbox.withPictures { $0.records.map(\.path) }
    #expect(paths.count { $0 == paths[0] } == 2, "the picture did not fail, so it was requested again immediately")
    #expect(try !home.named().isEmpty)
    await shutDown(accountManager)
  }

  @Test("the received part of a picture is kept at shutdown, and the next service resumes the download")
  func restarted() async throws {
    let home = try PictureHome(posts: 12)
    let first = home.accountManager()
    let isAsked = DispatchSemaphore(value: 0)
    let isOver = DispatchGroup()
    isOver.enter()
    home.sandbox.withPictures { pictures in
      pictures.faults.add(.stall(after: 4000, for: .seconds(25)), to: "/media/")
      pictures.onNextRequest = {
        // The login that fetched the page ends first, while the bytes are still being transferred.
        isAsked.wait()
        DispatchQueue(label: "end").asyncAfter(deadline: .now() + .seconds(4)) { @Sendable in
          // A busy machine may need more time than a service's grace period.
          first.shutDown(grace: .seconds(20)) { isOver.leave() }
        }
      }
    }
    try await first.logIn(home.account).get()
    isAsked.signal()
    await withCheckedContinuation { done in isOver.notify(queue: .global()) { done.resume() } }
    #expect(try Folder.names(in: "\(home.layout.mediaFolder)/part").count == 1)
    // If the login takes longer than the transfer may stall, the transfer fails by itself and is retried after a minute.
    home.advance(90)
    let second = home.accountManager()
    _ = await second.refreshed([home.account])
    try await home.settle(second)
    #expect(home.responses.contains(206))
    for bytes in try home.kept().values { #expect(bytes.suffix(8).starts(with: [0x49, 0x45, 0x4E, 0x44])) }
    await shutDown(second)
  }

  private func shutDown(_ accountManager: AccountManager) async {
    await withCheckedContinuation { done in accountManager.shutDown { done.resume() } }
  }
}
