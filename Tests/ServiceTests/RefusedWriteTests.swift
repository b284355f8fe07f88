import Publish
import Sandbox
import Service
import Settings
import Storage
import StorageTestSupport
import Testing
import Timeline

/// Refreshes whose storage refuses to write, over storage in memory.
@Suite struct RefusedWriteTests {
  private func stored(_ house: BearerHouse<MastodonSandbox>) throws -> (posts: Int, state: AccountState) {
    let timeline = try #require(try house.storage.openForReading(.home(of: house.account.name), isSnapshot: false))
    defer { timeline.close() }
    return (try timeline.posts(below: nil, atMost: 1000).count, try timeline.state())
  }

  @Test(
    "a page that cannot be stored is published, and stored with the next refresh",
    arguments: [StorageError.Kind.busy, .outdated, .inputOutput, .other])
  func failing(kind: StorageError.Kind) async throws {
    let house = try BearerHouse(.mastodon, in: .memory)
    let memory = try #require(house.storage as? MemoryStorage)
    #expect(try await house.refresh().failure == nil)
    let before = try stored(house)
    memory.failWrites(to: .home(of: house.account.name), 1, as: kind)
    house.time.pass(.seconds(600))
    let report = try await house.refresh()
    #expect(report.failure?.kind == .inputOutput)
    #expect(try house.published().head.problem?.code == .storage)
    #expect(try stored(house).state == before.state)
    #expect(try await house.refresh().failure == nil)
    let after = try stored(house)
    #expect(after.state.problem == nil)
    #expect(after.posts >= before.posts)
    #expect(try house.published().head.problem == nil)
    await house.close()
  }

  @Test("a refresh succeeds after another program has written to the account's storage")
  func writtenBefore() async throws {
    let house = try BearerHouse(.mastodon, in: .memory)
    let memory = try #require(house.storage as? MemoryStorage)
    #expect(try await house.refresh().failure == nil)
    memory.writeFromElsewhere(to: .home(of: house.account.name))
    house.time.pass(.seconds(600))
    #expect(try await house.refresh().failure == nil)
    #expect(try stored(house).state.problem == nil)
    #expect(try house.published().head.problem == nil)
    await house.close()
  }

  @Test("nothing is asked of X when what it costs cannot be stored")
  func unpaid() async throws {
    let house = try XHouse.ofX(in: .memory)
    let memory = try #require(house.storage as? MemoryStorage)
    #expect(try await house.refresh().failure == nil)
    let asked = house.visits.count
    memory.failWrites(to: .home(of: house.account.name), 1, as: .other)
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    #expect(house.visits.count == asked)
    #expect(try await house.refresh().failure == nil)
    await house.close()
  }
}
