package import Settings

/// What an account may spend, and what asking costs.
package struct SpendingRules: Sendable, Hashable {
  package let budget: Budget
  /// `nil` where reading costs nothing.
  package let prices: Prices?
  /// How many requests a user may make on a day, where the provider counts them by days and does not tell.
  package let requestsPerDay: Int?

  package init(budget: Budget = Budget(), prices: Prices? = nil, requestsPerDay: Int? = nil) {
    self.budget = budget
    self.prices = prices
    self.requestsPerDay = requestsPerDay
  }

  /// Whether requests are written down before they are sent.
  package var isCounted: Bool { prices != nil || requestsPerDay != nil }
}
