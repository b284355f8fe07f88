package import Settings

/// The spending limits of an account, and the prices of requests.
package struct SpendingRules: Sendable, Hashable {
  let budget: Budget
  /// The prices of requests; `nil` if reading costs nothing.
  let prices: Prices?
  /// The number of requests that a user may send per day, if the provider counts them by day and does not report how many are left.
  let requestsPerDay: Int?

  package init(budget: Budget = Budget(), prices: Prices? = nil, requestsPerDay: Int? = nil) {
    self.budget = budget
    self.prices = prices
    self.requestsPerDay = requestsPerDay
  }

  /// Whether requests are recorded before they are sent.
  package var isCounted: Bool { prices != nil || requestsPerDay != nil }
}
