internal import Platform
package import Posting
package import Providers
package import Settings
package import Storage
package import Time
package import Timeline

/// An account's spending: what its requests cost, and what its budget still allows. Belongs to the account's queue.
package final class AccountSpending {
  private let core: AccountCore
  private let store: AccountStore

  init(of core: AccountCore, in store: AccountStore) {
    self.core = core
    self.store = store
  }

  private var spendingRules: SpendingRules {
    SpendingRules(
      budget: core.settings.budget, prices: core.settings.prices, requestsPerDay: core.provider.traits.requestsPerDay)
  }

  /// Whether requests cost money or count against a quota.
  package var countsSpending: Bool { spendingRules.isCounted }

  /// Returns the remaining budget; `nil` if requests neither cost money nor count against a quota.
  func remainingBudget() throws(StorageError) -> RemainingBudget? {
    let rules = spendingRules
    return rules.isCounted ? RemainingBudget(rules, try store.database.spending(), at: core.clock.now) : nil
  }

  /// Returns the reason no request is allowed now; `nil` if a request is allowed.
  package func spendingProblem() throws(StorageError) -> Problem? {
    guard let budget = try remainingBudget(), case .nothing(let limit) = budget.allowance(for: 1) else { return nil }
    return budget.problem(of: limit)
  }

  /// Reserves a page's maximum cost before the request is sent. The reservation is on disk, so if the process is killed before the response
  /// arrives, the amount counts as spent.
  package func provide(for wanted: Int) throws(StorageError) -> PageBudget {
    let now = core.clock.now
    guard let budget = try remainingBudget() else { return .page(count: wanted, nil) }
    switch budget.allowance(for: wanted) {
    case .nothing(let limit): return .refused(budget.problem(of: limit))
    case .page(let count, let posts, let microUSD):
      return .page(
        count: count,
        try store.write { (database, revision) throws(StorageError) in
          try database.reserve(posts: posts, microUSD: microUSD, at: now, expecting: revision)
        })
    }
  }

  /// Returns the settlement that replaces a reservation once a response has delivered posts and users.
  package func settlement(of reservation: Reservation?, _ delivered: Delivered) -> Settlement? {
    guard let reservation else { return nil }
    let prices = core.settings.prices
    return Settlement(
      reservation, posts: delivered.posts, users: delivered.users, namelessPosts: delivered.namelessPosts,
      namelessUsers: delivered.namelessUsers, microUSDPerPost: prices?.microUSDPerPost ?? 0,
      microUSDPerUser: prices?.microUSDPerUser ?? 0)
  }

  /// Releases the reservation for a request whose response contained nothing. If this cannot be stored, the amount still counts as spent.
  package func release(_ reservation: Reservation?) {
    guard let reservation else { return }
    do throws(StorageError) {
      try store.write { (database, revision) throws(StorageError) in
        try database.settle(Settlement(reservation), expecting: revision)
      }
    } catch {
      core.log(.warning, "the amount reserved for a response still counts as spent: \(error)")
    }
  }

  /// Returns the current interval between two refreshes of a timeline: the user's interval, or a longer one so that the budget lasts until
  /// the end of the day.
  package func pace(of timeline: TimelineSettings) -> Duration {
    (try? remainingBudget()).flatMap { $0 }?.stretched(timeline.refreshInterval) ?? timeline.refreshInterval
  }

  /// Returns the earliest time to fetch a gap or older posts: the given time, or the start of the next day if the rest of today's budget is
  /// reserved for new posts.
  package func affordable(_ filling: Timestamp?, of timeline: TimelineSettings) -> Timestamp? {
    guard let filling, let budget = (try? remainingBudget()).flatMap({ $0 }) else { return filling }
    return budget.allowsFilling(refreshingEvery: timeline.refreshInterval) ? filling : max(filling, budget.nextDay)
  }

  // MARK: Posting

  /// Returns the cost of a post in millionths of a US dollar; 0 if the provider does not charge.
  /// - Parameter descriptions: the number of attached files whose descriptions have yet to be sent.
  package func cost(of draft: PostDraft, describing descriptions: Int) -> Int64 {
    core.settings.prices?.writing.cost(ofPostWithLink: TextLinks.mayBe(in: draft.text), descriptions: descriptions) ?? 0
  }

  /// Returns the cost of an upload's next request, in millionths of a US dollar; 0 if the provider does not charge.
  package func cost(ofUploadAfter stage: MediaStage) -> Int64 {
    guard case .undescribed = stage else { return 0 }
    return core.settings.prices?.writing.description ?? 0
  }

  /// Returns the cost of an action in millionths of a US dollar; 0 if the provider does not charge.
  package func cost(of action: PostAction) -> Int64 {
    core.settings.prices?.writing.cost(ofAction: action.kind.rawValue, isUndone: action.isUndone) ?? 0
  }

  /// Returns the cost of reading the user's own posts, in millionths of a US dollar; 0 if the provider does not charge.
  package func costOfOwnPosts(_ count: Int) -> Int64 { Int64(count) * (core.settings.prices?.writing.ownPost ?? 0) }

  /// Returns the reason the account can never pay this amount; `nil` if it can pay now or once a limit is reset.
  package func objection(toPaying microUSD: Int64) throws(StorageError) -> Problem? {
    guard let problem = try remainingBudget()?.objection(toPaying: microUSD), problem.code == .configuration else {
      return nil
    }
    return problem
  }

  /// Reserves a request's cost before the request is sent. If the process is killed before the response arrives, the amount counts as
  /// spent.
  /// - Parameters:
  ///   - microUSD: the maximum cost of the request, in millionths of a US dollar.
  ///   - posts: the maximum number of posts in the response.
  package func pay(_ microUSD: Int64, posts: Int = 0) throws(StorageError) -> PaymentDecision {
    guard let budget = try remainingBudget() else { return .granted(nil) }
    if let problem = budget.objection(toPaying: microUSD, posts: posts) { return .refused(problem) }
    let now = core.clock.now
    return .granted(
      try store.write { (database, revision) throws(StorageError) in
        try database.reserve(posts: posts, microUSD: microUSD, at: now, expecting: revision)
      })
  }

  /// Replaces a reservation with the request's price. If this cannot be stored, the amount stays reserved and counts as spent.
  package func settle(_ reservation: Reservation?, microUSD: Int64) {
    guard let reservation else { return }
    settle(Settlement(reservation, microUSD: microUSD))
  }

  /// Replaces a reservation with the price of the user's own posts in the response.
  package func settle(_ reservation: Reservation?, ownPosts: [String]) {
    guard let reservation else { return }
    settle(Settlement(reservation, posts: ownPosts, microUSDPerPost: core.settings.prices?.writing.ownPost ?? 0))
  }

  private func settle(_ settlement: Settlement) {
    do throws(StorageError) {
      try store.write { (database, revision) throws(StorageError) in
        try database.settle(settlement, expecting: revision)
      }
    } catch { core.log(.warning, "the cost of a request remains reserved: \(error)") }
  }
}

/// Whether a request may be sent, and the amount reserved for it.
package enum PaymentDecision {
  /// - Parameter: the reservation; `nil` if requests neither cost money nor count against a quota.
  case granted(Reservation?)
  case refused(Problem)
}
