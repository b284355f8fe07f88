internal import CivilTime
internal import Platform
internal import PostText
package import Posting
internal import Settings
package import Storage
package import Timeline

/// The cost of publishing. Call on the account's queue.
extension Account {
  /// Returns the cost of a post in millionths of a US dollar; 0 if the provider does not charge.
  /// - Parameter descriptions: the number of attached files whose descriptions have yet to be sent.
  package func cost(of draft: PostDraft, describing descriptions: Int) -> Int64 {
    settings.prices?.writing.cost(ofPostWithLink: TextLinks.mayBe(in: draft.text), descriptions: descriptions) ?? 0
  }

  /// Returns the cost of an upload's next request, in millionths of a US dollar; 0 if the provider does not charge.
  package func cost(ofUploadAfter stage: MediaStage) -> Int64 {
    guard case .undescribed = stage else { return 0 }
    return settings.prices?.writing.description ?? 0
  }

  /// Returns the cost of an action in millionths of a US dollar; 0 if the provider does not charge.
  package func cost(of action: PostAction) -> Int64 {
    settings.prices?.writing.cost(ofAction: action.kind.rawValue, isUndone: action.isUndone) ?? 0
  }

  /// Returns the cost of reading the user's own posts, in millionths of a US dollar; 0 if the provider does not charge.
  package func costOfOwnPosts(_ count: Int) -> Int64 { Int64(count) * (settings.prices?.writing.ownPost ?? 0) }

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
    let now = clock.now
    return .granted(
      try write { (database, revision) throws(StorageError) in
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
    settle(Settlement(reservation, posts: ownPosts, microUSDPerPost: settings.prices?.writing.ownPost ?? 0))
  }

  private func settle(_ settlement: Settlement) {
    do throws(StorageError) {
      try write { (database, revision) throws(StorageError) in try database.settle(settlement, expecting: revision) }
    } catch { log(.warning, "the cost of a request remains reserved: \(error)") }
  }
}

/// Whether a request may be sent, and the amount reserved for it.
package enum PaymentDecision {
  /// - Parameter: the reservation; `nil` if requests neither cost money nor count against a quota.
  case granted(Reservation?)
  case refused(Problem)
}
