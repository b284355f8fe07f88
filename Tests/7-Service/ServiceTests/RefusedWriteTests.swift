import Accounts
import Formats
import Sandbox
import Service
import Settings
import Storage
import StorageTestSupport
import Testing
import Timeline

/// Refreshes with in-memory storage that refuses writes.
@Suite struct RefusedWriteTests {
  private func stored(_ fixture: BearerFixture<MastodonSandbox>) throws -> (posts: Int, state: AccountState) {
    let timeline = try #require(try fixture.storage.openForReading(.home(of: fixture.account.name), isSnapshot: false))
    defer { timeline.close() }
    return (try timeline.posts(of: .home, below: nil, atMost: 1000).count, try timeline.state())
  }

  @Test(
    "a page that cannot be stored is still published, and is stored with the next refresh",
    arguments: [StorageError.Kind.busy, .outdated, .inputOutput, .other])
  func failing(kind: StorageError.Kind) async throws {
    let fixture = try BearerFixture(.mastodon, in: .memory)
    let memory = try #require(fixture.storage as? MemoryStorage)
    #expect(try await fixture.refresh().failure == nil)
    let before = try stored(fixture)
    memory.failWrites(to: .home(of: fixture.account.name), 1, as: kind)
    fixture.time.pass(.seconds(600))
    let report = try await fixture.refresh()
    #expect(report.failure?.kind == .inputOutput)
    #expect(try fixture.published().head.problem?.code == .storage)
    #expect(try stored(fixture).state == before.state)
    #expect(try await fixture.refresh().failure == nil)
    let after = try stored(fixture)
    #expect(after.state[.home].problem == nil)
    #expect(after.posts >= before.posts)
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test("a refresh succeeds after another program has written to the account's storage")
  func writtenBefore() async throws {
    let fixture = try BearerFixture(.mastodon, in: .memory)
    let memory = try #require(fixture.storage as? MemoryStorage)
    #expect(try await fixture.refresh().failure == nil)
    memory.writeFromElsewhere(to: .home(of: fixture.account.name))
    fixture.time.pass(.seconds(600))
    #expect(try await fixture.refresh().failure == nil)
    #expect(try stored(fixture).state[.home].problem == nil)
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }

  @Test("no request is sent to X if its cost cannot be stored")
  func unpaid() async throws {
    let fixture = try XFixture.ofX(in: .memory)
    let memory = try #require(fixture.storage as? MemoryStorage)
    #expect(try await fixture.refresh().failure == nil)
    let asked = fixture.visits.count
    memory.failWrites(to: .home(of: fixture.account.name), 1, as: .other)
    #expect(try await fixture.refresh().failure?.kind == .inputOutput)
    #expect(fixture.visits.count == asked)
    #expect(try await fixture.refresh().failure == nil)
    await fixture.close()
  }
}
