import Accounts
import Bytes
import Folders
import HTTP
import HomelineOAuth
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

@Suite("Two hundred accounts of all kinds in one hour") struct MixedFleetTests {
  /// The most that a timer can be late.
  private static let step = Duration.seconds(15)

  @Test(
    "two hundred accounts respect all limits, are all refreshed, use no expired token and renew none twice"
  )
  func hour() async throws {
    // Under a sanitizer, everything is ten times slower, so only a fifth of the accounts is used.
    let share = Sanitizer.isOn ? 5 : 1
    let fleet = try MixedFleet(
      MixedFleet.Counts(
        twitter: 20 / share, x: 70 / share, brief: 30 / share, weibo: 30 / share, mastodon: 50 / share))
    #expect(fleet.accounts.count == 200 / share)
    // The tokens for X were issued at different times within the last two hours, so some of them expire within this hour.
    try fleet.authoriseAll { account in
      guard let number = Int(account.name.text.split(separator: "-")[1]), account.name.text.hasPrefix("x-") else {
        return .zero
      }
      return .seconds(number * 6_000 / (70 / share))
    }
    try takeBack("brief-0", in: fleet)
    fleet.x.with { $0.refusals["x-0"] = Response(status: StatusCode(402), text: "credits depleted") }
    await fleet.start()
    await fleet.run(for: .seconds(3_600), by: Self.step)

    let visits = fleet.visits
    #expect(Set(visits.keys) == Set(fleet.accounts.map(\.name.text)), "requests were sent for exactly these accounts")
    for account in fleet.accounts {
      let name = account.name.text
      let own = visits[name] ?? []
      let pages = own.filter { !$0.isRenewal }
      let renewals = own.filter(\.isRenewal)
      #expect(Set(renewals.map(\.token)).count == renewals.count, "\(name): a refresh token was sent more than once")
      switch name {
      case "brief-0":
        #expect(own.count <= 2 && renewals.count <= 1, "\(own.map(\.status))")
        #expect(try fleet.state(of: account)[.home].problem?.code == .notAuthorised)
      case "x-0":
        #expect(pages.allSatisfy { $0.status == 402 } && pages.count <= 2)
        #expect(zip(pages, pages.dropFirst()).allSatisfy { $1.at - $0.at >= .seconds(3_600) })
        #expect(try fleet.state(of: account)[.home].problem?.code == .paused)
      default:
        #expect(own.allSatisfy { $0.status == 200 || $0.status == 304 }, "\(name): \(own.map(\.status))")
        #expect(
          pages.count >= leastPages(of: account) && pages.count <= mostPages(of: account), "\(name): \(pages.count)")
        #expect(mostInWindow(pages) <= limit(of: account), "\(name)")
        let state = try fleet.state(of: account)
        #expect(
          state[.home].problem == nil
            && fleet.time.now - state[.home].refreshedAt! < account.refreshInterval * 2 + Self.step)
      }
    }
    let ends = fleet.ends
    let late = visits.values.joined().filter { visit in
      !visit.isRenewal && visit.account != "brief-0" && ends[visit.token ?? ""].map { visit.at >= $0 } ?? false
    }
    #expect(late.isEmpty, "tokens were used after their expiry: \(Set(late.compactMap(\.account)))")
    // A token that is valid for ten minutes is renewed one to two minutes before it expires.
    for name in fleet.accounts.map(\.name.text) where name != "brief-0" {
      let renewals = (visits[name] ?? []).filter(\.isRenewal).count
      if name.hasPrefix("brief-") || name.hasPrefix("mastodon-") { #expect((6...8).contains(renewals), "\(renewals)") }
      if name.hasPrefix("x-") { #expect(renewals <= 1) }
    }
    #expect(visits.filter { $0.key.hasPrefix("x-") && $0.value.contains(where: \.isRenewal) }.count > 10 / share)
    await fleet.close()
  }

  /// Revokes an account's access, as the user can.
  private func takeBack(_ name: String, in fleet: MixedFleet) throws {
    let account = try #require(fleet.accounts.first { $0.name.text == name })
    let token = try #require(try fleet.storage.tokens(of: AccountName(name)!).read()?.grant.bearer?.refreshToken)
    let form = [
      Parameter("token", token.withExposedText { $0 }), Parameter("client_id", XSandbox.publicClientID),
    ]
    let now = fleet.time.now
    let status = fleet.brief.with {
      $0.simulated.response(to: .form(XRoute.revocation.path, form), at: now).response.status
    }
    #expect(status == .ok && account.provider == "x")
  }

  /// Returns the number of requests that the provider allows per token in 15 minutes.
  private func limit(of account: AccountSettings) -> Int {
    switch account.provider {
    case "twitter", "x": MixedFleet.limit
    // 100 requests a day are little more than one per quarter of an hour.
    case "weibo": 2
    default: 900
    }
  }

  /// Returns the expected number of refreshes in an hour, minus one. It depends on the account's interval, or on its rate limit if that is
  /// stricter.
  private func leastPages(of account: AccountSettings) -> Int {
    let paced = account.provider == "twitter" || account.provider == "x" ? 900 / (MixedFleet.limit - 1) : 0
    let interval = max(Int(account.refreshInterval.components.seconds), paced) + Int(Self.step.components.seconds)
    return 3_600 / interval - 1
  }

  private func mostPages(of account: AccountSettings) -> Int {
    account.provider == "weibo" ? 5 : 3_600 / Int(account.refreshInterval.components.seconds) + 4
  }

  /// Returns the highest number of requests with one token in any window.
  private func mostInWindow(_ visits: [Visit]) -> Int {
    var most = 0
    for ofOneToken in Dictionary(grouping: visits, by: \.token).values {
      var (start, count) = (Timestamp(seconds: 0), 0)
      for visit in ofOneToken {
        if visit.at >= start + MixedFleet.window { (start, count) = (visit.at, 0) }
        count += 1
        most = max(most, count)
      }
    }
    return most
  }
}
