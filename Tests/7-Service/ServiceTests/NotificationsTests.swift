import Accounts
import Dispatch
import Folders
import Formats
import Platform
import PublishedFiles
import Sandbox
import SandboxSupport
import Service
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Time
import Timeline

/// An account with the timelines `notifications` and `mentions` beside home, at a simulated server.
@Suite struct NotificationsTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>
  private let notifications = try! TimelineName("notifications")
  private let mentions = try! TimelineName("mentions")

  private func fixture(_ flavour: MastodonFlavour = .mastodon) throws -> Fixture {
    try Fixture(flavour, scopes: ["read:notifications"], timelines: [notifications, mentions])
  }

  private func published(_ name: TimelineName, _ fixture: Fixture) throws -> TimelineFile {
    try TimelineFile.read(try File.read(fixture.files.published(of: name).timeline, limit: 1 << 24))
  }

  private func refresh(_ fixture: Fixture) async throws {
    let reports = await fixture.accountManager.refreshed([fixture.account])
    #expect(reports.count == 3 && reports.allSatisfy { $0.failure == nil }, "\(reports)")
  }

  /// Runs the body with the account's storage.
  private func stored<Value>(
    _ fixture: Fixture, _ body: (any AccountStorage) throws -> Value
  ) throws -> Value {
    let account = try fixture.accountManager.account(fixture.account)
    return try account.queue.sync { try body(account.store.database) }
  }

  @Test(
    "a post in home that is also mentioned and liked is stored once, and published in each timeline",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .snac])
  func timelines(flavour: MastodonFlavour) async throws {
    let fixture = try fixture(flavour)
    try await refresh(fixture)
    let events = try published(notifications, fixture)
    #expect(events.head.timeline == notifications && events.head.problem == nil)
    let posts = events.posts
    #expect(posts.count > 10 && posts.allSatisfy { $0.notice != nil })
    #expect(posts.contains(where: \.isEventOnly) && !posts.allSatisfy(\.isEventOnly))
    #expect(zip(posts, posts.dropFirst()).allSatisfy { $0.enteredAt >= $1.enteredAt }, "the newest event is first")
    let mentioned = try published(mentions, fixture).posts
    #expect(!mentioned.isEmpty && mentioned.allSatisfy { $0.notice?.knownKind == .mention && !$0.isEventOnly })
    let home = try published(.home, fixture).posts
    #expect(!home.isEmpty && home.allSatisfy { $0.notice == nil })
    // Each post is stored once, and each event has an entry.
    try stored(fixture) { storage in
      var ids: Set<PostID> = []
      for timeline in [.home, notifications, mentions] {
        for known in try storage.posts(of: timeline, below: nil, atMost: 10_000) {
          let post = try PostJSON.read(known.json)
          if !post.isEventOnly { ids.insert(post.id) }
        }
      }
      let integrity = try storage.integrity { _, _ in }
      #expect(integrity.problems == [] && integrity.posts == ids.count)
    }
    await fixture.close()
  }

  @Test("a refresh that brings no new event stores and publishes nothing")
  func nothingNew() async throws {
    let fixture = try fixture()
    try await refresh(fixture)
    let file = try fixture.files.published(of: notifications).timeline
    let before = try (
      File.read(file, limit: 1 << 24), stored(fixture) { try $0.posts(of: notifications, below: nil, atMost: 1000) }
    )
    // No event happens within a second.
    fixture.time.pass(.seconds(1))
    let reports = await fixture.accountManager.refreshed([fixture.account])
    #expect(reports.allSatisfy { $0.failure == nil })
    #expect(try stored(fixture) { try $0.posts(of: notifications, below: nil, atMost: 1000) } == before.1)
    #expect(try TimelineFile.read(File.read(file, limit: 1 << 24)).posts == TimelineFile.read(before.0).posts)
    await fixture.close()
  }

  @Test("events that happen later are new, and those before them stay published")
  func later() async throws {
    let fixture = try fixture()
    try await refresh(fixture)
    let before = try published(notifications, fixture).posts.map(\.entryID)
    fixture.time.pass(.seconds(6 * 3600))
    try await refresh(fixture)
    let after = try published(notifications, fixture).posts.map(\.entryID)
    let new = after.prefix { !before.contains($0) }
    #expect(!new.isEmpty && Set(after).count == after.count)
    #expect(try stored(fixture) { try $0.spans(of: notifications).all.count } == 1)
    #expect(Array(after.dropFirst(new.count)) == Array(before.prefix(after.count - new.count)))
    await fixture.close()
  }
}
