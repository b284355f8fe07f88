import Accounts
import Dispatch
import HTTP
import HomelineOAuth
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import Testing
import Time
import Timeline

@testable import Sandbox

/// Bookmarks that the user adds and removes on a simulated server.
@Suite(.timeLimit(.minutes(3))) struct MarkWalkTests {
  private static let path = "/api/v1/bookmarks"
  private static let week = Duration.seconds(7 * 86_400)
  private static let bookmarks = try! TimelineName("bookmarks")

  /// An account with all of the user's 60 bookmarks.
  private final class Fixture: Sendable {
    let base: BearerFixture<MastodonSandbox>

    init(_ flavour: MastodonFlavour = .mastodon, keepPosts: Int = 200) async throws {
      base = try BearerFixture(
        flavour, keepPosts: keepPosts, scopes: ["read:bookmarks", "write:bookmarks"], timelines: [bookmarks])
      await refresh()
      await refresh(after: .seconds(120))
    }

    func refresh(after pause: Duration = .zero) async {
      base.time.pass(pause)
      let reports = await base.accountManager.refreshed([base.account])
      #expect(reports.count == 2 && reports.allSatisfy { $0.failure == nil }, "\(reports)")
    }

    /// The stored posts of a timeline, newest mark first.
    func stored(_ timeline: TimelineName = bookmarks) throws -> [PostID] {
      let account = try base.accountManager.account(base.account)
      return try account.queue.sync {
        try account.store.database.posts(of: timeline, below: nil, atMost: 10_000).map(\.mark.id)
      }
    }

    /// Returns whether the archive contains a post, in whichever timeline.
    func hasPost(_ id: PostID) throws -> Bool {
      let account = try base.accountManager.account(base.account)
      return try account.queue.sync { try account.store.database.post(id, in: .everything) != nil }
    }

    /// Bookmarks a post, or removes its bookmark, as another client does.
    func mark(_ id: PostID, _ verb: String) throws {
      let authorization = "Bearer " + (try base.token().accessToken.withExposedText { $0 })
      let now = base.time.now
      let response = base.play {
        $0.provider.response(to: .form("/api/v1/statuses/\(id)/\(verb)", [], authorization), at: now)
      }.response
      #expect(response.status == .ok)
    }

    /// The number of requests for bookmarks.
    var requests: Int { base.visits.count { $0.path == path } }

    func close() async { await base.close() }
  }

  @Test(
    "a new bookmark and one that is set again are found with the next refresh",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .snac])
  func added(flavour: MastodonFlavour) async throws {
    let fixture = try await Fixture(flavour)
    let before = try fixture.stored()
    let home = try fixture.stored(.home)
    try fixture.mark(home[3], "bookmark")
    await fixture.refresh(after: .seconds(120))
    #expect(try fixture.stored() == [home[3]] + before)
    try fixture.mark(before[7], "unbookmark")
    try fixture.mark(before[7], "bookmark")
    await fixture.refresh(after: .seconds(120))
    #expect(try fixture.stored() == [before[7], home[3]] + before.filter { $0 != before[7] })
    await fixture.close()
  }

  @Test(
    "a removed bookmark leaves the timeline after a week, and its post leaves the archive unless home has it",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma])
  func removed(flavour: MastodonFlavour) async throws {
    let fixture = try await Fixture(flavour)
    let inHome = try fixture.stored(.home)[5]
    try fixture.mark(inHome, "bookmark")
    await fixture.refresh(after: .seconds(120))
    let before = try fixture.stored()
    #expect(before.count == 61)
    for index in [0, 30, 60] { try fixture.mark(before[index], "unbookmark") }
    await fixture.refresh(after: .seconds(6 * 86_400))
    #expect(try fixture.stored() == before)
    let asked = fixture.requests
    await fixture.refresh(after: .seconds(86_400))
    #expect(try fixture.stored() == before.indices.filter { ![0, 30, 60].contains($0) }.map { before[$0] })
    #expect(fixture.requests - asked <= 5, "two pages, perhaps an empty one, and the newest page twice")
    #expect(before[0] == inHome, "the newest bookmark")
    #expect(try fixture.hasPost(inHome) && !fixture.hasPost(before[30]) && !fixture.hasPost(before[60]))
    // The next walk is a week later.
    let after = try fixture.stored()
    try fixture.mark(after[10], "unbookmark")
    await fixture.refresh(after: .seconds(6 * 86_400))
    #expect(try fixture.stored() == after)
    await fixture.close()
  }

  @Test("a walk ends where the stored bookmarks end")
  func asFarAsStored() async throws {
    let fixture = try await Fixture(keepPosts: 5)
    let before = try fixture.stored()
    #expect(before.count < 60)
    try fixture.mark(before[2], "unbookmark")
    let asked = fixture.requests
    await fixture.refresh(after: Self.week)
    // A bookmark that was below the first page has moved onto it.
    let after = try fixture.stored()
    #expect(after.dropLast() == before.filter { $0 != before[2] }[...])
    #expect(after.last.map(before.contains) == false)
    #expect(fixture.requests - asked <= 3)
    await fixture.close()
  }

  @Test("a bookmark that is set again during a walk stays")
  func setAgain() async throws {
    let fixture = try await Fixture()
    let before = try fixture.stored()
    try fixture.mark(before[1], "unbookmark")
    await fixture.base.start()
    fixture.base.time.pass(Self.week)
    await fixture.base.run(for: .seconds(1))
    let account = try fixture.base.accountManager.account(fixture.base.account)
    try #require(account.queue.sync { account.timelines[Self.bookmarks]?.isWalking } == true)
    try fixture.mark(before[50], "unbookmark")
    try fixture.mark(before[50], "bookmark")
    await fixture.base.run(for: .seconds(300))
    #expect(account.queue.sync { account.timelines[Self.bookmarks]?.isWalking } == false)
    #expect(try fixture.stored() == [before[50]] + before.filter { $0 != before[1] && $0 != before[50] })
    await fixture.close()
  }

  @Test("a walk that is interrupted removes nothing, and begins again", arguments: [true, false])
  func interrupted(byRestart: Bool) async throws {
    let fixture = try await Fixture()
    let before = try fixture.stored()
    try fixture.mark(before[1], "unbookmark")
    let refusal = Response(
      status: StatusCode(byRestart ? 503 : 404), headers: [.contentType: "application/json"],
      body: Array(#"{"error":"Not found"}"#.utf8))
    fixture.base.play {
      $0.faults.add(.alter { _ in }, to: Self.path)
      $0.faults.add(.respond(refusal), to: Self.path)
    }
    fixture.base.time.pass(Self.week)
    _ = await fixture.base.accountManager.refreshed([fixture.base.account])
    #expect(try fixture.stored() == before)
    if byRestart {
      await withCheckedContinuation { done in fixture.base.accountManager.shutDown { done.resume() } }
      let next = fixture.base.nextAccountManager()
      fixture.base.time.pass(.seconds(3600))
      let reports = await next.refreshed([fixture.base.account])
      #expect(reports.allSatisfy { $0.failure == nil }, "\(reports)")
      let account = try next.account(fixture.base.account)
      let stored = try account.queue.sync {
        try account.store.database.posts(of: Self.bookmarks, below: nil, atMost: 1000).map(\.mark.id)
      }
      #expect(stored == before.filter { $0 != before[1] })
      await withCheckedContinuation { done in next.shutDown { done.resume() } }
    } else {
      await fixture.refresh(after: .seconds(2 * 86_400))
      #expect(try fixture.stored() == before.filter { $0 != before[1] })
    }
    await fixture.close()
  }

  @Test(
    "links that lead nowhere, to another server or on without end remove nothing below the page that they are on",
    arguments: [MastodonQuirks.Links.missing, .toAnotherHost, .toItself, .endless])
  func links(links: MastodonQuirks.Links) async throws {
    let fixture = try await Fixture()
    let before = try fixture.stored()
    fixture.base.play { $0.quirks.links = links }
    let asked = fixture.requests
    try fixture.mark(before[1], "unbookmark")
    await fixture.refresh(after: Self.week)
    #expect(try fixture.stored() == before.filter { $0 != before[1] })
    #expect(fixture.requests - asked <= 5)
    await fixture.close()
  }

  @Test("a page of one post that is repeated removes no bookmark")
  func repeated() async throws {
    let fixture = try await Fixture()
    let before = try fixture.stored()
    fixture.base.play { $0.quirks.timelines.repeatsEntry = true }
    let asked = fixture.requests
    await fixture.refresh(after: Self.week)
    #expect(try fixture.stored() == before)
    #expect(fixture.requests - asked <= 4)
    await fixture.close()
  }

  @Test("snac's bookmarks, which have no links, are compared as far as its page reaches")
  func snac() async throws {
    let fixture = try await Fixture(.snac)
    let before = try fixture.stored()
    try fixture.mark(before[3], "unbookmark")
    await fixture.refresh(after: Self.week)
    // A bookmark that was below the first page has moved onto it.
    let after = try fixture.stored()
    #expect(after.dropLast() == before.filter { $0 != before[3] }[...])
    #expect(after.last.map(before.contains) == false)
    await fixture.close()
  }

  @Test("the service's walk leaves the requests that its refreshes need, and exceeds no limit")
  func windows() async throws {
    let base = try BearerFixture(
      .mastodon, keepPosts: 200, limit: 12, scopes: ["read:bookmarks", "write:bookmarks"],
      timelines: [Self.bookmarks])
    await base.start()
    await base.run(for: .seconds(3600))
    base.time.pass(Self.week)
    let asked = base.visits.count
    await base.run(for: .seconds(3600))
    let visits = base.visits.dropFirst(asked)
    #expect(visits.allSatisfy { $0.status == 200 }, "\(visits.map(\.status))")
    #expect(visits.count { $0.path == Self.path } >= 5)
    await base.close()
  }
}
