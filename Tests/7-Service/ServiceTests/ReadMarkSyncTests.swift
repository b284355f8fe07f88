import Accounts
import Folders
import Formats
import HTTP
import HomelineOAuth
import JSON
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

/// Read marks that an account shares with the user's other clients, at a simulated server.
@Suite(.timeLimit(.minutes(3))) struct ReadMarkSyncTests {
  fileprivate static let notifications = try! TimelineName("notifications")
  fileprivate static let path = "/api/v1/markers"

  /// An account with `sync_marks`, and another client of the same user.
  private final class Fixture: Sendable {
    let base: BearerFixture<MastodonSandbox>
    let account: AccountSettings

    init(
      _ flavour: MastodonFlavour = .mastodon, scopes: [String] = ["write:statuses", "read:notifications"],
      every interval: Duration = .seconds(60)
    ) async throws {
      base = try BearerFixture(flavour, scopes: scopes, timelines: [ReadMarkSyncTests.notifications])
      var account = base.account
      account.syncsMarks = true
      account.refreshInterval = interval
      account.ownTimelines = account.timelines.map(account.inherited)
      self.account = account
      let configuration = Configuration(callback: CallbackSettings(port: 0), accounts: [account])
      await withCheckedContinuation { done in base.accountManager.adopt(configuration) { done.resume() } }
    }

    /// Refreshes the account at the user's request. No refresh may fail.
    @discardableResult
    func refresh() async -> [RefreshReport] {
      let reports = await base.accountManager.refreshed([account])
      #expect(reports.count == 2 && reports.allSatisfy { $0.failure == nil }, "\(reports)")
      return reports
    }

    func published(_ timeline: TimelineName = .home) throws -> TimelineFile {
      try TimelineFile.read(try File.read(base.files.published(of: timeline).timeline, limit: 1 << 24))
    }

    func ids(_ timeline: TimelineName = .home) throws -> [PostID] { try published(timeline).posts.map(\.entryID) }

    /// Marks posts as read, as `homeline read` does.
    func read(upTo id: PostID? = nil, in timeline: TimelineName = .home) async throws {
      let result = await withCheckedContinuation { done in
        do throws(OperationError) {
          try base.accountManager.mark(account, in: timeline, upTo: id) { done.resume(returning: $0) }
        } catch { done.resume(returning: .failure(error)) }
      }
      _ = try result.get()
    }

    /// Sets the server's mark, as another client does.
    func set(_ timeline: TimelineName = .home, to id: PostID) throws {
      let authorization = "Bearer " + (try base.token().accessToken.withExposedText { $0 })
      let form = [Parameter("\(timeline.kind.rawValue)[last_read_id]", id.text)]
      let now = base.time.now
      let response = base.play { $0.response(to: .form(ReadMarkSyncTests.path, form, authorization), at: now) }.response
      #expect(response.status == .ok)
    }

    /// The server's marks, by timeline.
    func marks() throws -> [String: String] {
      let authorization = "Bearer " + (try base.token().accessToken.withExposedText { $0 })
      let now = base.time.now
      let request = Request(
        method: .get,
        target: RequestTarget("\(ReadMarkSyncTests.path)?timeline%5B%5D=home&timeline%5B%5D=notifications")!,
        headers: [.host: "127.0.0.1:4000", "Authorization": FieldValue(authorization)!])
      let body = base.play { $0.provider.response(to: request, at: now) }.response.body
      var marks: [String: String] = [:]
      var cursor = JSONCursor(body)
      try cursor.members { cursor, timeline in
        try cursor.members { cursor, member in
          if member == "last_read_id" { marks[timeline.text] = try cursor.string() } else { try cursor.skip() }
        }
      }
      return marks
    }

    /// The methods of the requests for marks that homeline has sent.
    var requests: [String] { base.visits.filter { $0.path == ReadMarkSyncTests.path }.map { "\($0.method)" } }

    func close() async { await base.close() }
  }

  @Test("a mark that another client has set makes the posts up to it read, in the home timeline and in notifications")
  func fromServer() async throws {
    let fixture = try await Fixture()
    await fixture.refresh()
    let (post, event) = try (fixture.ids()[7], fixture.ids(Self.notifications)[3])
    try fixture.set(to: post)
    try fixture.set(Self.notifications, to: event)
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    let home = try fixture.published()
    #expect(home.head.readUpTo == post && home.head.unread == home.posts.firstIndex { $0.entryID == post })
    let events = try fixture.published(Self.notifications)
    #expect(events.head.readUpTo == event)
    #expect(events.head.unread == events.posts.firstIndex { $0.entryID == event })
    #expect(fixture.requests.allSatisfy { $0 == "GET" }, "\(fixture.requests)")
    await fixture.close()
  }

  @Test(
    "what `homeline read` marks reaches the server with the next refresh, at most once a minute",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma, .snac])
  func toServer(flavour: MastodonFlavour) async throws {
    let fixture = try await Fixture(flavour)
    await fixture.refresh()
    let (ids, event) = try (fixture.ids(), fixture.ids(Self.notifications)[2])
    try await fixture.read(upTo: ids[9])
    try await fixture.read(upTo: event, in: Self.notifications)
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    #expect(try fixture.marks()["home"] == ids[9].text)
    #expect(try fixture.marks()["notifications"] == event.text)
    try await fixture.read(upTo: ids[4])
    fixture.base.time.pass(.seconds(20))
    await fixture.refresh()
    #expect(try fixture.marks()["home"] == ids[9].text, "less than a minute has passed")
    fixture.base.time.pass(.seconds(41))
    await fixture.refresh()
    #expect(try fixture.marks()["home"] == ids[4].text)
    #expect(fixture.requests.count { $0 == "POST" } == 2)
    await fixture.close()
  }

  @Test("no mark moves backwards, neither the server's nor homeline's")
  func forwardsOnly() async throws {
    let fixture = try await Fixture()
    await fixture.refresh()
    let ids = try fixture.ids()
    try fixture.set(to: ids[2])
    try await fixture.read(upTo: ids[8])
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    #expect(try fixture.marks()["home"] == ids[2].text && fixture.published().head.readUpTo == ids[2])
    try fixture.set(to: ids[9])
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    #expect(try fixture.marks()["home"] == ids[2].text && fixture.published().head.readUpTo == ids[2])
    await fixture.close()
  }

  @Test("a mark far above the newest post makes only the known posts read")
  func aboveNewest() async throws {
    let fixture = try await Fixture()
    await fixture.refresh()
    try fixture.set(to: PostID("99999999999999999999"))
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    #expect(try fixture.published().head.readUpTo == fixture.ids()[0])
    await fixture.close()
  }

  @Test("if another client sets a mark at the same time, the marks are read again, and set with a later refresh")
  func conflict() async throws {
    let fixture = try await Fixture()
    await fixture.refresh()
    let event = try fixture.ids(Self.notifications)[1]
    try await fixture.read(upTo: event, in: Self.notifications)
    // The other program marks everything as read.
    fixture.base.play { $0.quirks.conflictsOnMarkers = true }
    let before = fixture.requests.count
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    #expect(Array(fixture.requests.dropFirst(before).prefix(3)) == ["GET", "POST", "GET"])
    #expect(fixture.requests.dropFirst(before).count { $0 == "POST" } == 1)
    #expect(try fixture.published().head.readUpTo?.text == fixture.marks()["home"])
    fixture.base.play { $0.quirks.conflictsOnMarkers = false }
    await fixture.close()
  }

  @Test("a login without the scope to set marks only reads them, and this is said once")
  func missingScope() async throws {
    let fixture = try await Fixture(scopes: ["read:notifications"])
    let first = await fixture.refresh().flatMap(\.warnings)
    #expect(
      first == [
        "the login does not allow homeline to set read marks on the server, which needs the scope write:statuses, so "
          + "sync_marks only reads them. To log in again with this permission, run: homeline login ann"
      ])
    try await fixture.read()
    fixture.base.time.pass(.seconds(61))
    #expect(await fixture.refresh().flatMap(\.warnings) == [])
    #expect(fixture.requests.allSatisfy { $0 == "GET" } && fixture.requests.count >= 2)
    #expect(try fixture.marks().isEmpty)
    await fixture.close()
  }

  @Test("a login asks for the scope to set marks only with `sync_marks`")
  func login() async throws {
    let fixture = try await Fixture()
    try await fixture.base.accountManager.logIn(fixture.account).get()
    #expect(try fixture.base.token().scope == "read:accounts read:statuses read:notifications write:statuses")
    let without = Configuration(callback: CallbackSettings(port: 0), accounts: [fixture.base.account])
    await withCheckedContinuation { done in fixture.base.accountManager.adopt(without) { done.resume() } }
    try await fixture.base.accountManager.logIn(fixture.base.account).get()
    #expect(try fixture.base.token().scope == "read:accounts read:statuses read:notifications")
    await fixture.close()
  }

  @Test("a server that fails to return the marks does not make the refresh fail, and is asked again later")
  func failing() async throws {
    let fixture = try await Fixture()
    fixture.base.play {
      $0.faults.add(.respond(Response(status: StatusCode(503), headers: [:], body: [])), to: Self.path)
    }
    await fixture.refresh()
    fixture.base.time.pass(.seconds(61))
    await fixture.refresh()
    #expect(fixture.requests.count >= 2)
    await fixture.close()
  }

  @Test("a server without shared marks is asked again after an hour, and then ever more rarely")
  func notKept() async throws {
    let fixture = try await Fixture(every: .seconds(900))
    let missing = Response(
      status: .notFound, headers: [.contentType: "application/json"], body: Array(#"{"error":"Not found"}"#.utf8))
    fixture.base.play { $0.faults.add(.respond(missing), to: Self.path, times: 1000) }
    await fixture.base.start()
    await fixture.base.run(for: .seconds(86_400))
    let times = fixture.base.visits.filter { $0.path == Self.path }.map(\.at)
    let pauses = zip(times.dropFirst(), times).map { ($0 - $1).components.seconds }
    #expect(pauses.count == 4, "\(pauses)")
    #expect(pauses.enumerated().allSatisfy { $1 >= 3600 << $0 && $1 < (3600 << $0) + 1000 }, "\(pauses)")
    await fixture.close()
  }

  @Test("the service asks for the marks at most once a minute, and sets none that have not moved")
  func service() async throws {
    let fixture = try await Fixture()
    await fixture.base.start()
    await fixture.base.run(for: .seconds(1800))
    #expect((15...31).contains(fixture.requests.count) && !fixture.requests.contains("POST"), "\(fixture.requests)")
    #expect(fixture.base.visits.count { $0.path == "/api/v1/timelines/home" } >= 25)
    await fixture.close()
  }
}
