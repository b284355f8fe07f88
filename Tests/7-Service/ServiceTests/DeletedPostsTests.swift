import Accounts
import Formats
import HTTP
import Platform
import SandboxSupport
import Service
import Storage
import StorageFiles
import StorageSQLite
import Testing
import Time
import Timeline

@testable import Sandbox

/// Deleted posts at servers of the Mastodon family. If a post is missing from the newest page, homeline requests it by its own address.
@Suite struct DeletedPostsTests {
  private typealias ServiceFixture = BearerFixture<MastodonSandbox>

  private func ids(_ fixture: ServiceFixture) throws -> [String] { try fixture.published().posts.map(\.id.text) }

  /// Returns the requests for single posts that the server has received.
  private func checks(_ fixture: ServiceFixture) -> [Visit] {
    fixture.visits.filter { $0.path.hasPrefix("/api/v1/statuses/") }
  }

  /// Returns an account with 200 published posts, and their ids, newest first.
  private func filled(_ flavour: MastodonFlavour = .goToSocial, limit: Int = 300) async throws -> (
    ServiceFixture, [String]
  ) {
    let fixture = try ServiceFixture(flavour, keepPosts: 200, limit: limit)
    #expect(try await fixture.refresh().failure == nil)
    return (fixture, try ids(fixture))
  }

  private func delete(_ ids: some Sequence<String>, _ fixture: ServiceFixture) {
    fixture.play { $0.quirks.deleted.formUnion(ids) }
  }

  /// Advances the time by an hour, and refreshes until there are no new posts.
  private func anHourLater(_ fixture: ServiceFixture) async throws {
    fixture.time.pass(.seconds(3600))
    for _ in 1...2 { #expect(try await fixture.refresh().failure == nil) }
  }

  @Test(
    "a running service hides a deleted post after two checks an hour apart, and sends no other requests",
    arguments: [MastodonFlavour.mastodon, .goToSocial, .akkoma, .snac])
  func scheduled(flavour: MastodonFlavour) async throws {
    let (fixture, known) = try await filled(flavour)
    await fixture.start()
    await fixture.run(for: .seconds(61))
    delete([known[10]], fixture)
    await fixture.run(for: .seconds(6 * 60))
    #expect(checks(fixture).map(\.status) == [404])
    #expect(try ids(fixture).contains(known[10]))
    await fixture.run(for: .seconds(70 * 60))
    #expect(
      try !ids(fixture).contains(known[10]) && ids(fixture).contains(known[9]) && ids(fixture).contains(known[11]))
    let paths = checks(fixture)
    #expect(paths.map(\.path) == Array(repeating: "/api/v1/statuses/\(known[10])", count: 2))
    #expect(try #require(paths.last).at - #require(paths.first).at >= .seconds(3600))
    #expect(paths.allSatisfy { $0.account == "ann" }, "the requests contain the account's token")
    await fixture.close()
  }

  @Test("a refresh checks at most five missing posts, and each post only once")
  func five() async throws {
    let (fixture, known) = try await filled()
    delete(known[3..<10], fixture)
    for expected in [5, 7, 7] {
      _ = try await fixture.refresh()
      #expect(checks(fixture).count == expected)
    }
    #expect(Set(checks(fixture).map(\.path)).count == 7)
    try await anHourLater(fixture)
    #expect(checks(fixture).count == 14, "five posts in the first refresh, two in the second")
    #expect(try Set(ids(fixture)).isDisjoint(with: known[3..<10]))
    await fixture.close()
  }

  @Test("missing posts are not checked if they make up more than a fifth of the page")
  func fifth() async throws {
    let (fixture, known) = try await filled()
    // These are eleven of the 51 posts down to the current end of the page.
    delete(known[3..<14], fixture)
    for _ in 1...3 { _ = try await fixture.refresh() }
    #expect(checks(fixture).isEmpty)
    #expect(try Set(known[3..<14]).isSubset(of: ids(fixture)))
    await fixture.close()
  }

  @Test("a missing post that the server still has is kept, and is not checked again for a day")
  func present() async throws {
    let (fixture, known) = try await filled()
    fixture.play { $0.quirks.unlisted = [known[5]] }
    for _ in 1...3 { _ = try await fixture.refresh() }
    try await anHourLater(fixture)
    #expect(checks(fixture).map(\.status) == [200])
    #expect(try ids(fixture).contains(known[5]))
    await fixture.close()
  }

  @Test(
    "a response to a check that is neither success nor deletion proves nothing, and the refresh succeeds",
    arguments: [
      Response(status: .unauthorized), Response(status: .forbidden),
      Response(status: StatusCode(500)), Response(status: .notFound, type: "text/html", text: "<html>Not found</html>"),
      Response(status: .ok, type: "text/html", text: "<html>Log in</html>"), nil,
    ])
  func otherAnswers(response: Response?) async throws {
    let (fixture, known) = try await filled()
    delete([known[5]], fixture)
    let path = "/api/v1/statuses/\(known[5])"
    let fault = response.map { SandboxFault.respond($0) } ?? .drop(worked: false)
    fixture.play { $0.faults.add(fault, to: path, times: 10) }
    for _ in 1...3 { #expect(try await fixture.refresh().failure == nil) }
    for _ in 1...2 { try await anHourLater(fixture) }
    #expect(try ids(fixture).contains(known[5]))
    #expect(
      (1...4).contains(checks(fixture).count), "the post is checked once an hour, and again after a broken connection")
    #expect(try fixture.published().head.problem == nil && fixture.published().head.staleSince == nil)
    await fixture.close()
  }

  @Test("a check of a missing post that reaches a rate limit respects it, and proves nothing")
  func limited() async throws {
    let (fixture, known) = try await filled()
    delete([known[5]], fixture)
    let path = "/api/v1/statuses/\(known[5])"
    fixture.play { $0.faults.add(.respond(Response(status: .tooManyRequests)), to: path) }
    #expect(try await fixture.refresh().failure == nil)
    let before = fixture.visits.count
    guard case .tryAgain(let end?) = try await fixture.refresh().failure?.kind, end > fixture.time.now else {
      return #expect(Bool(false), "a refresh within the window sent a request")
    }
    #expect(fixture.visits.count == before && checks(fixture).map(\.status) == [429])
    #expect(try ids(fixture).contains(known[5]))
    await fixture.close()
  }

  @Test("each check of a missing post is recorded before it is sent, and stored with the time of its response")
  func marked() async throws {
    let (fixture, known) = try await filled()
    delete(known[3..<6], fixture)
    let marks = Locked<[Int]>([])
    let files = fixture.files
    fixture.server.with { watched in
      watched.beforeAnswer = { path in
        guard path.hasPrefix("/api/v1/statuses/") else { return }
        let unfinished = StartMarker(files).read()?.unfinished ?? 0
        marks.withLock { $0.append(unfinished) }
      }
    }
    _ = try await fixture.refresh()
    #expect(marks.withLock { $0 } == [1, 1, 1])
    await fixture.close()
    let database = try AccountDatabase.open(fixture.files, at: fixture.time.now)
    #expect(try database.state().askedAt == fixture.time.now)
    #expect(try #require(try database.state().rateLimit).remaining < 300 - 5)
    database.close()
  }

  @Test("an inconclusive response ends a refresh's checks")
  func ending() async throws {
    let (fixture, known) = try await filled()
    delete(known[3..<6], fixture)
    fixture.play { $0.faults.add(.respond(Response(status: StatusCode(503))), to: "/api/v1/statuses/\(known[3])") }
    _ = try await fixture.refresh()
    #expect(checks(fixture).map(\.status) == [503])
    _ = try await fixture.refresh()
    #expect(checks(fixture).map(\.status) == [503, 404, 404])
    await fixture.close()
  }

  @Test("a hidden post reappears once the timeline contains it again")
  func restored() async throws {
    let (fixture, known) = try await filled()
    delete([known[2]], fixture)
    _ = try await fixture.refresh()
    try await anHourLater(fixture)
    #expect(try !ids(fixture).contains(known[2]))
    fixture.play { $0.quirks.deleted = [] }
    // The server now has an hour of newer posts. An hour ago, the post was on the server's newest page.
    let before = fixture.time.now
    fixture.time.set(by: .seconds(-3600))
    _ = try await fixture.refresh()
    fixture.time.set(by: before - fixture.time.now)
    #expect(try ids(fixture).contains(known[2]))
    await fixture.close()
  }

  @Test("checks of missing posts leave the last requests in a rate-limit window to other jobs")
  func limit() async throws {
    let (fixture, known) = try await filled(limit: 7)
    delete(known[3..<8], fixture)
    fixture.time.pass(.seconds(300))
    _ = try await fixture.refresh()
    // Of the seven allowed requests, two are for the page, and three are checks.
    #expect(fixture.visits.suffix(5).map(\.status) == [200, 200, 404, 404, 404])
    #expect(checks(fixture).count == 3)
    await fixture.close()
  }
}
