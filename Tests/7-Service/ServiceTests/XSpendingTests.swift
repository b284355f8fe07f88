import Accounts
import Folders
import Formats
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import TestSupport
import Testing
import Time
import Timeline

/// An X account's costs, which are reserved before each request and settled when the response arrives.
@Suite("The costs of an X account") struct XSpendingTests {
  private static let morning = Timestamp(rfc3339: "2026-11-20T01:00:00Z")!

  private func home(_ budget: Budget = Budget(), firstFill: Int = 20) throws -> XHome {
    let home = try XHome(keepPosts: 800, firstFill: firstFill, budget: budget)
    home.now.withLock { $0 = Self.morning }
    return home
  }

  @Test(
    "the recorded costs cover delivered posts and authors, each only once a day, and never exceed X's charges")
  func settled() async throws {
    let home = try home()
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let first = try home.spent()
    #expect(first.requests == 1 && first.posts == home.sandbox.delivered.posts && first.reservedMicroUSD == 0)
    // A login also reads the user's own profile, which is not on any page.
    #expect(first.users == home.sandbox.delivered.users - 1)
    #expect(first.microUSD == home.charged - Prices.x.microUSDPerUser)
    for _ in 0..<3 {
      home.advance(900)
      #expect(try #require(await home.refresh(accountManager)).failure == nil)
    }
    let later = try home.spent()
    #expect(later.posts > first.posts && later.requests == 4)
    #expect(later.users < home.sandbox.delivered.users - 1, "an author of several posts is charged once")
    #expect(
      later.microUSD == Int64(later.posts) * Prices.x.microUSDPerPost + Int64(later.users) * Prices.x.microUSDPerUser)
  }

  @Test("the daily budget in dollars is a hard limit, even for the next process")
  func dollarsOfDay() async throws {
    let home = try home(Budget(microUSDPerDay: 500_000))
    try await home.login(home.accountManager()).get()
    var last: RefreshReport?
    for _ in 0..<40 {
      home.advance(900)
      last = await home.refresh(home.accountManager())
      #expect(try home.spent().countedMicroUSD <= 500_000)
    }
    guard case .failed(let problem, _)? = last?.outcome, problem.code == .budget else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(problem.message.contains("budget.usd_per_day") && problem.message.contains("of 0.50 USD"))
    #expect(problem.retryAt == Timestamp(rfc3339: "2026-11-21T00:00:00Z"))
    let pages = home.sandbox.delivered.pages
    _ = await home.refresh(home.accountManager())
    #expect(home.sandbox.delivered.pages == pages, "no request was sent")
    home.now.withLock { $0 = Timestamp(rfc3339: "2026-11-21T00:00:01Z")! }
    #expect(try #require(await home.refresh(home.accountManager())).failure == nil)
  }

  @Test("the monthly budget in dollars stops requests until the next month")
  func dollarsOfMonth() async throws {
    let home = try home(Budget(microUSDPerDay: 400_000, microUSDPerMonth: 500_000))
    try await home.login(home.accountManager()).get()
    var problem = ""
    for _ in 0..<4 {
      for _ in 0..<12 {
        home.advance(1800)
        if let failure = await home.refresh(home.accountManager())?.failure { problem = failure.message }
      }
      home.advance(86_400 - 12 * 1800)
    }
    #expect(problem.contains("budget.usd_per_month") && problem.contains("2026-12-01T00:00:00Z"), "\(problem)")
    home.now.withLock { $0 = Timestamp(rfc3339: "2026-12-01T00:00:01Z")! }
    #expect(try #require(await home.refresh(home.accountManager())).failure == nil)
  }

  @Test(
    "the cost reserved for a missing or unreadable response remains reserved",
    arguments: [SandboxFault.drop(worked: true), .cut(to: 40)])
  func lost(fault: SandboxFault) async throws {
    let home = try home(Budget(postsPerDay: 100))
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let before = try home.spent()
    home.sandbox.withFaults { $0.add(fault, to: .reverseChronological) }
    home.advance(900)
    #expect(await home.refresh(accountManager)?.failure != nil)
    let after = try home.spent()
    #expect(after.requests == before.requests + 1 && after.microUSD == before.microUSD)
    #expect(after.reservedPosts > 0 && after.reservedMicroUSD == Int64(after.reservedPosts) * 15_000)
    #expect(after.countedPosts <= 100)
    home.advance(900)
    #expect(
      try #require(await home.refresh(accountManager)).failure == nil,
      "one lost response does not use up the day's budget")
    #expect(try home.spent().reservedPosts == after.reservedPosts)
  }

  @Test("a request that X refuses costs nothing")
  func refused() async throws {
    let home = try home(Budget(postsPerDay: 100))
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let before = try home.spent()
    home.sandbox.withFaults { $0.add(.named(.serverError), to: .reverseChronological) }
    home.advance(900)
    #expect(await home.refresh(accountManager)?.failure != nil)
    var expected = before
    expected.requests += 1
    #expect(try home.spent() == expected)
  }

  @Test("requests to an unreachable X server cost nothing, however many there are")
  func unreachable() async throws {
    let home = try home(Budget(postsPerDay: 100))
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    home.sandbox.stop()
    // The connection from the login may still be open. The request is then sent on it before it turns out to be closed.
    home.advance(900)
    _ = await home.refresh(accountManager)
    let before = try home.spent()
    for _ in 0..<5 {
      home.advance(900)
      #expect(await home.refresh(accountManager)?.failure?.kind == .unavailable)
    }
    var expected = before
    expected.requests += 5
    #expect(try home.spent() == expected)
  }

  @Test("a new database that replaces a removed one has no posts but keeps the costs so far")
  func newDatabase() async throws {
    let home = try home(Budget(postsPerDay: 100))
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    let before = try home.spent()
    for suffix in ["", "-wal", "-shm"] where File.exists(home.files.database + suffix) {
      try File.remove(home.files.database + suffix)
    }
    #expect(try #require(await home.refresh(accountManager)).failure == nil)
    let after = try home.spent()
    #expect(after.requests > before.requests && after.posts > before.posts && after.microUSD > before.microUSD)
  }

  @Test("once half of the daily budget is used, refreshes slow down, and gaps are not filled until the next day")
  func stretched() async throws {
    let home = try home(Budget(microUSDPerDay: 600_000), firstFill: 60)
    let accountManager = home.accountManager()
    try await home.login(accountManager).get()
    for _ in 0..<6 where try home.spent().countedMicroUSD <= 300_000 {
      home.advance(900)
      _ = await home.refresh(accountManager)
    }
    let now = home.now.withLock { $0 }
    #expect(try home.spent().countedMicroUSD > 300_000)
    let due = try #require(try accountManager.nextRefresh(of: home.account))
    #expect(due - now > .seconds(1000), "\(due - now)")
  }
}
