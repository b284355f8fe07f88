extension AccountSettings {
  /// The most that the account can cost in a month; `nil` if reading costs nothing.
  package var highestMonthlyCost: MonthlyCost? {
    prices.map {
      MonthlyCost(budget: budget, intervals: timelines.map { settings(of: $0).refreshInterval }, prices: $0)
    }
  }
}
