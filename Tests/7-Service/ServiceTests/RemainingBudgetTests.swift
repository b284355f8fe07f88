import Service
import Settings
import Storage
import TestSupport
import Testing
import Time
import Timeline

@testable import Accounts

@Suite("The remaining budget") struct RemainingBudgetTests {
  private static let noon = Timestamp(rfc3339: "2026-11-20T12:00:00Z")!
  private static let today = CivilDay(noon)
  private static let midnight = Timestamp(rfc3339: "2026-11-21T00:00:00Z")!

  private func remaining(
    _ budget: Budget, requestsPerDay: Int? = nil, prices: Prices? = .x, spent: SpendingDay = SpendingDay(today),
    before: [SpendingDay] = [], at now: Timestamp = noon
  ) -> RemainingBudget {
    RemainingBudget(
      SpendingRules(budget: budget, prices: prices, requestsPerDay: requestsPerDay),
      SpendingRecord(days: before + [spent]), at: now)
  }

  private func count(_ remaining: RemainingBudget, of wanted: Int = 100) -> Int? {
    guard case .page(let count, _, _) = remaining.allowance(for: wanted) else { return nil }
    return count
  }

  private func refusal(_ remaining: RemainingBudget) -> SpendingLimit.Kind? {
    guard case .nothing(let limit) = remaining.allowance(for: 1) else { return nil }
    return limit.kind
  }

  @Test("without cost limits, a page has the requested size, and its maximum cost is reported")
  func unlimited() {
    #expect(remaining(Budget()).allowance(for: 100) == .page(count: 100, posts: 300, microUSD: 4_500_000))
    #expect(remaining(Budget(), prices: nil).allowance(for: 200) == .page(count: 200, posts: 0, microUSD: 0))
  }

  @Test(
    "a request within the remaining budget is allowed, one beyond it waits a day, and one beyond the whole budget is a configuration error"
  )
  func knownPrice() throws {
    let budget = Budget(postsPerDay: 5, microUSDPerDay: 100_000)
    #expect(remaining(budget).objection(toPaying: 100_000, posts: 5) == nil)
    let spent = SpendingDay(Self.today, posts: 1, microUSD: 10_000, reservedMicroUSD: 20_000)
    #expect(remaining(budget, spent: spent).objection(toPaying: 70_000, posts: 4) == nil)
    let later = try #require(remaining(budget, spent: spent).objection(toPaying: 70_001))
    #expect(later.code == .budget && later.retryAt == Self.midnight && later.message.contains("0.07 USD of"))
    let posts = try #require(remaining(budget, spent: spent).objection(toPaying: 1, posts: 5))
    #expect(posts.code == .budget && posts.message.contains("this needs 5 posts, but 4 of"))
    #expect(remaining(budget).objection(toPaying: 100_001)?.code == .configuration)
    #expect(remaining(Budget()).objection(toPaying: .max) == nil)
    let used = SpendingDay(Self.today, requests: 100)
    let limited = remaining(Budget(), requestsPerDay: 100, prices: nil, spent: used)
    #expect(limited.objection(toPaying: 0)?.code == .rateLimited)
  }

  @Test("a page uses at most half of what remains of the tightest cost limit")
  func halves() {
    #expect(count(remaining(Budget(postsPerDay: 200))) == 33)
    #expect(count(remaining(Budget(postsPerDay: 200, microUSDPerDay: 1_000_000))) == 11)
    #expect(count(remaining(Budget(postsPerDay: 200, microUSDPerDay: 1_000_000)), of: 5) == 5)
    #expect(count(remaining(Budget(microUSDPerMonth: 450_000))) == 5)
    #expect(count(remaining(Budget(microUSDPerDay: 89_999))) == 1)
    #expect(count(remaining(Budget(microUSDPerDay: 45_000))) == 1)
    #expect(refusal(remaining(Budget(microUSDPerDay: 44_999))) == .microUSDOfDay)
  }

  @Test("no page can exceed any cost limit, however much was spent before", arguments: 1...300)
  func never(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let budget = Budget(
      postsPerDay: Int.random(in: 1...500, using: &generator),
      microUSDPerDay: Int64.random(in: 1...3_000_000, using: &generator),
      microUSDPerMonth: Int64.random(in: 1...9_000_000, using: &generator))
    var day = SpendingDay(Self.today)
    for _ in 0..<100 {
      guard
        case .page(_, let posts, let microUSD) = remaining(budget, spent: day).allowance(
          for: Int.random(in: 1...100, using: &generator))
      else { break }
      // Half of the responses are lost.
      if Bool.random(using: &generator) {
        day.reservedPosts += posts
        day.reservedMicroUSD += microUSD
      } else {
        day.posts += Int.random(in: 0...posts, using: &generator)
        day.microUSD += Int64.random(in: 0...microUSD, using: &generator)
      }
      #expect(day.countedPosts <= budget.postsPerDay!)
      #expect(day.countedMicroUSD <= min(budget.microUSDPerDay!, budget.microUSDPerMonth!))
    }
  }

  @Test("if no response arrives, the cost reserved for it counts as spent")
  func reserved() {
    let spent = SpendingDay(Self.today, posts: 90, reservedPosts: 108)
    #expect(refusal(remaining(Budget(postsPerDay: 200), spent: spent)) == .postsOfDay)
    #expect(count(remaining(Budget(postsPerDay: 202), spent: spent)) == 1)
  }

  @Test("a month's spending includes exactly that month's days")
  func month() {
    let budget = Budget(microUSDPerMonth: 1_000_000)
    let earlier = SpendingDay(CivilDay(Self.today.number - 19), microUSD: 980_000)
    #expect(refusal(remaining(budget, before: [earlier])) == .microUSDOfMonth)
    let october = SpendingDay(CivilDay(Self.today.number - 20), microUSD: 980_000)
    #expect(count(remaining(budget, before: [october])) == 11)
  }

  @Test("each day's requests are counted, and no request is sent beyond the daily limit")
  func requests() {
    func left(_ requests: Int) -> RemainingBudget {
      remaining(Budget(), requestsPerDay: 100, prices: nil, spent: SpendingDay(Self.today, requests: requests))
    }
    #expect(count(left(99), of: 100) == 100)
    #expect(refusal(left(100)) == .requestsOfDay)
    #expect(refusal(left(.max)) == .requestsOfDay)
  }

  @Test("the message about a refused request names the limit, what is left, and the time of the next attempt")
  func messages() throws {
    func problem(_ remaining: RemainingBudget) throws -> (String, String, Timestamp?) {
      guard case .nothing(let limit) = remaining.allowance(for: 1) else { throw Missing() }
      let problem = remaining.problem(of: limit)
      return (problem.code.rawValue, problem.message, problem.retryAt)
    }
    struct Missing: Error {}
    #expect(
      try problem(remaining(Budget(postsPerDay: 200), spent: SpendingDay(Self.today, posts: 198))) == (
        "budget",
        "the account's budget.posts_per_day is used up: 2 of 200 are left, but one post with the posts it refers to can use 3. "
          + "Requests resume automatically at 2026-11-21T00:00:00Z", Self.midnight
      ))
    #expect(
      try problem(remaining(Budget(microUSDPerDay: 1_000_000), spent: SpendingDay(Self.today, microUSD: 970_000))) == (
        "budget",
        "the account's budget.usd_per_day is used up: 0.03 USD of 1.00 USD are left, but one post with the posts it refers to "
          + "can use 0.045 USD. Requests resume automatically at 2026-11-21T00:00:00Z", Self.midnight
      ))
    let month = try problem(remaining(Budget(microUSDPerMonth: 1000)))
    #expect(month.1.hasPrefix("the account's budget.usd_per_month is used up: 0.001 USD of 0.001 USD are left"))
    #expect(month.2 == Timestamp(rfc3339: "2026-12-01T00:00:00Z"))
    #expect(
      try problem(remaining(Budget(), requestsPerDay: 100, prices: nil, spent: SpendingDay(Self.today, requests: 100)))
        == (
          "rate-limited",
          "the 100 requests that the provider allows each user per day (UTC) have been used up. "
            + "Requests resume automatically at 2026-11-21T00:00:00Z", Self.midnight
        ))
  }

  @Test("the user's interval is kept until half of the daily budget has been used")
  func unstretched() {
    let interval = Duration.seconds(900)
    #expect(remaining(Budget()).stretched(interval) == interval)
    let half = SpendingDay(Self.today, requests: 50, posts: 100, microUSD: 500_000)
    let budget = Budget(postsPerDay: 200, microUSDPerDay: 1_000_000)
    #expect(remaining(budget, requestsPerDay: 100, spent: half).stretched(interval) == interval)
    #expect(remaining(budget, spent: half).allowsFilling(refreshingEvery: interval))
    #expect(!remaining(Budget(postsPerDay: 199), spent: half).allowsFilling(refreshingEvery: interval))
    // The month's budget does not limit the pace of a single day.
    #expect(
      remaining(Budget(microUSDPerMonth: 600_000), spent: SpendingDay(Self.today, microUSD: 500_000)).stretched(
        interval)
        == interval)
  }

  @Test(
    "once half of the daily budget is used, the interval grows so that the rest lasts all day")
  func stretched() {
    let interval = Duration.seconds(900)
    func requests(_ used: Int, at now: Timestamp = Self.noon) -> Duration {
      remaining(
        Budget(), requestsPerDay: 100, prices: nil, spent: SpendingDay(Self.today, requests: used), at: now
      ).stretched(interval)
    }
    #expect(requests(60) == .seconds(43_200 / 40))
    #expect(requests(52) == interval, "48 requests at intervals of 900 s last until the end of the day")
    #expect(requests(99) == .seconds(43_200) && requests(100) == .seconds(43_200))
    func money(_ used: Int64, at now: Timestamp = Self.noon) -> Duration {
      remaining(Budget(microUSDPerDay: 1_000_000), spent: SpendingDay(Self.today, microUSD: used), at: now).stretched(
        interval)
    }
    #expect(money(510_000) == .seconds(918), "half of the day is left, with 49 % of the budget")
    #expect(money(750_000) == .seconds(1800) && money(900_000) == .seconds(4500))
    #expect(money(960_000) == .seconds(43_200), "the budget is not enough for a post")
    #expect(
      money(750_000, at: Self.midnight - .seconds(6 * 3600)) == interval,
      "a quarter of the day is left, with a quarter of the budget")
    #expect(
      remaining(Budget(postsPerDay: 1_000_000), spent: SpendingDay(Self.today, posts: 900_000)).stretched(interval)
        == .seconds(4500))
  }

  @Test("gaps may use the requests left over from the day's refreshes and the one reserved for the user")
  func filling() {
    func allows(_ used: Int, at now: Timestamp) -> Bool {
      remaining(Budget(), requestsPerDay: 100, prices: nil, spent: SpendingDay(Self.today, requests: used), at: now)
        .allowsFilling(refreshingEvery: .seconds(900))
    }
    let morning = Self.midnight - .seconds(86_400)
    #expect(allows(2, at: morning) && !allows(3, at: morning))
    #expect(allows(50, at: Self.noon) && !allows(51, at: Self.noon))
    #expect(allows(98, at: Self.midnight - .seconds(1)) && !allows(99, at: Self.midnight - .seconds(1)))
    #expect(remaining(Budget(), prices: nil).allowsFilling(refreshingEvery: .seconds(15)))
  }

  @Test("no refresh interval is shortened, or extended beyond the end of the day")
  func bounds() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let interval = Duration.seconds(Int64.random(in: 15...86_400, using: &generator))
      let now = Self.noon + .seconds(Int64.random(in: 0..<43_200, using: &generator))
      let spent = SpendingDay(
        Self.today, requests: .random(in: 0...120, using: &generator), posts: .random(in: 0...250, using: &generator),
        microUSD: .random(in: 0...2_000_000_000_000, using: &generator))
      let stretched = remaining(
        Budget(postsPerDay: 200, microUSDPerDay: 1_000_000_000_000), requestsPerDay: 100, spent: spent, at: now
      ).stretched(interval)
      #expect(stretched >= interval && stretched <= max(interval, Self.midnight - now))
    }
  }

  @Test("setting the clock back across midnight does not grant a second daily budget")
  func setBack() {
    let justBefore = Timestamp(rfc3339: "2026-11-19T23:55:00Z")!
    let spent = SpendingDay(Self.today, posts: 200)
    let setBack = remaining(Budget(postsPerDay: 200), spent: spent, at: justBefore)
    guard case .nothing(let limit) = setBack.allowance(for: 1) else {
      Issue.record("a second daily budget was granted")
      return
    }
    #expect(setBack.end(of: limit) == Self.midnight)
    #expect(count(remaining(Budget(postsPerDay: 200), spent: spent, at: Self.noon + .seconds(86_400))) == 33)
  }
}
