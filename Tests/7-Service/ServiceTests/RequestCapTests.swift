import Accounts
import Platform
import Sandbox
import Service
import Settings
import TestSupport
import Testing
import Time

/// The limit on an account's requests to its provider.
@Suite struct RequestCapTests {
  @Test(
    "an account sends its provider at most 120 requests per minute, and the log reports this limit only once"
  )
  func cap() async throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 100_000
    let service = try SimulatedService(accounts: 2, policy: policy)
    try await service.logIn()
    service.time.pass(.seconds(60))
    service.forgetRequests()
    var failures: [OperationError] = []
    for _ in 0..<160 { failures += await service.accountManager.refreshed([service.accounts[0]]).compactMap(\.failure) }
    #expect(service.requests.count == 120)
    #expect(failures.first?.message.contains("120 requests were sent within a minute") == true)
    #expect(failures.count == 40 && failures.allSatisfy { $0.exitCode == .temporary })
    let reports = service.lines.withLock { $0.filter { $0.contains("please report it") } }
    #expect(reports.count == 1, "\(reports)")
    // The other account's requests are still sent.
    _ = await service.accountManager.refreshed([service.accounts[1]])
    #expect(service.requests.last?.account == "account-1")

    // The first account's requests are sent again a minute later.
    service.time.pass(.seconds(90))
    guard case .refreshed = await service.refresh() else {
      Issue.record("requests to the provider are still paused")
      return
    }
    await service.close()
  }
}
