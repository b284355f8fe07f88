import Accounts
import Dispatch
import Folders
import Formats
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

private let friends = try! TimelineName("list:Friends")

/// An account with a list besides its home timeline, at a simulated server.
@Suite struct OtherTimelinesTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>

  private func fixture(
    _ timelines: [TimelineName] = [friends], scopes: [String] = ["read:lists"]
  ) throws -> Fixture { try Fixture(.mastodon, scopes: scopes, timelines: timelines) }

  private func file(of name: TimelineName, _ fixture: Fixture) throws -> String {
    try fixture.files.published(of: name).timeline
  }

  private func published(_ name: TimelineName, _ fixture: Fixture) throws -> TimelineFile {
    try TimelineFile.read(try File.read(file(of: name, fixture), limit: 1 << 24))
  }

  /// Refreshes all timelines at the user's request.
  private func refresh(_ fixture: Fixture) async -> [TimelineName: RefreshReport] {
    let reports = await fixture.accountManager.refreshed([fixture.account])
    return Dictionary(uniqueKeysWithValues: reports.map { ($0.timeline, $0) })
  }

  private func requests(_ fixture: Fixture) -> [String] { fixture.visits.map(\.path) }

  private func configuration(_ account: AccountSettings) -> Configuration {
    Configuration(callback: CallbackSettings(port: 0), accounts: [account])
  }

  @Test("a refresh of the account fetches and publishes each timeline, and asks for a list's id once")
  func both() async throws {
    let fixture = try fixture()
    let reports = await refresh(fixture)
    #expect(Set(reports.keys) == [.home, friends])
    #expect(reports.values.allSatisfy { $0.failure == nil }, "\(reports)")
    #expect(try published(.home, fixture).head.timeline == .home)
    #expect(try published(friends, fixture).head.timeline == friends)
    #expect(try published(friends, fixture).head.freshUntil != nil)
    fixture.time.pass(.seconds(120))
    _ = await refresh(fixture)
    #expect(requests(fixture).count { $0 == "/api/v1/lists" } == 1)
    #expect(requests(fixture).contains { $0.hasPrefix("/api/v1/timelines/list/") })
    await fixture.close()
  }

  @Test("each timeline is published with its own number of posts and formats")
  func settings() async throws {
    let fixture = try fixture()
    var account = fixture.account
    account.ownTimelines?[1].publish = [.text]
    account.ownTimelines?[1].keepPosts = 3
    fixture.accountManager.adopt(configuration(account))
    _ = await fixture.accountManager.refreshed([account])
    #expect(try published(friends, fixture).posts.count == 3)
    #expect(try published(.home, fixture).posts.count > 3)
    let files = try fixture.files.published(of: friends)
    #expect(File.exists(files.published(as: .text)) && !File.exists(fixture.files.published(as: .text)))
    await fixture.close()
  }

  @Test("the account's schedule refreshes each timeline at its own interval")
  func intervals() async throws {
    let fixture = try fixture()
    var account = fixture.account
    account.ownTimelines?[1].refreshInterval = .seconds(600)
    fixture.accountManager.adopt(configuration(account))
    await fixture.start()
    await fixture.run(for: .seconds(1800))
    let lists = requests(fixture).count { $0.hasPrefix("/api/v1/timelines/list/") }
    let homes = requests(fixture).count { $0 == "/api/v1/timelines/home" }
    #expect((3...12).contains(lists) && homes > 2 * lists, "\(homes) \(lists)")
    await fixture.close()
  }

  @Test("a list that is deleted while it is due has a problem that says what to do, and the home timeline goes on")
  func deletedList() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    fixture.play { $0.quirks.timelines.lists = .deleted }
    fixture.time.pass(.seconds(120))
    let reports = await refresh(fixture)
    let failure = try #require(reports[friends]?.failure)
    #expect(failure.message.contains("There is no list “Friends”") && failure.message.contains("deleted or renamed"))
    #expect(
      failure.message.hasSuffix(
        "Change the name in the configuration. To see the server's lists, run: homeline timelines ann"),
      "\(failure.message)")
    #expect(reports[.home]?.failure == nil)
    #expect(try published(friends, fixture).head.problem?.code == .configuration)
    #expect(try published(friends, fixture).head.staleSince != nil)
    #expect(try published(.home, fixture).head.problem == nil)
    await fixture.close()
  }

  @Test("a list that is renamed while it is due is fetched by its id")
  func renamedList() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    fixture.play { $0.quirks.timelines.lists = .renamed }
    fixture.time.pass(.seconds(120))
    let reports = await refresh(fixture)
    #expect(reports[friends]?.failure == nil && reports[.home]?.failure == nil)
    #expect(requests(fixture).count { $0 == "/api/v1/lists" } == 1)
    await fixture.close()
  }

  @Test(
    "links to another server, to the page itself and on without end change neither the posts nor the number of requests",
    arguments: [MastodonQuirks.Links.toAnotherHost, .toItself, .endless])
  func links(links: MastodonQuirks.Links) async throws {
    let tag = try TimelineName("tag:trains")
    func fetched(_ links: MastodonQuirks.Links) async throws -> (posts: [PostID], requests: Int) {
      let fixture = try fixture([friends, tag])
      fixture.play { $0.quirks.links = links }
      #expect(await refresh(fixture).values.allSatisfy { $0.failure == nil })
      defer { Task { await fixture.close() } }
      return (try [friends, tag].flatMap { try published($0, fixture).posts.map(\.id) }, requests(fixture).count)
    }
    let (usual, strange) = try await (fetched(.own), fetched(links))
    #expect(!usual.posts.isEmpty && strange.posts == usual.posts)
    #expect(strange.requests <= usual.requests + 2, "\(strange.requests) \(usual.requests)")
  }

  @Test("a page of one post that is repeated is stored once, and the refresh ends")
  func repeated() async throws {
    let fixture = try fixture()
    fixture.play { $0.quirks.timelines.repeatsEntry = true }
    #expect(await refresh(fixture).values.allSatisfy { $0.failure == nil })
    let posts = try published(friends, fixture).posts.map(\.id)
    #expect(!posts.isEmpty && Set(posts).count == posts.count)
    #expect(requests(fixture).count <= 30, "\(requests(fixture).count)")
    await fixture.close()
  }

  @Test("a list that was deleted is asked for again after an hour, and then after growing pauses of at most a day")
  func pauses() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    fixture.play { $0.quirks.timelines.lists = .deleted }
    await fixture.start()
    await fixture.run(for: .seconds(3 * 86_400))
    let asked = fixture.visits.filter { $0.path == "/api/v1/lists" }.map(\.at).dropFirst()
    let pauses = zip(asked.dropFirst(), asked).map { ($0 - $1).components.seconds }
    #expect(pauses.prefix(5).enumerated().allSatisfy { $1 >= 3600 << $0 && $1 < (3600 << $0) + 600 }, "\(pauses)")
    #expect(pauses.allSatisfy { $0 <= 86_400 + 600 } && pauses.count >= 5)
    #expect(requests(fixture).count { $0 == "/api/v1/timelines/home" } > 1000)
    await fixture.close()
  }

  @Test("a list that was made again has another id, which is asked for after a 404")
  func newID() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    let account = try fixture.accountManager.account(fixture.account)
    account.queue.sync { try? account.store.update { $0[friends].reference = "4711" } }
    fixture.time.pass(.seconds(120))
    #expect(await refresh(fixture)[friends]?.failure == nil)
    #expect(requests(fixture).count { $0 == "/api/v1/lists" } == 2)
    #expect(account.queue.sync { account.store.knownState[friends].reference } != "4711")
    await fixture.close()
  }

  @Test("of two lists with one title, none is chosen: the problem contains both ids")
  func sameTitle() async throws {
    let fixture = try fixture([try TimelineName("list:Reading")])
    let failure = try #require(await refresh(fixture)[TimelineName("list:Reading")]?.failure)
    #expect(failure.message.contains("2 lists “Reading”") && failure.message.split(separator: "list:").count == 3)
    #expect(failure.message.hasSuffix("run: homeline timelines ann"), "\(failure.message)")
    await fixture.close()
  }

  @Test(
    "a missing scope is a problem of the timeline alone, even if the server answers with 401", arguments: [true, false])
  func scope(isUnauthorized: Bool) async throws {
    let fixture = try fixture(scopes: [])
    fixture.play { $0.quirks.refusesScopesAsUnauthorized = isUnauthorized }
    let reports = await refresh(fixture)
    let failure = try #require(reports[friends]?.failure)
    #expect(
      failure.message.hasPrefix("The login does not permit reading list:Friends, which needs the scope read:lists (")
        && failure.message.hasSuffix("To log in again with this permission, run: homeline login ann"),
      "\(failure.message)")
    #expect(reports[.home]?.failure == nil)
    let account = try fixture.accountManager.account(fixture.account)
    #expect(account.queue.sync { !account.store.knownState.needsLogin })
    #expect(try published(.home, fixture).head.problem == nil)
    #expect(try published(friends, fixture).head.problem?.code == .notAuthorised)
    await fixture.close()
  }

  @Test("if the account's own scopes leave out the scope of a timeline, its problem says to add it")
  func ownScopes() async throws {
    let fixture = try fixture(scopes: [])
    var account = fixture.account
    account.scopes = ["read:accounts", "read:statuses", "write"]
    fixture.accountManager.adopt(configuration(account))
    let reports = await fixture.accountManager.refreshed([account], [friends])
    let failure = try #require(reports.first?.failure)
    #expect(
      failure.message.hasSuffix(
        #"Add it to the account's "scopes" in the configuration, then run: homeline login ann"#), "\(failure.message)")
    await fixture.close()
  }

  @Test("a token that was revoked is a problem of all timelines, even if a list notices it first")
  func revoked() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    fixture.server.with { $0.refusals["ann"] = MastodonError.token(.revoked).response(.mastodon) }
    fixture.time.pass(.seconds(120))
    let reports = await fixture.accountManager.refreshed([fixture.account], [friends])
    #expect(reports.map(\.failure?.kind) == [.notAuthorised])
    #expect(try published(.home, fixture).head.problem?.code == .notAuthorised)
    #expect(try published(friends, fixture).head.problem?.code == .notAuthorised)
    await fixture.close()
  }

  @Test("a timeline that a reload adds is fetched, and one that it takes out loses its files but not its posts")
  func reload() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    await fixture.start()
    let path = try file(of: friends, fixture)
    #expect(File.exists(path))
    var without = fixture.account
    without.ownTimelines = nil
    await adopt(without, fixture)
    #expect(!File.exists(path) && File.exists(fixture.files.timeline))
    let account = try fixture.accountManager.account(without)
    #expect(account.timelines.count == 1)
    #expect(fixture.accountManager.scheduler.snapshots[without.name]?.timelines.isEmpty == true)
    let before = requests(fixture).count { $0.hasPrefix("/api/v1/timelines/list/") }
    await fixture.run(for: .seconds(300))
    #expect(requests(fixture).count { $0.hasPrefix("/api/v1/timelines/list/") } == before)
    await adopt(fixture.account, fixture)
    #expect(File.exists(path), "the archived posts are published at once")
    await fixture.run(for: .seconds(300))
    #expect(requests(fixture).count { $0.hasPrefix("/api/v1/timelines/list/") } > before)
    await fixture.close()
  }

  @Test("a response for a timeline that was taken out of the settings in the meantime is discarded")
  func takenOutWhileDue() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    fixture.time.pass(.seconds(120))
    let path = try file(of: friends, fixture)
    var without = fixture.account
    without.ownTimelines = nil
    let isAsked = Locked(false)
    let mayAnswer = DispatchSemaphore(value: 0)
    fixture.server.with {
      $0.beforeAnswer = { path in
        if path.hasPrefix("/api/v1/timelines/list/"), isAsked.setOnce() { mayAnswer.wait() }
      }
    }
    async let reports = fixture.accountManager.refreshed([fixture.account], [friends])
    #expect(try await eventually { isAsked.withLock { $0 } })
    await withCheckedContinuation { done in
      fixture.accountManager.adopt(configuration(without)) { done.resume() }
    }
    mayAnswer.signal()
    #expect(await reports.map(\.failure?.kind) == [.tryAgain(at: nil)])
    #expect(!File.exists(path))
    await fixture.close()
  }

  @Test("a page that was requested before a reload added a timeline, and so a scope, is stored")
  func addedWhileDue() async throws {
    let fixture = try fixture([])
    let isAsked = Locked(false)
    let mayAnswer = DispatchSemaphore(value: 0)
    fixture.server.with {
      $0.beforeAnswer = { path in if path == "/api/v1/timelines/home", isAsked.setOnce() { mayAnswer.wait() } }
    }
    async let reports = fixture.accountManager.refreshed([fixture.account], [.home])
    #expect(try await eventually { isAsked.withLock { $0 } })
    var account = fixture.account
    account.ownTimelines = [.home, friends].map(account.inherited)
    await withCheckedContinuation { done in
      fixture.accountManager.adopt(configuration(account)) { done.resume() }
    }
    mayAnswer.signal()
    #expect(await reports.map(\.failure) == [nil])
    #expect(try published(.home, fixture).posts.isEmpty == false)
    // The added timeline can be refreshed although no service schedules the account.
    #expect(await fixture.accountManager.refreshed([account], [friends]).map(\.timeline) == [friends])
    await fixture.close()
  }

  @Test("the files of a timeline that was taken out while no service ran are removed when the account is opened")
  func leftovers() async throws {
    let fixture = try fixture()
    _ = await refresh(fixture)
    await withCheckedContinuation { done in fixture.accountManager.shutDown { done.resume() } }
    let path = try file(of: friends, fixture)
    let (own, leftover) = ("\(fixture.files.cacheFolder)/notes.txt", "\(path).new-1")
    for file in [own, leftover] { try AtomicFile.write([], to: file, .replaced) }
    #expect(File.exists(path))
    let next = fixture.nextAccountManager()
    var without = fixture.account
    without.ownTimelines = nil
    next.adopt(configuration(without))
    _ = try next.account(without)
    #expect(!File.exists(path) && !File.exists(leftover))
    #expect(File.exists(fixture.files.timeline) && File.exists(own))
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    await fixture.close()
  }

  @Test("only the timelines that are due are refreshed if the others are not")
  func onlyDue() async throws {
    let fixture = try fixture()
    var account = fixture.account
    account.ownTimelines?[1].refreshInterval = .seconds(6000)
    fixture.accountManager.adopt(configuration(account))
    _ = await fixture.accountManager.refreshed([account])
    fixture.time.pass(.seconds(600))
    try File.remove(file(of: friends, fixture))
    let reports = await fixture.accountManager.refreshed([account], onlyDue: true)
    #expect(reports.map(\.timeline) == [.home])
    #expect(File.exists(try file(of: friends, fixture)), "a deleted file is restored without a request")
    await fixture.close()
  }

  private func adopt(_ account: AccountSettings, _ fixture: Fixture) async {
    await withCheckedContinuation { done in
      fixture.accountManager.adopt(configuration(account)) { done.resume() }
    }
    await fixture.settle()
  }
}

extension AccountManager {
  /// Refreshes timelines of accounts at the user's request.
  fileprivate func refreshed(_ accounts: [AccountSettings], _ names: [TimelineName]) async -> [RefreshReport] {
    await withCheckedContinuation { done in
      refresh(accounts, names, on: .global()) { done.resume(returning: $0) }
    }
  }
}
