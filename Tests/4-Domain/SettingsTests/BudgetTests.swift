import Testing

@testable import Settings

/// An account's spending limits, and how the configuration can specify them.
@Suite struct BudgetTests {
  private func read(_ budget: String, provider: String = "x") throws(SettingsError) -> Budget {
    let text = #"{"accounts":{"a":{"provider":"\#(provider)","consumer_key":"k","consumer_secret":"s",\#(budget)}}}"#
    return try Configuration(reading: Array(text.utf8)).accounts[0].budget
  }

  private func problems(_ budget: String, provider: String = "x") -> [String] {
    do throws(SettingsError) {
      _ = try read(budget, provider: provider)
      return []
    } catch { return error.problems.map { "\($0.path): \($0.what)" } }
  }

  @Test("each configured cost limit applies, and limits that are not configured come from the provider")
  func limits() throws {
    #expect(try read(#""budget":{}"#) == Budget(postsPerDay: 200, microUSDPerDay: 1_000_000))
    #expect(
      try read(#""budget":{"posts_per_day":1,"usd_per_day":0.5,"usd_per_month":15}"#)
        == Budget(postsPerDay: 1, microUSDPerDay: 500_000, microUSDPerMonth: 15_000_000))
    #expect(
      try read(#""budget":{"posts_per_day":null,"usd_per_day":null,"usd_per_month":null}"#) == Budget())
    #expect(
      try read(#""budget":{"usd_per_day":null}"#) == Budget(postsPerDay: 200))
  }

  @Test(
    "posts above 0.05 USD must be confirmed by default; null turns this off, and free providers lack the setting"
  )
  func confirmation() throws {
    func account(_ members: String, provider: String = "x") throws(SettingsError) -> AccountSettings {
      let text = #"{"accounts":{"a":{"provider":"\#(provider)","consumer_key":"k","consumer_secret":"s"\#(members)}}}"#
      return try Configuration(reading: Array(text.utf8)).accounts[0]
    }
    let usual = try account("")
    #expect(!usual.mustConfirm(15_000) && !usual.mustConfirm(50_000) && usual.mustConfirm(200_000))
    #expect(try account(#","confirm_above_usd":0"#).mustConfirm(1))
    #expect(try !account(#","confirm_above_usd":null"#).mustConfirm(.max))
    #expect(try !account("", provider: "twitter").mustConfirm(.max))
    #expect(problems(#""confirm_above_usd":-1"#).count == 1)
    #expect(problems(#""confirm_above_usd":1"#, provider: "twitter").first?.contains("does not charge") == true)
  }

  @Test(
    "an amount of money that is inexact or out of range is refused",
    arguments: ["0", "0.0", "-1", "1e2", "0.0000001", "1000000.000001", "99999999999999999999", "\"1\"", "true"])
  func amounts(text: String) throws {
    let found = try #require(problems(#""budget":{"usd_per_month":\#(text)}"#).first)
    let expected =
      "accounts.a.budget.usd_per_month: expected an amount in US dollars above 0 and up to 1000000, "
      + "with at most 6 decimals, or null, found "
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test("amounts of money are read and written exactly to the millionth")
  func exact() {
    for (text, amount) in [
      ("1.00", 1_000_000), ("0.005", 5000), ("0.000001", 1), ("15.10", 15_100_000), ("1000000.00", 1_000_000_000_000),
      ("0.123456", 123_456), ("0.00", 0),
    ] as [(String, Int64)] {
      #expect(MicroUSD.amount(text) == amount)
      #expect(MicroUSD.text(amount) == text)
    }
    #expect(MicroUSD.text(-5000) == "-0.005")
    #expect(MicroUSD.amount("9223372036854.775807") == .max && MicroUSD.amount("9223372036854.775808") == nil)
    for text in ["", ".", "1.", ".5", "+1", "1.2.3", "1,5", "NaN"] { #expect(MicroUSD.amount(text) == nil, "\(text)") }
  }

  @Test("posts_per_day is a positive number or null")
  func posts() {
    let path = "accounts.a.budget.posts_per_day"
    #expect(
      problems(#""budget":{"posts_per_day":0}"#) == ["\(path): expected a whole number from 1 to 1000000, found 0"])
    #expect(
      problems(#""budget":{"post_per_day":1}"#).first?.hasSuffix("unknown key; did you mean posts_per_day?") == true)
    #expect(problems(#""budget":null"#) == ["accounts.a.budget: expected an object, found null"])
  }

  @Test("the error about the old posts_per_day key names its replacement")
  func moved() {
    #expect(problems(#""posts_per_day":5"#) == ["accounts.a.posts_per_day: moved into budget.posts_per_day"])
  }

  @Test("a budget is refused for providers that do not charge")
  func free() {
    #expect(
      problems(#""budget":{"posts_per_day":5}"#, provider: "twitter")
        == ["accounts.a.budget: the provider twitter does not charge: remove this setting"])
  }
}
