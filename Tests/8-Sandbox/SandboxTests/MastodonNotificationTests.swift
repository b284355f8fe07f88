import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("Notifications and markers on a simulated Mastodon server")
struct MastodonNotificationTests {
  private static let path = "/api/v1/notifications"

  @Test("Every type of notification occurs, including one that no client knows")
  func types() throws {
    var client = try MastodonTestClient.loggedIn()
    let types = Set(try client.whole("type", Self.path + "?limit=80"))
    #expect(types == Set(SandboxEvent.Kind.allCases.map(\.rawValue)))
    for (flavour, count) in [(MastodonFlavour.oldMastodon, 8), (.goToSocial, 7), (.akkoma, 8), (.snac, 4)] {
      var other = try MastodonTestClient.loggedIn(flavour)
      #expect(Set(try other.whole("type", Self.path + "?limit=500")).count == count, "\(flavour)")
    }
  }

  @Test(
    "Following the links misses no notification, in either direction",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma])
  func paging(flavour: MastodonFlavour) throws {
    var client = try MastodonTestClient.loggedIn(flavour)
    let all = try client.whole("id", Self.path + "?limit=80")
    #expect(all.count > 100 && Set(all).count == all.count)
    #expect(try client.whole("id", Self.path + "?limit=7") == all)
    let times = try client.whole("created_at", Self.path + "?limit=80")
    #expect(times == times.sorted(by: >))
    // From the oldest page, upwards.
    let page = client.get(Self.path + "?limit=9&max_id=\(all[80])")
    #expect(try client.column("id", MastodonTestClient.link("prev", page) ?? "") == Array(all[72..<81]))
    #expect(try client.column("id", Self.path + "?limit=9&since_id=\(all[80])") == Array(all[0..<9]))
    client.now = client.now + .seconds(3_600)
    // Akkoma's tokens last ten minutes.
    try client.login(["scope": "read write"])
    let later = try client.whole("id", Self.path + "?limit=80")
    #expect(later.contains(all[0]) && later[0] != all[0], "new notifications are above the known ones")
  }

  @Test("A page has 40 notifications by default and at most 80, and on snac one by default")
  func limits() throws {
    for (flavour, usual, most) in [(MastodonFlavour.mastodon, 40, 80), (.goToSocial, 20, 80), (.snac, 1, 100)] {
      var client = try MastodonTestClient.loggedIn(flavour)
      #expect(try client.column("id", Self.path).count == usual)
      #expect(try client.column("id", Self.path + "?limit=100").count == most)
    }
  }

  @Test("Types can be selected and excluded, and links repeat the selection")
  func selection() throws {
    var client = try MastodonTestClient.loggedIn()
    let some = "?limit=5&types%5B%5D=favourite&types%5B%5D=follow"
    #expect(Set(try client.whole("type", Self.path + some)) == ["favourite", "follow"])
    #expect(
      try client.column("type", Self.path + some + "&exclude_types%5B%5D=favourite")
        == Array(repeating: "follow", count: 5))
    #expect(Set(try client.whole("account.id", Self.path + "?account_id=14000401")) == ["14000401"])
  }

  @Test("A mention by somebody the user follows is the same post as in the home timeline")
  func mentions() throws {
    var client = try MastodonTestClient.loggedIn()
    let posts = try client.whole("status.id", Self.path + "?types%5B%5D=mention")
    let known = try client.whole("account.username", Self.path + "?types%5B%5D=mention")
    #expect(known.contains("kai_demo") && known.contains("ida_maps"))
    let home = try client.ids("?limit=40") + client.whole("id", "/api/v1/timelines/home?limit=40")
    #expect(zip(posts, known).allSatisfy { home.contains($0) ? $1 == "kai_demo" : true })
    #expect(posts.contains { home.contains($0) } || known.filter { $0 == "kai_demo" }.count < 3)
    for id in posts { #expect(client.get("/api/v1/statuses/\(id)").status == .ok) }
    let contents = try client.whole("status.content", Self.path + "?types%5B%5D=mention")
    #expect(contents.allSatisfy { $0.contains("mira_demo") })
  }

  @Test("Notifications about accounts have no post, and others have one")
  func posts() throws {
    for flavour in [MastodonFlavour.mastodon, .oldMastodon] {
      var client = try MastodonTestClient.loggedIn(flavour)
      let rows = zip(
        try client.whole("type", Self.path + "?limit=80"), try client.whole("status.id", Self.path + "?limit=80"))
      let without = Set(rows.filter { $0.1.isEmpty }.map(\.0))
      #expect(without.isSubset(of: ["follow", "follow_request", "severed_relationships", "sandbox.wave"]))
      #expect(without.contains("follow") && rows.allSatisfy { without.contains($0.0) == $0.1.isEmpty })
      let text = client.get(Self.path + "?limit=1&types%5B%5D=follow").text
      #expect(text.contains("\"status\":null") == (flavour == .oldMastodon))
    }
  }

  @Test("Likes of one post in one hour share a group key, and it is missing before 4.3")
  func groups() throws {
    var client = try MastodonTestClient.loggedIn()
    let keys = try client.whole("group_key", Self.path + "?types%5B%5D=favourite")
    let posts = try client.whole("status.id", Self.path + "?types%5B%5D=favourite")
    #expect(Set(keys).count < keys.count && keys.allSatisfy { $0.hasPrefix("favourite-") })
    for (key, post) in zip(keys, posts) { #expect(key.contains(post)) }
    let others = try client.whole("group_key", Self.path + "?types%5B%5D=mention")
    #expect(Set(others).count == others.count && others.allSatisfy { $0.hasPrefix("ungrouped-") })
    var old = try MastodonTestClient.loggedIn(.oldMastodon)
    #expect(!old.get(Self.path).text.contains("group_key"))
  }

  @Test("The details of rare notifications are complete")
  func details() throws {
    var client = try MastodonTestClient.loggedIn()
    func first(_ type: String, _ more: String = "") throws -> ReceivedTable {
      try client.table(Self.path + "?limit=1&types%5B%5D=\(type)" + more)
    }
    #expect(try first("severed_relationships")[".0.event.target_name"] == "gone.example")
    #expect(try first("poll")[".0.status.poll.expired"] == "true")
    #expect(try first("update")[".0.status.edited_at"] != nil)
    #expect(try first("quote")[".0.status.quote.quoted_status.account.username"] == "mira_demo")
    #expect(try first("sandbox.wave")[".0.fallback.title"] == nil)
    let wave = try first("sandbox.wave", "&supported_types%5B%5D=mention")
    #expect(wave[".0.fallback.title"]?.hasSuffix("waved at you") == true)
    #expect(try first("sandbox.wave", "&supported_types%5B%5D=sandbox.wave")[".0.fallback.title"] == nil)
  }

  @Test("A deleted post takes its notifications with it")
  func deleted() throws {
    var client = try MastodonTestClient.loggedIn()
    let path = Self.path + "?types%5B%5D=mention"
    let posts = try client.whole("status.id", path)
    client.server.quirks.deleted = [posts[0]]
    #expect(try client.whole("status.id", path) == Array(posts.dropFirst()))
  }

  @Test("The number of unread notifications is relative to the marker and has a limit")
  func unread() throws {
    var client = try MastodonTestClient.loggedIn()
    let ids = try client.whole("id", Self.path + "?limit=80")
    func count(_ query: String = "") throws -> String? {
      try client.table(Self.path + "/unread_count" + query)["count"]
    }
    #expect(try count() == "100")
    #expect(try count("?limit=1000") == "\(ids.count)" && count("?limit=7") == "7")
    #expect(client.post("/api/v1/markers", form: [Parameter("notifications[last_read_id]", ids[4])]).status == .ok)
    #expect(try count() == "4")
    var social = try MastodonTestClient.loggedIn(.goToSocial)
    #expect(social.get(Self.path + "/unread_count").status == .notFound)
  }

  // MARK: Markers

  @Test("Markers are set by a form or by JSON, and each change has a new version")
  func markers() throws {
    var client = try MastodonTestClient.loggedIn()
    #expect(client.get("/api/v1/markers?timeline%5B%5D=home").text == "{}")
    let set = try ReceivedTable(client.post("/api/v1/markers", form: [Parameter("home[last_read_id]", "17")]))
    #expect(set["home.last_read_id"] == "17" && set["home.version"] == "1")
    var request = OAuth2TestClient.request(
      .post, "/api/v1/markers",
      ["Authorization": FieldValue("Bearer \(client.token)")!, .contentType: "application/json"])
    request.body = Array(
      #"{"home":{"last_read_id":"18"},"notifications":{"last_read_id":5},"other":{"last_read_id":"1"}}"#.utf8)
    #expect(client.send(request).status == .ok)
    let both = try client.table("/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications")
    #expect(both["home.last_read_id"] == "18" && both["home.version"] == "2")
    #expect(both["notifications.last_read_id"] == "5" && both["other.last_read_id"] == nil)
    #expect(try client.table("/api/v1/markers?timeline%5B%5D=home")["notifications.version"] == nil)
    #expect(client.get("/api/v1/markers").text == "{}", "only requested timelines are returned")
  }

  @Test("If another program sets the markers at the same time, a request fails with 409 and changes nothing")
  func conflict() throws {
    var client = try MastodonTestClient.loggedIn()
    #expect(client.post("/api/v1/markers", form: [Parameter("home[last_read_id]", "17")]).status == .ok)
    client.server.quirks.conflictsOnMarkers = true
    let refused = client.post("/api/v1/markers", form: [Parameter("home[last_read_id]", "18")])
    #expect(refused.status == .conflict)
    let marker = try client.table("/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications")
    #expect(try marker["home.version"] == "2" && marker["home.last_read_id"] == client.ids("?limit=1")[0])
    #expect(try marker["notifications.last_read_id"] == client.column("id", Self.path + "?limit=1")[0])
    client.server.quirks.conflictsOnMarkers = false
    #expect(client.post("/api/v1/markers", form: [Parameter("home[last_read_id]", "19")]).status == .ok)
  }

  @Test("Setting a marker requires the scope for writing")
  func markerScope() throws {
    var client = try MastodonTestClient.loggedIn(scopes: "read:statuses")
    let form = [Parameter("home[last_read_id]", "1")]
    #expect(client.post("/api/v1/markers", form: form).status == .forbidden)
    var writer = try MastodonTestClient.loggedIn(scopes: "write:statuses")
    #expect(writer.post("/api/v1/markers", form: form).status == .ok)
    #expect(
      writer.post("/api/v1/markers", form: [Parameter("home[last_read_id]", String(repeating: "1", count: 101))]).status
        .code == 422)
  }
}
