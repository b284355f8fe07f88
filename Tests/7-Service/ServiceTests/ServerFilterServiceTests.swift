import Accounts
import Formats
import Platform
import SandboxSupport
import Service
import Testing
import Time
import Timeline

@testable import Sandbox

/// A user's filters on a Mastodon-compatible server, while a service runs.
@Suite struct ServerFilterServiceTests {
  private typealias ServiceFixture = BearerFixture<MastodonSandbox>

  private func ids(_ fixture: ServiceFixture) throws -> [String] { try fixture.published().posts.map(\.id.text) }

  @Test(
    "a running service hides a post while its filter applies, and does not take this for a deletion",
    arguments: [MastodonFlavour.mastodon, .akkoma])
  func expiry(flavour: MastodonFlavour) async throws {
    let fixture = try ServiceFixture(flavour, keepPosts: 100)
    #expect(try await fixture.refresh().failure == nil)
    let known = try ids(fixture)
    let filtered = Set(known[2..<6])
    let end = fixture.time.now + .seconds(7 * 60)
    fixture.play { provider in
      for id in filtered { provider.quirks.filters[id] = [MastodonFilter(title: "wasps", expiresAt: end)] }
    }
    await fixture.start()
    await fixture.run(for: .seconds(6 * 60))
    let during = try ids(fixture)
    #expect(filtered.isDisjoint(with: during))
    #expect(Set(known[6..<60]).isSubset(of: during))
    await fixture.run(for: .seconds(7 * 60))
    #expect(filtered.isSubset(of: try ids(fixture)))
    #expect(try fixture.published().head.gaps.isEmpty)
    #expect(fixture.visits.filter { $0.path.hasPrefix("/api/v1/statuses/") }.isEmpty, "no post was missed")
    await fixture.close()
  }
}
