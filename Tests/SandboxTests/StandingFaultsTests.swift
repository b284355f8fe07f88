import CivilTime
import Dispatch
import HTTP
import Platform
import Sandbox
import TestSupport
import Testing
import Transport

/// Faults that last for a whole run.
@Suite struct StandingFaultsTests {
  private func statuses(_ faults: StandingFaults, of paths: [String]) async throws -> [Int?] {
    let server = try SandboxKind.mastodon.serve(
      on: try .loopback(port: 0, host: .literal), SandboxOptions(faults: faults))
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    var statuses: [Int?] = []
    for path in paths {
      let result = await withCheckedContinuation { done in
        client.send(
          ClientRequest(method: .get, url: server.baseURL + path), on: DispatchQueue(label: "answers")
        ) { done.resume(returning: $0) }
      }
      statuses.append((try? result.get()).map { Int($0.status.code) })
    }
    await withCheckedContinuation { done in server.stop { done.resume() } }
    client.stop()
    return statuses
  }

  private let timeline = "/api/v1/timelines/home"

  @Test("each fault of the API meets requests to the API, and no others", arguments: StandingFaults.Name.allCases)
  func reached(_ name: StandingFaults.Name) async throws {
    var faults = StandingFaults()
    faults.add(name)
    let seen = try await statuses(faults, of: [timeline, "/.well-known/oauth-authorization-server"])
    let expected: Int? =
      switch name {
      case .rateLimited: 429
      case .tokenRevoked, .cutOff, .slow, .tokenEndpointError: 401
      case .serverError: 503
      case .captivePortal: 200
      case .noAnswer: nil
      }
    #expect(seen == [expected, 200])
  }

  @Test("a fault of each third request leaves the others alone")
  func everyThird() async throws {
    var faults = StandingFaults()
    faults.add(.serverError, every: 3)
    #expect(try await statuses(faults, of: Array(repeating: timeline, count: 6)) == [401, 401, 503, 401, 401, 503])
  }
}
