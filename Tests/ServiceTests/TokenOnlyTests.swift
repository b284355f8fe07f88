import CivilTime
import Dispatch
import Files
import HTTP
import HomelineOAuth
import Platform
@testable import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import Testing
import Timeline

@Suite("An account that only keeps a token valid") struct TokenOnlyTests {
  private typealias House = BearerHouse<PlainAuthorizationServer>

  private func house(life: Duration = .seconds(7_200)) throws -> House {
    let house = try House(PlainAuthorizationServer(life: life)) { address in
      AccountSettings(
        name: AccountName("mail")!, provider: "oauth2",
        credentials: .oauth2(clientID: PlainAuthorizationServer.client.identifier, clientSecret: nil),
        endpoints: [
          "authorize": try RequestURL(address + PlainAuthorizationServer.road.authorize),
          "token": try RequestURL(address + PlainAuthorizationServer.road.token),
        ])
    }
    try house.authorise(as: PlainAuthorizationServer.client, PlainAuthorizationServer.road)
    return house
  }

  @Test("renews it before its expiry, sends no other request and publishes nothing")
  func ahead() async throws {
    let house = try house()
    await house.start()
    for _ in 0..<72 {
      await house.run(for: .seconds(600))
      #expect(try house.token().expiresAt.map { $0 > house.time.now } == true)
    }
    #expect((6...7).contains(house.renewals.count), "\(house.renewals.count)")
    #expect(house.visits.count == house.renewals.count && house.visits.allSatisfy { $0.status == 200 })
    #expect(!File.exists(house.files.timeline))
    await house.close()
  }

  @Test("a manual refresh checks the token and renews it only when it is time")
  func user() async throws {
    let house = try house()
    for _ in 0..<3 { #expect(try await house.refresh().failure == nil) }
    #expect(house.visits.isEmpty)
    house.time.pass(.seconds(7_000))
    for _ in 0..<3 { #expect(try await house.refresh().failure == nil) }
    #expect(house.visits.map(\.isRenewal) == [true])
    #expect(!File.exists(house.files.timeline))
    await house.close()
  }

  @Test("without a token names the next step, to the user and in the service, and sends no request")
  func unauthorised() async throws {
    let house = try house()
    try File.remove(house.files.token)
    await house.start()
    await house.run(for: .seconds(3_600))
    #expect(try await house.refresh().failure?.message.contains("homeline login mail") == true)
    #expect(house.visits.isEmpty && !File.exists(house.files.timeline))
    await house.close()
  }

  @Test("pauses with growing intervals while the server fails, and continues afterwards")
  func pauses() async throws {
    let house = try house()
    house.play { $0.faults.add(.named(.serverError), to: PlainAuthorizationServer.road.token, times: 10_000) }
    await house.start()
    await house.run(for: .seconds(4 * 3600))
    #expect((8...20).contains(house.renewals.count), "\(house.renewals.count)")
    house.play { $0.faults.removeAll() }
    await house.run(for: .seconds(3_600))
    #expect(try house.token().expiresAt.map { $0 > house.time.now } == true)
    #expect(house.visits.count == house.renewals.count && !File.exists(house.files.timeline))
    await house.close()
  }

  @Test("after a final refusal waits for the user")
  func dead() async throws {
    let house = try house(life: .seconds(600))
    house.play { $0.oauth2.tokens.revokeAll(of: nil) }
    await house.start()
    await house.run(for: .seconds(6 * 3600))
    #expect(house.renewals.count == 1)
    #expect(house.accountManager.scheduler.standing.values.first?.trouble?.contains("homeline login mail") == true)
    await house.close()
  }

  @Test("never loops, even if the server issues tokens that expire at once", arguments: [0, 1])
  func hot(life: Int64) async throws {
    let house = try house(life: .seconds(life))
    await house.start()
    await house.run(for: .seconds(600))
    #expect((2...21).contains(house.renewals.count), "\(house.renewals.count)")
    #expect(Set(house.renewals.map(\.token)).count == house.renewals.count)
    #expect(house.visits.count == house.renewals.count)
    await house.close()
  }
}
