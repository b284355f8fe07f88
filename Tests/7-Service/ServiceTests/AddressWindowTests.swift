import Accounts
import Folders
import HTTP
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import TestSupport
import Testing
import Time

@testable import Sandbox

/// Accounts on one server whose rate limit belongs to the address, as on GoToSocial, or to each token, as on Mastodon.
@Suite(.timeLimit(.minutes(3))) struct AddressWindowTests {
  private static let limit = 8

  /// Refreshes two accounts for an hour, each every 60 s: together 10 requests in a window of five minutes.
  private func hour(_ flavour: MastodonFlavour) async throws -> [String: [Visit]] {
    let fleet = try MixedFleet(
      MixedFleet.Counts(twitter: 0, x: 0, brief: 0, weibo: 0, mastodon: 2),
      mastodon: MastodonSandbox(flavour, limit: Self.limit), every: .seconds(60))
    try fleet.authoriseAll { _ in .zero }
    await fleet.start()
    await fleet.run(for: .seconds(900))
    let earlier = fleet.visits
    await fleet.run(for: .seconds(3600))
    let visits = fleet.visits
    await fleet.close()
    return visits.mapValues { Array($0.dropFirst(earlier[$0.first?.account ?? ""]?.count ?? 0)) }
  }

  @Test("accounts on one GoToSocial server share its window, which they take equal parts of and never exceed")
  func shared() async throws {
    let visits = try await hour(.goToSocial)
    #expect(visits.values.allSatisfy { $0.allSatisfy { $0.status == 200 } }, "\(visits.mapValues { $0.map(\.status) })")
    let counts = visits.values.map(\.count).sorted()
    try #require(counts.count == 2)
    #expect(counts[0] + counts[1] <= 13 * Self.limit && counts[0] + counts[1] >= 50, "\(counts)")
    #expect(Double(counts[0]) >= 0.8 * Double(counts[1]), "\(counts)")
  }

  @Test("accounts on one Mastodon server each have a window of their own")
  func apart() async throws {
    let visits = try await hour(.mastodon)
    #expect(visits.values.allSatisfy { $0.allSatisfy { $0.status == 200 } })
    #expect(visits.count == 2 && visits.values.allSatisfy { $0.count >= 50 }, "\(visits.mapValues(\.count))")
  }
}
