import Accounts
import Dispatch
import Folders
import Formats
import HTTP
import Platform
import PublishedFiles
import SandboxSupport
import Service
import Settings
import Storage
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// The timelines that a simulated server offers to an account.
@Suite("Offered timelines") struct TimelineOffersTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>

  private static let everything = [
    "read:lists", "read:follows", "read:notifications", "read:bookmarks", "read:favourites",
  ]
  private static let description = "/api/v2/instance"
  private static let astronomy = "/api/v1/timelines/tag/astronomy"

  private func fixture(
    _ timelines: [String] = [], flavour: MastodonFlavour = .mastodon, scopes: [String] = everything, limit: Int = 300
  ) throws -> Fixture {
    try Fixture(flavour, limit: limit, scopes: scopes, timelines: timelines.map { try TimelineName($0) })
  }

  private func offers(_ fixture: Fixture) async throws -> [String: TimelineOffer] {
    Dictionary(
      uniqueKeysWithValues: try await fixture.accountManager.offers(fixture.account).get().map { ($0.name, $0) })
  }

  private func count(_ path: String, _ fixture: Fixture) -> Int { fixture.visits.count { $0.path == path } }

  @Test("Lists come by title, or by id if the title is not unique; exclusive lists and followed hashtags are marked")
  func lists() async throws {
    let fixture = try fixture(["list:4202", "tag:Astronomy", "bookmarks"])
    let all = try await fixture.accountManager.offers(fixture.account).get()
    #expect(
      all.map(\.name) == [
        "home", "notifications", "mentions", "list:Friends", "list:Freunde & Co", "list:4203", "list:4204",
        "list:Night shift", "tag:astronomy", "tag:猫", "tag:NAME", "user:@NAME", "bookmarks", "likes",
      ])
    #expect(all.allSatisfy { $0.state == .offered && $0.failure == nil })
    #expect(all.filter(\.isExclusive).map(\.name) == ["list:Night shift"])
    #expect(all.filter(\.isFollowed).map(\.name) == ["tag:astronomy", "tag:猫"])
    #expect(
      all.compactMap { $0.configured?.description } == ["home", "list:4202", "tag:Astronomy", "bookmarks"])
    #expect(all.first { $0.name == "list:4203" }?.title == "Reading")
    // Notifications and mentions have one address, and each request is sent once.
    let requests = fixture.visits.map(\.path)
    #expect(Set(requests).count == requests.count && requests.count == 8, "\(requests)")
    await fixture.close()
  }

  @Test("Every printed name is found by a refresh")
  func found() async throws {
    let fixture = try fixture()
    var account = fixture.account
    let names = try await offers(fixture).values.compactMap { offer -> TimelineName? in
      if case .timeline(let name) = offer.subject { name } else { nil }
    }
    account.ownTimelines = ([.home] + names.filter { $0 != .home }).map(account.inherited)
    fixture.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [account]))
    let reports = await fixture.accountManager.refreshed([account])
    #expect(reports.count == names.count && reports.allSatisfy { $0.failure == nil }, "\(reports)")
    await fixture.close()
  }

  @Test(
    "A token for the home timeline alone gets an answer that names each missing scope and the login",
    arguments: [true, false])
  func homeAlone(isUnauthorized: Bool) async throws {
    let fixture = try fixture(["bookmarks"], scopes: [])
    fixture.play { $0.quirks.refusesScopesAsUnauthorized = isUnauthorized }
    let offers = try await offers(fixture)
    for (name, scope) in [
      ("notifications", "read:notifications"), ("mentions", "read:notifications"), ("list:NAME", "read:lists"),
      ("bookmarks", "read:bookmarks"), ("likes", "read:favourites"),
    ] {
      let offer = try #require(offers[name])
      #expect(offer.state == .notPermitted && offer.scope == scope && offer.failure == nil)
      #expect(offer.message?.hasSuffix("run: homeline login ann") == true, "\(offer)")
    }
    #expect(offers["bookmarks"]?.message?.contains("To log in again with this permission") == true)
    #expect(offers["likes"]?.message?.contains("Add such a timeline to the account's \"timelines\"") == true)
    let tags = try #require(offers["tag:NAME"])
    #expect(tags.state == .offered && tags.scope == "read:follows", "a hashtag's timeline needs no other scope")
    #expect(offers["home"]?.state == .offered && offers["user:@NAME"]?.state == .offered)
    let account = try fixture.accountManager.account(fixture.account)
    #expect(account.queue.sync { !account.store.knownState.needsLogin })
    #expect(count("/api/v1/timelines/home", fixture) == (isUnauthorized ? 1 : 0))
    await fixture.close()
  }

  @Test("A kind whose requests the server answers with 404 is reported as not offered, and the others are listed")
  func missing() async throws {
    let fixture = try fixture(["list:Friends"])
    fixture.play {
      for path in ["/api/v1/lists", "/api/v1/bookmarks"] { $0.faults.add(.named(.timelineMissing), to: path) }
      $0.faults.add(.named(.timelineUnimplemented), to: "/api/v1/favourites")
    }
    let offers = try await offers(fixture)
    for name in ["list:NAME", "bookmarks", "likes"] { #expect(offers[name]?.state == .missing, "\(name)") }
    #expect(offers["list:Friends"]?.configured != nil && offers["notifications"]?.state == .offered)
    await fixture.close()
  }

  @Test("A list in the settings that the server does not have, or has twice, is listed with the reason")
  func unknownLists() async throws {
    let fixture = try fixture(["list:Reading", "list:Nobody"])
    let offers = try await offers(fixture)
    #expect(offers["list:Nobody"]?.state == .missing)
    #expect(offers["list:Nobody"]?.message?.contains("There is no list “Nobody”") == true)
    #expect(offers["list:Reading"]?.message?.contains("Write list:4203 or list:4204") == true)
    #expect(offers["list:4203"]?.configured == nil)
    await fixture.close()
  }

  @Test("Hashtags that a server has switched off are reported, and the server's description is requested once a day")
  func switchedOff() async throws {
    let fixture = try fixture(["tag:astronomy"])
    fixture.play { $0.quirks.disablesTags = true }
    for _ in 0..<2 {
      let offers = try await offers(fixture)
      #expect(offers["tag:astronomy"]?.state == .switchedOff && offers["tag:NAME"]?.state == .switchedOff)
    }
    #expect(count(Self.description, fixture) == 1)
    fixture.time.pass(.seconds(86_401))
    fixture.play { $0.quirks.disablesTags = false }
    #expect(try await offers(fixture)["tag:NAME"]?.state == .offered)
    #expect(count(Self.description, fixture) == 2)
    await fixture.close()
  }

  @Test("A refresh of a hashtag that the server has switched off is a problem of this timeline alone")
  func switchedOffRefresh() async throws {
    let tag = try TimelineName("tag:astronomy")
    let fixture = try fixture(["tag:astronomy"], scopes: [])
    var account = fixture.account
    for index in 0..<2 { account.ownTimelines?[index].refreshInterval = .seconds(3600) }
    fixture.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [account]))
    let first = await fixture.accountManager.refreshed([account])
    #expect(first.allSatisfy { $0.failure == nil })
    fixture.play { $0.quirks.disablesTags = true }
    fixture.time.pass(.seconds(90_000))
    let reports = await fixture.accountManager.refreshed([account])
    let failure = try #require(reports.first { $0.timeline == tag }?.failure)
    #expect(failure.message.contains("has switched off the timelines of hashtags"), "\(failure.message)")
    #expect(reports.first { $0.timeline == .home }?.failure == nil)
    let path = try fixture.files.published(of: tag).timeline
    let published = try TimelineFile.read(try File.read(path, limit: 1 << 24))
    #expect(published.head.problem?.code == .closed && published.head.staleSince != nil && !published.posts.isEmpty)
    #expect(try fixture.published().head.problem == nil)
    // The service asks for the timeline again after growing pauses, and for the description once a day.
    await fixture.start()
    await fixture.run(for: .seconds(2 * 86_400))
    #expect((2...4).contains(count(Self.description, fixture)))
    #expect(count(Self.astronomy, fixture) < 24)
    fixture.play { $0.quirks.disablesTags = false }
    await fixture.run(for: .seconds(2 * 86_400))
    let opened = try fixture.accountManager.account(account)
    #expect(opened.queue.sync { opened.store.knownState[tag].problem == nil }, "the posts have come back")
    await fixture.close()
  }

  @Test("A quiet hashtag is not a problem, and costs one request a day for the description")
  func quiet() async throws {
    let tag = try TimelineName("tag:nothing")
    let fixture = try fixture(["tag:nothing"], scopes: [])
    for _ in 0..<3 {
      #expect(await fixture.accountManager.refreshed([fixture.account]).allSatisfy { $0.failure == nil })
      fixture.time.pass(.seconds(600))
    }
    #expect(count(Self.description, fixture) == 1)
    #expect(try File.exists(fixture.files.published(of: tag).timeline))
    await fixture.close()
  }

  @Test(
    "A moderator, who still sees the posts of a switched-off timeline, gets them without a problem")
  func moderator() async throws {
    let fixture = try fixture(["tag:astronomy"], scopes: [])
    fixture.play {
      $0.faults.add(
        .change { response in
          response = Response(
            json: Array(
              String(decoding: response.body, as: UTF8.self).replacing("\"public\"", with: "\"disabled\"").utf8))
        }, to: Self.description, times: 9)
    }
    for _ in 0..<3 {
      #expect(await fixture.accountManager.refreshed([fixture.account]).allSatisfy { $0.failure == nil })
      fixture.time.pass(.seconds(60))
    }
    #expect(try await offers(fixture)["tag:astronomy"]?.state == .offered)
    await fixture.close()
  }

  /// Returns the state as another process would read it.
  private func stored(_ fixture: Fixture) throws -> AccountState {
    let database = try #require(try fixture.storage.openForReading(.home(of: fixture.account.name), isSnapshot: false))
    defer { database.close() }
    return try database.state()
  }

  @Test("A command stores the results of all its requests once, after the last one")
  func storedOnce() async throws {
    let fixture = try Fixture(.mastodon, scopes: Self.everything, in: .files)
    #expect(try await fixture.refresh().failure == nil)
    let before = try stored(fixture)
    let read = Locked<[Timestamp?]>([])
    fixture.server.with { watched in
      watched.beforeAnswer = { [storage = fixture.storage, name = fixture.account.name, time = fixture.time] _ in
        time.pass(.seconds(1))
        let database = try? storage.openForReading(.home(of: name), isSnapshot: false)
        let askedAt = try? database?.state().askedAt
        database?.close()
        read.withLock { $0.append(askedAt) }
      }
    }
    _ = try await offers(fixture)
    #expect(read.withLock { $0.count > 2 && Set($0) == [before.askedAt] })
    let after = try stored(fixture)
    #expect(after.askedAt == fixture.time.now)
    #expect(try #require(after.rateLimit).remaining < #require(before.rateLimit).remaining)
    await fixture.close()
  }

  @Test("A limit that is reached is stored at once, even by a service")
  func storedLimit() async throws {
    let fixture = try Fixture(.mastodon, limit: 6, scopes: Self.everything, in: .files)
    await fixture.start()
    _ = try await fixture.accountManager.offers(fixture.account)
    #expect(try stored(fixture).rateLimit?.remaining == 0)
    await fixture.close()
  }

  @Test("While a limit forbids requests, none are sent, and the failure says when to try again")
  func limited() async throws {
    let fixture = try fixture(limit: 2)
    _ = await fixture.accountManager.refreshed([fixture.account])
    let before = fixture.visits.count
    let partial = try await fixture.accountManager.offers(fixture.account)
    let rows = try partial.get()
    #expect(fixture.visits.count <= before + 2)
    #expect(rows.contains { if case .tryAgain(_?)? = $0.failure?.kind { $0.state == .unknown } else { false } })
    await fixture.close()
  }

  @Test("A revoked token is a failure of the account, which is recorded")
  func revoked() async throws {
    let fixture = try fixture()
    _ = await fixture.accountManager.refreshed([fixture.account])
    fixture.server.with { $0.refusals["ann"] = MastodonError.token(.revoked).response(.mastodon) }
    let result = try await fixture.accountManager.offers(fixture.account)
    #expect(throws: OperationError.self) { try result.get() }
    let account = try fixture.accountManager.account(fixture.account)
    #expect(account.queue.sync { account.store.knownState.needsLogin })
    await fixture.close()
  }

  @Test("Without a connection, the command fails after one request; an answer that breaks off leaves the rest")
  func broken() async throws {
    let fixture = try fixture()
    fixture.play { $0.faults.add(.named(.noAnswer), to: "/api/v1/lists") }
    let result = try await fixture.accountManager.offers(fixture.account)
    if case .failure(let failure) = result { #expect(failure.kind == .unavailable) } else { Issue.record("\(result)") }
    #expect(fixture.visits.count == 1)
    fixture.play { $0.faults.add(.named(.noAnswer), to: "/api/v1/notifications") }
    let offers = try await offers(fixture)
    #expect(offers["list:Friends"]?.state == .offered && offers["notifications"]?.state == .unknown)
    #expect(offers["bookmarks"]?.failure?.kind == .unavailable)
    await fixture.close()
  }

  @Test("Followed hashtags on several pages are all listed, and links that lead nowhere end", arguments: [true, false])
  func pagesOfTags(isHostile: Bool) async throws {
    let fixture = try fixture()
    let path = "/api/v1/followed_tags"
    fixture.play {
      for page in 0..<(isHostile ? 9 : 2) {
        let names = isHostile ? ["same"] : ["t\(page)", "u\(page)"]
        let body = "[\(names.map { #"{"name":"\#($0)"}"# }.joined(separator: ","))]"
        let isLast = !isHostile && page == 1
        $0.faults.add(
          .change { response in
            let base = "http://\(fixture.server.baseURL.split(separator: "/").last ?? "")"
            response = Response(json: Array(body.utf8))
            if !isLast { response.headers.set("Link", FieldValue("<\(base)\(path)?max_id=\(page)>; rel=\"next\"")!) }
          }, to: path)
      }
    }
    let offers = try await offers(fixture)
    let followed = Set(offers.values.filter(\.isFollowed).map(\.name))
    #expect(followed == (isHostile ? ["tag:same"] : ["tag:t0", "tag:u0", "tag:t1", "tag:u1"]))
    #expect(count(path, fixture) == 2)
    await fixture.close()
  }

  @Test("Every kind of server gets an answer", arguments: MastodonFlavour.allCases)
  func flavours(flavour: MastodonFlavour) async throws {
    let fixture = try fixture(flavour: flavour)
    let offers = try await offers(fixture)
    #expect(offers.values.allSatisfy { $0.failure == nil }, "\(offers)")
    #expect(offers["list:Friends"]?.state == .offered && offers["user:@NAME"]?.state == .offered)
    await fixture.close()
  }
}

extension AccountManager {
  /// Asks which timelines the account's server offers.
  fileprivate func offers(_ account: AccountSettings) async throws -> Result<[TimelineOffer], OperationError> {
    try await withCheckedThrowingContinuation { done in
      do throws(OperationError) {
        try timelines(offeredTo: account) { done.resume(returning: $0) }
      } catch { done.resume(throwing: error) }
    }
  }
}
