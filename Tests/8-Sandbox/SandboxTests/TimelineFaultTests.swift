import HTTP
import HomelineOAuth
import SandboxSupport
import Settings
import Testing
import Time

@testable import Sandbox

@Suite("Timeline faults of the sandbox, and hostile requests for timelines")
struct TimelineFaultTests {
  private static let bookmarks = "/api/v1/bookmarks?limit=7"

  /// Returns the response to a request with a fault, if the fault applies to it.
  private func get(_ target: String, _ name: FaultName, _ client: inout MastodonTestClient) throws -> Response {
    var faults = FaultSchedule()
    faults.add(name)
    var request = OAuth2TestClient.request(.get, target, ["Authorization": FieldValue("Bearer \(client.token)")!])
    switch faults.next(for: request) {
    case .alter(let change): change(&request)
    case .respond(let response): return response
    case nil: break
    default: Issue.record("\(name) neither changes the request nor responds")
    }
    return client.send(request)
  }

  private func ids(_ response: Response) throws -> [String] {
    let table = try ReceivedTable(response)
    return (0..<(table.count(of: "") ?? 0)).map { table[".\($0).id"] ?? "" }
  }

  @Test("A missing kind of timeline is 404 or 501, and the home timeline still works")
  func kinds() throws {
    var client = try MastodonTestClient.loggedIn()
    for (name, status) in [(FaultName.timelineMissing, 404), (.timelineUnimplemented, 501)] {
      for path in ["/api/v1/lists", "/api/v1/timelines/tag/a", Self.bookmarks, "/api/v1/notifications/unread_count"] {
        #expect(try get(path, name, &client).status.code == status, "\(path)")
      }
      #expect(try get(MastodonTestClient.home, name, &client).status == .ok)
    }
  }

  @Test("A missing scope is 401 with the fault, and a granted one is not affected")
  func scopes() throws {
    var client = try MastodonTestClient.loggedIn(scopes: "read:statuses read:lists")
    #expect(try get(Self.bookmarks, .scopeUnauthorized, &client).status == .unauthorized)
    #expect(try get("/api/v1/lists", .scopeUnauthorized, &client).status == .ok)
    #expect(try get(MastodonTestClient.home, .scopeUnauthorized, &client).status == .ok)
  }

  @Test("Lists can be deleted and renamed")
  func lists() throws {
    var client = try MastodonTestClient.loggedIn()
    let id = try client.column("id", "/api/v1/lists")[0]
    #expect(try get("/api/v1/lists", .listsDeleted, &client).text == "[]")
    #expect(try get("/api/v1/timelines/list/\(id)", .listsDeleted, &client).status == .notFound)
    let renamed = try ReceivedTable(get("/api/v1/lists", .listsRenamed, &client))
    #expect(renamed[".0.title"] == "New Friends" && renamed[".0.id"] == id)
    #expect(client.get("/api/v1/timelines/list/\(id)").status == .ok)
  }

  @Test("Ids that do not sort still lead through a timeline")
  func unordered() throws {
    var client = try MastodonTestClient.loggedIn()
    for path in [Self.bookmarks, "/api/v1/notifications?limit=20", "/api/v1/timelines/home?limit=20"] {
      let first = try get(path, .idsUnordered, &client)
      let page = try ids(first)
      #expect(page.allSatisfy { $0.count == 32 } && page != page.sorted() && page != page.sorted(by: >))
      let second = try ids(get(try #require(MastodonTestClient.link("next", first)), .idsUnordered, &client))
      #expect(second.count == page.count && Set(second).isDisjoint(with: page), "\(path)")
    }
  }

  @Test("Pages can be too long, too short, or one entry repeated")
  func pages() throws {
    var client = try MastodonTestClient.loggedIn()
    let all = try client.whole("id", Self.bookmarks)
    #expect(try ids(get(Self.bookmarks, .limitIgnored, &client)) == all)
    let short = try get(Self.bookmarks, .shortPages, &client)
    #expect(try ids(short) == [all[0], all[2], all[4], all[6]])
    #expect(try ids(client.get(try #require(MastodonTestClient.link("next", short)))) == Array(all[7..<14]))
    #expect(try ids(get(Self.bookmarks, .entryRepeated, &client)) == Array(repeating: all[0], count: 7))
    let home = try client.ids("?limit=40")
    let above = try get(MastodonTestClient.home + "?limit=3&min_id=\(home[20])", .minIDAsSinceID, &client)
    #expect(try ids(above) == Array(home[0..<3]))
  }

  @Test("Links can lead to another host, to the same page, and on without end")
  func links() throws {
    var client = try MastodonTestClient.loggedIn()
    #expect(
      try get(Self.bookmarks, .linkToAnotherHost, &client).headers.first("Link")?.hasPrefix("<https://else.example/")
        == true)
    #expect(MastodonTestClient.link("next", try get(Self.bookmarks, .linkToItself, &client)) == Self.bookmarks)
    var seen: [String] = []
    var next = "/api/v1/bookmarks?limit=40"
    for _ in 0..<8 {
      next = try #require(MastodonTestClient.link("next", get(next, .linkEndless, &client)))
      #expect(!seen.contains(next))
      seen.append(next)
    }
  }

  @Test("The tags of a server that has switched them off are empty, with the fault")
  func tags() throws {
    var client = try MastodonTestClient.loggedIn()
    #expect(try get("/api/v1/timelines/tag/astronomy", .tagsDisabled, &client).text == "[]")
    let access = "configuration.timelines_access.hashtag_feeds.remote"
    #expect(try ReceivedTable(get("/api/v2/instance", .tagsDisabled, &client))[access] == "disabled")
  }

  @Test("A marker's conflict is 409, and only affects requests that set markers")
  func marker() throws {
    var faults = FaultSchedule()
    faults.add(.markerConflict)
    var client = try MastodonTestClient.loggedIn()
    var request = OAuth2TestClient.request(
      .post, "/api/v1/markers", form: [Parameter("home[last_read_id]", "1")],
      ["Authorization": FieldValue("Bearer \(client.token)")!])
    guard case .alter(let change) = faults.next(for: request) else {
      Issue.record("the fault does not apply")
      return
    }
    change(&request)
    #expect(client.send(request).status == .conflict)
    #expect(faults.next(for: OAuth2TestClient.request(.get, "/api/v1/markers")) == nil)
  }

  private static let hostileTargets: [(String, ClosedRange<Int>)] = [
    ("/api/v1/bookmarks?limit=-1", 200...200), ("/api/v1/bookmarks?limit=99999999999999999999", 200...200),
    ("/api/v1/bookmarks?max_id=99999999999999999999999", 200...200), ("/api/v1/bookmarks?max_id=%00", 200...200),
    ("/api/v1/bookmarks?max_id=1&max_id=2", 422...422), ("/api/v1/bookmarks?limit=%zz", 422...422),
    ("/api/v1/notifications?page=9223372036854775807&max_id=1", 200...200),
    ("/api/v1/notifications?types%5B%5D=%00&limit=0", 200...200),
    ("/api/v1/timelines/list/..", 200...404), ("/api/v1/timelines/list/%2e%2e%2f", 200...404),
    ("/api/v1/timelines/list/", 404...404), ("/api/v1/timelines/tag/", 404...404),
    ("/api/v1/timelines/tag/%ff", 200...200), ("/api/v1/timelines/tag/%zz", 200...200),
    ("/api/v1/timelines/tag/" + String(repeating: "a", count: 5_000), 200...200),
    ("/api/v1/accounts/-1/statuses", 200...404), ("/api/v1/accounts/lookup", 404...404),
    ("/api/v1/accounts/lookup?acct=@", 404...404), ("/api/v1/lists//accounts", 404...404),
    ("/api/v1/notifications/unread_count?limit=-5", 200...404),
  ]

  @Test("Hostile requests for timelines get a page or an error", arguments: MastodonFlavour.allCases)
  func hostile(flavour: MastodonFlavour) throws {
    var client = try MastodonTestClient.loggedIn(flavour)
    for (target, statuses) in Self.hostileTargets {
      #expect(statuses.contains(client.get(target).status.code), "\(target)")
      #expect(try statuses.contains(get(target, .linkEndless, &client).status.code), "\(target)")
    }
  }

  @Test(
    "Hostile markers are refused",
    arguments: [
      "", "[]", "{", #"{"home":[]}"#, #"{"home":{"last_read_id":{}}}"#, #"{"home":{"last_read_id":""}}"#,
      String(repeating: #"{"home":"#, count: 40),
    ])
  func hostileMarkers(body: String) throws {
    var client = try MastodonTestClient.loggedIn()
    var request = OAuth2TestClient.request(
      .post, "/api/v1/markers",
      ["Authorization": FieldValue("Bearer \(client.token)")!, .contentType: "application/json"])
    request.body = Array(body.utf8)
    #expect(client.send(request).status.code == 422)
  }
}
