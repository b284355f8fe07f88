package import CivilTime
internal import Platform
package import Providers
internal import Settings
package import Storage
package import Timeline

/// The cost of an account's requests. Call on the account's queue.
extension Account {
  private var spendingRules: SpendingRules {
    SpendingRules(
      budget: settings.budget, prices: settings.prices, requestsPerDay: provider.traits.requestsPerDay)
  }

  /// Whether requests cost money or count against a quota.
  package var countsSpending: Bool { spendingRules.isCounted }

  /// Returns the remaining budget; `nil` if requests neither cost money nor count against a quota.
  func remainingBudget() throws(StorageError) -> RemainingBudget? {
    let rules = spendingRules
    return rules.isCounted ? RemainingBudget(rules, try database.spending(), at: clock.now) : nil
  }

  /// Returns the reason no request is allowed now; `nil` if a request is allowed.
  package func spendingProblem() throws(StorageError) -> Problem? {
    guard let budget = try remainingBudget(), case .nothing(let limit) = budget.allowance(for: 1) else { return nil }
    return budget.problem(of: limit)
  }

  /// Reserves a page's maximum cost before the request is sent. The reservation is on disk, so if the process is killed before the response
  /// arrives, the amount counts as spent.
  package func provide(for wanted: Int) throws(StorageError) -> PageBudget {
    let now = clock.now
    guard let budget = try remainingBudget() else { return .page(count: wanted, nil) }
    switch budget.allowance(for: wanted) {
    case .nothing(let limit): return .refused(budget.problem(of: limit))
    case .page(let count, let posts, let microUSD):
      return .page(
        count: count,
        try write { (database, revision) throws(StorageError) in
          try database.reserve(posts: posts, microUSD: microUSD, at: now, expecting: revision)
        })
    }
  }

  /// Returns the settlement that replaces a reservation once a response has delivered posts and users.
  package func settlement(of reservation: Reservation?, _ delivered: Delivered) -> Settlement? {
    guard let reservation else { return nil }
    let prices = settings.prices
    return Settlement(
      reservation, posts: delivered.posts, users: delivered.users, namelessPosts: delivered.namelessPosts,
      namelessUsers: delivered.namelessUsers, microUSDPerPost: prices?.microUSDPerPost ?? 0,
      microUSDPerUser: prices?.microUSDPerUser ?? 0)
  }

  /// Releases the reservation for a request whose response delivered nothing. If this cannot be stored, the amount still counts as spent.
  package func release(_ reservation: Reservation?) {
    guard let reservation else { return }
    do throws(StorageError) {
      try write { (database, revision) throws(StorageError) in
        try database.settle(Settlement(reservation), expecting: revision)
      }
    } catch {
      log(.warning, "the amount reserved for a response still counts as spent: \(error)")
    }
  }

  /// The current interval between two refreshes: the user's interval, or a longer one so that the budget lasts until the end of the day.
  package var pace: Duration {
    (try? remainingBudget()).flatMap { $0 }?.stretched(settings.refreshInterval) ?? settings.refreshInterval
  }

  /// Returns the earliest time to fetch a gap or older posts: the given time or, if the rest of the day's budget is reserved for new posts,
  /// the start of the next day.
  package func affordable(_ filling: Timestamp?) -> Timestamp? {
    guard let filling, let budget = (try? remainingBudget()).flatMap({ $0 }) else { return filling }
    return budget.allowsFilling(refreshingEvery: settings.refreshInterval) ? filling : max(filling, budget.nextDay)
  }
}
