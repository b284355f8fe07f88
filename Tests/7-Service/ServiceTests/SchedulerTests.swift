import Accounts
import Folders
import Platform
import Sandbox
import Scheduling
import Service
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import Testing
import Time
import Timeline

@Suite struct SchedulerTests {
  @Test("twenty accounts with 15 requests per window exceed no limit in half an hour, and are refreshed evenly")
  func twenty() async throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 15
    let service = try SimulatedService(accounts: 20, policy: policy)
    try await service.logIn()
    service.forgetRequests()
    await service.start()
    await service.run(for: .seconds(1800))
    let requests = service.requests
    #expect(requests.count > 20 * 10)
    #expect(requests.filter { $0.status != 200 && $0.status != 304 }.isEmpty)
    let counts = Dictionary(grouping: requests, by: \.account).mapValues(\.count)
    #expect(counts.count == 20)
    #expect(counts.values.max()! - counts.values.min()! <= 1, "\(counts)")
    for account in service.accounts {
      let state = try #require(try service.storage.openForReading(.home(of: account.name), isSnapshot: false)).state()
      #expect(state[.home].problem == nil)
      #expect(service.time.now - state[.home].refreshedAt! < .seconds(180))
    }
    await service.close()
  }

  @Test(
    "a manual refresh succeeds while the window has a request left, and is then refused without sending one"
  )
  func user() async throws {
    var policy = SandboxPolicy()
    policy.rateLimit = 15
    let service = try SimulatedService(accounts: 1, policy: policy)
    try await service.logIn()
    await service.start()
    await service.run(for: .seconds(800))
    var outcomes: [RefreshReport.Outcome] = []
    for _ in 0..<20 { outcomes.append(await service.refresh()) }
    let served = outcomes.filter { if case .refreshed = $0 { true } else { false } }
    let limited = outcomes.filter {
      if case .notSent(_, .held(let until)) = $0 { until > service.time.now } else { false }
    }
    #expect(!served.isEmpty)
    #expect(!limited.isEmpty)
    #expect(served.count + limited.count == 20)
    #expect(service.requests.filter { $0.status == 429 }.isEmpty)
    await service.close()
  }

  @Test(
    "after a long suspend, nothing happens for a few seconds, and then the accounts are refreshed once each, spread over time"
  )
  func sleep() async throws {
    let service = try SimulatedService(accounts: 10, policy: SandboxPolicy())
    try await service.logIn()
    await service.start()
    await service.run(for: .seconds(300))
    await service.settle()
    service.forgetRequests()
    service.time.pass(.seconds(4 * 3600), asleep: true)
    let woken = service.time.now
    service.time.ring()
    await service.run(for: .seconds(60))
    let requests = service.requests.sorted { $0.at < $1.at }
    #expect(requests.first.map { $0.at - woken >= .seconds(5) } == true)
    #expect(Set(requests.map(\.account)).count == 10)
    let first = Dictionary(grouping: requests, by: \.account).mapValues { $0.first!.at }
    #expect(Set(first.values).count > 5, "the requests are spread over time")
    await service.close()
  }

  @Test(
    "setting the clock by an hour, days or years causes no delay, and is logged",
    arguments: [-63_072_000, -259_200, -86_400, 3600, 86_400, 63_072_000])
  func clockSet(seconds: Int64) async throws {
    let service = try SimulatedService(accounts: 2, policy: SandboxPolicy())
    try await service.logIn()
    await service.start()
    await service.run(for: .seconds(300))
    await service.settle()
    service.forgetRequests()
    service.time.set(by: .seconds(seconds))
    await service.run(for: .seconds(300))
    #expect(Set(service.requests.map(\.account)).count == 2)
    // Each account sends four requests for refreshes. If the clock was set forward, it also fetches the day of new posts below them.
    #expect(service.requests.count <= 20)
    #expect(service.lines.withLock { $0.contains { $0.contains("the clock was set") } })
    await service.close()
  }

  @Test("a service keeps the planned times that the previous service left when it stopped")
  func restart() async throws {
    let service = try SimulatedService(accounts: 3, policy: SandboxPolicy())
    try await service.logIn()
    service.forgetRequests()
    await service.start()
    await service.run(for: .seconds(80))
    #expect(service.requests.isEmpty, "the login's own refresh is recent")
    await service.run(for: .seconds(20))
    #expect(Set(service.requests.map(\.account)).count == 3)
    await service.close()
  }
}
