import CivilTime
import HTTP
import HomelineOAuth
import JSON
import Publish
import Sandbox
import Service
import Settings
import Store
import Testing
import Timeline

/// Edits of posts that are known already, at a server that pages upwards.
@Suite struct EditedPostsTests {
  private func house() async throws -> BearerHouse<MastodonSandbox> {
    let house = try BearerHouse(MastodonSandbox(.goToSocial)) { address in
      AccountSettings(
        name: AccountName("ann")!, provider: "mastodon", credentials: .selfRegistered,
        server: try RequestURL(address), refreshInterval: .seconds(60), keepPosts: 40)
    }
    let now = house.time.now
    let form = [
      Parameter("client_name", "homeline"), Parameter("redirect_uris", OAuth2Road.redirect),
      Parameter("scopes", "read:accounts read:statuses"),
    ]
    let answer = house.play { $0.answer(to: .form("/api/v1/apps", form), at: now) }.response
    var texts: [String: String] = [:]
    var cursor = JSONCursor(answer.body)
    try cursor.members { json, name in texts[name.text] = try json.stringOrSkip() }
    let (id, secret) = (try #require(texts["client_id"]), Secret(try #require(texts["client_secret"])))
    try ClientStore(house.layout.server("127.0.0.1:\(house.server.port)")).keep(
      Store.RegisteredClient(redirect: OAuth2Road.redirect, identifier: id, secret: secret, registeredAt: now))
    try house.authorise(
      as: OAuth2Client(identifier: id, secret: secret, authentication: .body),
      OAuth2Road(
        authorize: "/oauth/authorize", token: "/oauth/token", scopes: ["read:accounts", "read:statuses"],
        usesPKCE: false))
    return house
  }

  /// How many of the published posts that are no boosts show their edit, and how many there are.
  private func edited(_ house: BearerHouse<MastodonSandbox>) throws -> (shown: Int, all: Int) {
    let posts = try house.published().posts.filter { $0.repostedBy == nil }
    return (posts.count { $0.text.contains("Edited: ") && $0.editedAt != nil }, posts.count)
  }

  @Test("a refresh that the user asks for brings the edits of all posts of the newest page")
  func asked() async throws {
    let house = try await house()
    _ = try await house.refresh()
    #expect(try edited(house).shown == 0)
    house.play { $0.oddities.edited = (every: 1, since: house.time.now) }
    #expect(try await house.refresh().failure == nil)
    let (shown, all) = try edited(house)
    #expect(all > 20)
    #expect(shown == all)
    #expect(house.pages.count == 4, "two requests a refresh")
    await house.close()
  }

  @Test("a running service brings them within five refreshes, and reads no page twice at the others")
  func scheduled() async throws {
    let house = try await house()
    _ = try await house.refresh()
    await house.start()
    await house.run(for: .seconds(61))
    house.play { $0.oddities.edited = (every: 1, since: house.time.now) }
    let before = house.pages.count
    await house.run(for: .seconds(5 * 60))
    let (shown, all) = try edited(house)
    #expect(all > 20 && shown >= all - 1, "the newest may have come after")
    #expect((5...7).contains(house.pages.count - before))
    await house.close()
  }

  @Test("an error in place of the page that is read for edits makes no timeline stale")
  func failing() async throws {
    let house = try await house()
    _ = try await house.refresh()
    house.play {
      $0.faults.add(.change { _ in }, to: "/api/v1/timelines/home")
      $0.faults.add(
        .answer(Response(status: StatusCode(500), type: "text/html", text: "oops")), to: "/api/v1/timelines/home")
    }
    #expect(try await house.refresh().failure == nil)
    #expect(try house.published().head.problem == nil && house.published().head.staleSince == nil)
    await house.close()
  }
}
