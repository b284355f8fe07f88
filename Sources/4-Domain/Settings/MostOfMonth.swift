extension AccountSettings {
  /// The most that the account can cost in a month; `nil` if reading costs nothing.
  package var highestMonthlyCost: MonthlyCost? {
    prices.map {
      MonthlyCost(budget: budget, intervals: timelines.map { self[$0].refreshInterval }, prices: $0)
    }
  }
}
