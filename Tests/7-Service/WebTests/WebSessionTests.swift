import Folders
import Platform
import TestSupport
import Testing
import Time

@testable import Web

@Suite("The browsers that may show the web page") struct WebSessionTests {
  private let folder = TemporaryFolder()
  private let now = Locked(Timestamp(seconds: 1_790_000_000))
  private var path: String { "\(folder.path)/_web/sessions" }

  private func sessions() -> WebSessions {
    WebSessions(path, clock: WallClock { [now] in now.withLock { $0 } }, log: .silent)
  }

  @Test("A session outlives the process, and its secret is not in the file")
  func stored() throws {
    let secret = try sessions().begin()
    #expect(secret.utf8.count == 64)
    let facts = try FileStatus.of(path)
    #expect(facts.permissions == 0o600)
    #expect(try FileStatus.of("\(folder.path)/_web").permissions == 0o700)
    let text = String(decoding: try File.read(path, limit: 10_000), as: UTF8.self)
    #expect(!text.contains(secret) && text.contains("\"hash\""))
    let again = sessions()
    #expect(again.session(secret) != nil)
    #expect(again.session(String(secret.reversed())) == nil)
    #expect(again.session("") == nil)
  }

  @Test("The oldest of 16 sessions ends when another begins")
  func many() throws {
    let sessions = sessions()
    let secrets = try (0..<18).map { number in
      now.withLock { $0 = Timestamp(seconds: 1_790_000_000 + Int64(number)) }
      return try sessions.begin()
    }
    #expect(secrets.map { sessions.session($0) != nil } == [false, false] + Array(repeating: true, count: 16))
    #expect(secrets.map { self.sessions().session($0) != nil } == [false, false] + Array(repeating: true, count: 16))
  }

  @Test("A session ends after 30 days")
  func old() throws {
    let sessions = sessions()
    let secret = try sessions.begin()
    now.withLock { $0 = Timestamp(seconds: 1_790_000_000 + 30 * 86_400 - 1) }
    #expect(sessions.session(secret) != nil)
    now.withLock { $0 = Timestamp(seconds: 1_790_000_000 + 30 * 86_400) }
    #expect(sessions.session(secret) == nil)
  }

  @Test("A session survives a clock that is set back, but not one that began while the clock was far ahead")
  func clock() throws {
    let sessions = sessions()
    let secret = try sessions.begin()
    now.withLock { $0 = Timestamp(seconds: 1_790_000_000 - 29 * 86_400) }
    #expect(sessions.session(secret) != nil)
    now.withLock { $0 = Timestamp(seconds: 1_790_000_000 + 3_000 * 86_400) }
    let late = try sessions.begin()
    #expect(sessions.session(late) != nil)
    now.withLock { $0 = Timestamp(seconds: 1_790_000_000) }
    #expect(sessions.session(late) == nil)
    #expect(try self.sessions().session(late) == nil && sessions.begin() != late)
    now.withLock { $0 = Timestamp(seconds: 1_790_000_000 + 3_000 * 86_400) }
    #expect(sessions.session(late) == nil)
  }

  @Test("Ending one session or all of them changes the file")
  func ended() throws {
    let sessions = sessions()
    let first = try sessions.begin()
    let second = try sessions.begin()
    try sessions.end(try #require(sessions.session(first)))
    #expect(sessions.session(first) == nil && self.sessions().session(first) == nil)
    #expect(self.sessions().session(second) != nil)
    #expect(try sessions.endAll() == 1)
    #expect(self.sessions().session(second) == nil)
  }

  @Test(
    "A file that is not from homeline counts as no sessions",
    arguments: [
      "", "{", "[]", "{\"sessions\":3}", "{\"sessions\":[{\"hash\":\"xy\",\"made_at\":\"2026-11-27T00:00:00Z\"}]}",
    ])
  func damaged(text: String) throws {
    try Folder.create("\(folder.path)/_web")
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
    let secret = try sessions().begin()
    #expect(sessions().session(secret) != nil)
  }

  @Test("A file that others can read counts as no sessions")
  func readable() throws {
    let secret = try sessions().begin()
    _ = try Descriptor.open(path, 0).setMode(0o644)
    #expect(sessions().session(secret) == nil)
  }

  @Test("A session that cannot be stored does not begin")
  func unstored() throws {
    try AtomicFile.write([], to: "\(folder.path)/_web", .replaced)
    let sessions = sessions()
    #expect(throws: WebError.self) { try sessions.begin() }
    #expect(throws: SystemError.self) { try sessions.endAll() }
  }

  @Test("A session ends even if this cannot be stored")
  func endedWithoutDisk() throws {
    let sessions = sessions()
    let changes = Locked(0)
    let secrets = try (0..<3).map { _ in try sessions.begin() }
    let first = try #require(sessions.session(secrets[0]))
    sessions.onChange { changes.withLock { $0 += 1 } }
    try File.remove(path)
    try Folder.create("\(path)/occupied")
    #expect(throws: SystemError.self) { try sessions.end(first) }
    #expect(secrets.map { sessions.session($0) != nil } == [false, true, true])
    #expect(throws: SystemError.self) { try sessions.endAll() }
    #expect(secrets.allSatisfy { sessions.session($0) == nil } && changes.withLock { $0 } == 2)
  }
}
