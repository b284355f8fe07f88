/// What an account may spend where reading costs money; each `nil` for no limit. Days and months are those of UTC.
package struct Budget: Sendable, Hashable {
  /// How many posts may be delivered on a day, those that come along included.
  package var postsPerDay: Int?
  /// In millionths of a US dollar.
  package var microUSDPerDay: Int64?
  /// In millionths of a US dollar.
  package var microUSDPerMonth: Int64?

  package init(postsPerDay: Int? = nil, microUSDPerDay: Int64? = nil, microUSDPerMonth: Int64? = nil) {
    self.postsPerDay = postsPerDay
    self.microUSDPerDay = microUSDPerDay
    self.microUSDPerMonth = microUSDPerMonth
  }
}

extension Budget {
  package static let keys = ["posts_per_day", "usd_per_day", "usd_per_month"]

  /// The account's budget: what it says, else what holds at its provider; none where nothing is charged.
  ///
  /// `null` lifts a limit. A number cannot do that, so that nobody spends without end by a slip of the hand.
  init(_ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems) {
    self = defaults?.budget ?? Budget()
    guard let member = values["budget"], let provider, let defaults else { return }
    guard defaults.prices != nil else {
      values.note("the provider \(provider) does not charge: leave it out", atKey: "budget", &problems)
      return
    }
    guard
      let limits = KeyedValues(
        member.value, path: values.path(of: "budget"), offset: member.offset, keys: Self.keys, &problems)
    else { return }
    if limits.has("posts_per_day") {
      postsPerDay =
        limits.isNull("posts_per_day")
        ? nil : limits.integer("posts_per_day", in: ProgramDefaults.postsPerDayRange, &problems).map { Int($0) }
    }
    if limits.has("usd_per_day") { microUSDPerDay = Self.amount("usd_per_day", limits, &problems) }
    if limits.has("usd_per_month") { microUSDPerMonth = Self.amount("usd_per_month", limits, &problems) }
  }

  private static func amount(_ key: String, _ values: KeyedValues, _ problems: inout Problems) -> Int64? {
    if values.isNull(key) { return nil }
    let expected =
      "an amount of US dollars above 0 and up to \(ProgramDefaults.highestBudget / MicroUSD.one), with 6 decimals at most, "
      + "or null"
    guard let text = values.number(key, orExpecting: expected, &problems) else { return nil }
    if let amount = MicroUSD.amount(text), (1...ProgramDefaults.highestBudget).contains(amount) { return amount }
    values.note("expected \(expected), found \(Shown.plain(text))", at: key, &problems)
    return nil
  }
}
