import Testing

@testable import Settings

@Suite("The highest monthly cost") struct MonthlyCostTests {
  private func most(_ budget: Budget, every seconds: Int64 = 900) -> MonthlyCost {
    MonthlyCost(budget: budget, intervals: [.seconds(seconds)], prices: .x)
  }

  @Test("the strictest limit determines the highest monthly cost, and the text mentions it")
  func tightest() {
    #expect(
      most(Budget(postsPerDay: 200, microUSDPerDay: 1_000_000)).description
        == "at most 31.00 USD a month: 1.00 USD a day, prices as of 2026-08-22")
    #expect(
      most(Budget(postsPerDay: 200, microUSDPerDay: 1_000_000, microUSDPerMonth: 15_500_000)).description
        == "at most 15.50 USD a month: the monthly budget, prices as of 2026-08-22")
    #expect(
      most(Budget(postsPerDay: 200)).description
        == "at most 93.00 USD a month: 200 posts a day at 0.005 USD, with their authors at 0.01 USD; posts that you publish add to this, "
        + "prices as of 2026-08-22"
    )
    #expect(most(Budget(postsPerDay: 10, microUSDPerDay: 1_000_000)).microUSD == 31 * 10 * 15_000)
  }

  @Test("without a budget, the refresh interval determines the highest monthly cost, and the text states this")
  func unlimited() {
    let most = most(Budget(), every: 3600)
    #expect(most.microUSD == 31 * 25 * 100 * 45_000 && most.bound == .intervals([.seconds(3600)]))
    #expect(most.description.contains("without a budget"))
  }

  @Test("an account without prices has no highest monthly cost")
  func free() throws {
    let text = #"{"accounts":{"a":{"provider":"sandbox"},"x":{"provider":"x","client_id":"i"}}}"#
    let accounts = try Configuration(reading: Array(text.utf8)).accounts
    #expect(accounts.map { $0.highestMonthlyCost?.microUSD } == [nil, 31_000_000])
  }
}
