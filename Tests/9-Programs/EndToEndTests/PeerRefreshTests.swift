import Platform
import TestSupport
import Testing

/// Refreshes and a logout at an OAuth 1.0a server built on oauthlib.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct PeerRefreshTests {
  private func loggedIn(
    _ options: [String], keepPosts: Int = 800
  ) async throws -> (OAuth1PeerServer, OAuth1PeerFixture) {
    let server = try await OAuth1PeerServer(.oauthlib, ["--authorize", "approve"] + options)
    let fixture = try OAuth1PeerFixture(server, further: #", "keep_posts": \#(keepPosts)"#)
    let login = try await fixture.login()
    try #require(login.outcome.code == 0, "\(login.outcome.error)")
    return (server, fixture)
  }

  @Test("A second refresh requests and adds only new posts")
  func growth() async throws {
    let (server, fixture) = try await loggedIn(["--grow", "3"])
    let before = try server.seen("home_timeline").count
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.output == "bird: 3 new posts, in \(fixture.timelineFile)\n")
    let requests = try server.seen("home_timeline").dropFirst(before)
    #expect(requests.count == 1)
    #expect(requests.first?.parameters.contains("since_id") == true)
    #expect(requests.first?.parameters.contains("max_id") == false)
    #expect(try fixture.publishedIDs() == PeerTimeline.ids(453))
    #expect(try fixture.home.published("bird")["gaps"].items.isEmpty)
  }

  @Test("A refresh with more than one page of new posts fetches pages until it reaches the known posts")
  func wideGrowth() async throws {
    let (server, fixture) = try await loggedIn(["--posts", "20", "--grow", "450"])
    let outcome = try await fixture.home.run("refresh", "bird")
    #expect(outcome.output == "bird: 450 new posts, in \(fixture.timelineFile)\n", "\(outcome.error)")
    #expect(try fixture.publishedIDs() == PeerTimeline.ids(470))
    #expect(try fixture.home.published("bird")["gaps"].items.isEmpty)
    #expect(try server.seen("home_timeline").last?.parameters.contains("max_id") == true)
  }

  @Test("The server responds to a refresh of an unchanged page with 304, and the published file stays complete")
  func unchanged() async throws {
    let (server, fixture) = try await loggedIn(["--etag"])
    // The first refresh is the first request with since_id, so only the second can get a 304.
    for _ in 0..<2 {
      let outcome = try await fixture.home.run("refresh")
      #expect(outcome.output == "bird: nothing new, in \(fixture.timelineFile)\n", "\(outcome.error)")
    }
    #expect(try server.seen("home_timeline").suffix(2).map(\.status) == [200, 304])
    #expect(try fixture.publishedIDs() == PeerTimeline.ids(450))
    #expect(try fixture.home.published("bird")["error"] == .null)
  }

  @Test("keep_posts limits both the published posts and the pages fetched")
  func keepPosts() async throws {
    let (server, fixture) = try await loggedIn([], keepPosts: 250)
    #expect(try fixture.publishedIDs() == Array(PeerTimeline.ids(450).prefix(250)))
    #expect(try server.seen("home_timeline").count == 2)
  }

  @Test("`homeline daemon --once` restores a deleted cache folder without sending a request")
  func deletedCache() async throws {
    let (server, fixture) = try await loggedIn([])
    let before = try File.read(fixture.timelineFile, limit: 1 << 24)
    let requestsBefore = try server.seen().count
    try File.rename("\(fixture.home.path)/cache", to: "\(fixture.home.path)/gone")
    let outcome = try await fixture.home.run("daemon", "--once")
    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    #expect(try server.seen().count == requestsBefore)
    #expect(try File.read(fixture.timelineFile, limit: 1 << 24) == before)
    #expect(try await fixture.home.run("show", "--limit", "1").code == 0)
  }

  @Test("While the server is down, the published file keeps the last posts and is marked as stale")
  func gone() async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let (server, fixture) = try await loggedIn(["--port", "\(reserved.port)"])
    await server.stop()
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 69)
    #expect(outcome.output == "")
    let timeline = try fixture.home.published("bird")
    #expect(timeline["error"]["code"].text == "network")
    #expect(timeline["stale_since"].text != nil)
    #expect(try fixture.publishedIDs() == PeerTimeline.ids(450))
  }

  @Test("`homeline logout` deletes the token but keeps the posts, and later refreshes fail without a request")
  func logout() async throws {
    let (server, fixture) = try await loggedIn([])
    let logout = try await fixture.home.run("logout", "bird")
    #expect(logout.code == 0)
    #expect(logout.output.contains("the token was deleted from this machine"))
    #expect(!File.exists(fixture.tokenFile))
    #expect(try fixture.home.published("bird")["error"]["code"].text == "not-authorised")
    #expect(try fixture.publishedIDs() == PeerTimeline.ids(450))

    let requestsBefore = try server.seen().count
    #expect(try await fixture.home.run("daemon", "--once").code == 0)
    let refresh = try await fixture.home.run("refresh")
    #expect(refresh.code == 77)
    #expect(refresh.error.contains("homeline login bird"))
    #expect(try server.seen().count == requestsBefore)

    #expect(try await fixture.login().outcome.code == 0)
    #expect(try fixture.home.published("bird")["error"] == .null)
  }
}
