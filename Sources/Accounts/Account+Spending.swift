package import CivilTime
internal import Platform
package import Providers
internal import Settings
package import Storage
package import Timeline

/// What asking costs the account. Each is to be called on the lane's queue.
extension Account {
  /// What may be asked for now, and what was put aside for it.
  package enum Provision {
    /// A page of so many posts; `nil` where nothing is counted.
    case page(count: Int, Reservation?)
    case refused(Problem)
  }

  private var spendingRules: SpendingRules {
    SpendingRules(
      budget: settings.budget, prices: settings.prices, requestsPerDay: provider.traits.requestsPerDay)
  }

  /// Whether requests cost something, or are counted.
  package var countsSpending: Bool { spendingRules.isCounted }

  /// How much may still be spent; `nil` where nothing is counted.
  private func remainingBudget() throws(StorageError) -> RemainingBudget? {
    let rules = spendingRules
    return rules.isCounted ? RemainingBudget(rules, try database.spending(), at: clock.now) : nil
  }

  /// Why nothing may be asked for now; `nil` when something may.
  package func spendingProblem() throws(StorageError) -> Problem? {
    guard let room = try remainingBudget(), case .nothing(let limit) = room.allowance(for: 1) else { return nil }
    return room.problem(of: limit)
  }

  /// Puts aside the most that a page can cost, before it is asked for: on the disk, so that a process that is killed in between
  /// has spent it.
  package func provide(for wanted: Int) throws(StorageError) -> Provision {
    let now = clock.now
    guard let room = try remainingBudget() else { return .page(count: wanted, nil) }
    switch room.allowance(for: wanted) {
    case .nothing(let limit): return .refused(room.problem(of: limit))
    case .page(let count, let posts, let microUSD):
      return .page(
        count: count,
        try write { (database, revision) throws(StorageError) in
          try database.reserve(posts: posts, microUSD: microUSD, at: now, expecting: revision)
        })
    }
  }

  /// What takes the place of what was put aside, now that an answer has brought this.
  package func settlement(of reservation: Reservation?, _ delivered: Delivered) -> Settlement? {
    guard let reservation else { return nil }
    let prices = settings.prices
    return Settlement(
      reservation, posts: delivered.posts, users: delivered.users, namelessPosts: delivered.namelessPosts,
      namelessUsers: delivered.namelessUsers, microUSDPerPost: prices?.microUSDPerPost ?? 0,
      microUSDPerUser: prices?.microUSDPerUser ?? 0)
  }

  /// Frees what was put aside for an answer that brought nothing. Where that cannot be stored it stays spent.
  package func release(_ reservation: Reservation?) {
    guard let reservation else { return }
    do throws(StorageError) {
      try write { (database, revision) throws(StorageError) in
        try database.settle(Settlement(reservation), expecting: revision)
      }
    } catch {
      log(.warning, "what was put aside for an answer stays counted as spent: \(error)")
    }
  }

  /// The time between two refreshes as it is now: the user's, or longer so that what is left of a day lasts.
  package var pace: Duration {
    (try? remainingBudget()).flatMap { $0 }?.stretched(settings.refreshInterval) ?? settings.refreshInterval
  }

  /// When a gap or older posts may be asked for, where that costs something: the rest of a day's room is for
  /// what is new.
  package func affordable(_ filling: Timestamp?) -> Timestamp? {
    guard let filling, let room = (try? remainingBudget()).flatMap({ $0 }) else { return filling }
    return room.hasRoomForFilling(refreshingEvery: settings.refreshInterval) ? filling : max(filling, room.nextDay)
  }
}
