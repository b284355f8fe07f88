import Accounts
import ControlProtocol
import Platform
import PublishedFiles
import Settings
import TestSupport
import Testing

@testable import Service

@Suite("Changes that open pages show") struct ContentChangesTests {
  private func run(_ request: some ControlRequest, in fixture: ControlFixture) throws {
    let client = try fixture.client()
    try #require(client.ask(request) == 200)
    while let event = try client.next() {
      guard let end = event as? EndEvent else { continue }
      return #expect(end.exit == .done, "\(end)")
    }
  }

  @Test("New posts and a moved read mark are reported when they can be read, and a refresh that changes nothing is not")
  func timeline() throws {
    let fixture = try ControlFixture()
    let (changes, seen) = (fixture.accountManager.changes, Locked<[ContentChange]>([]))
    changes.observe { change, _ in seen.withLock { $0.append(change) } }
    let login = try fixture.login("one")
    fixture.authorise(login)
    while let event = try login.client.next(), !(event is EndEvent) {}
    #expect(fixture.waitUntilIdle())
    let key = TimelineKey.home(of: AccountName("one")!)
    guard case .timeline(key, let first) = seen.withLock({ $0.last }) else {
      Issue.record("\(seen.withLock { $0 })")
      return
    }
    #expect(first.unread == 20 && first.newest?.hasPrefix("post-one-") == true, "\(first)")
    try run(MarkRequest(account: "one", upTo: nil), in: fixture)
    guard case .timeline(key, let second) = seen.withLock({ $0.last }) else {
      Issue.record("\(seen.withLock { $0 })")
      return
    }
    #expect(second.unread == 0 && second.newest == first.newest)
    for _ in 0..<3 { try run(RefreshRequest(accounts: ["one"]), in: fixture) }
    let all = seen.withLock { $0 }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 != $1 }, "\(all)")
    #expect(changes.count == all.count)
    changes.observe(nil)
    try run(MarkRequest(account: "one", upTo: nil), in: fixture)
    #expect(seen.withLock { $0 } == all)
  }
}
