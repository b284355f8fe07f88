internal import Platform
internal import Storage
internal import Time
internal import Timeline

/// The data that could not be stored when it arrived, and the database that takes the place of another. Call on the account's queue.
extension Account: StoreObserver {
  func databaseWasReplaced() { for timeline in timelines.values { timeline.planAnew() } }

  func received(_ page: Page) { outbox.received(page) }

  /// Stores and publishes the data that could not be stored before.
  /// - Returns: the number of each timeline's new posts; `nil` if the data still cannot be stored.
  @discardableResult
  func storeAgain() -> [TimelineName: Int]? {
    guard !isClosed else { return nil }
    do {
      if !store.database.isInPlace { try store.reopenIfMoved() }
      let new = try storeUnstored()
      publish { failure in
        if let failure { return self.log(.debug, failure.message) }
        self.log(.notice, "data that could not be stored earlier has now been stored and published")
        if !self.isClosed { self.onRecovery(new) }
      }
      return new
    } catch {
      log(.debug, "the data still cannot be stored: \(error)")
      store.retrySoon()
      return nil
    }
  }

  /// Stores the data that could not be stored before.
  /// - Returns: the number of each timeline's new posts.
  @discardableResult
  func storeUnstored() throws(StorageError) -> [TimelineName: Int] {
    var new: [TimelineName: Int] = [:]
    while let page = store.unstored.pages.first {
      new[page.timeline, default: 0] += try timelines[page.timeline]?.store(page, goOnAfterStorageProblem) ?? 0
      store.unstored.pages.removeFirst()
    }
    if store.unstored.state != nil || store.unstored.quiet != nil { try store.update(goOnAfterStorageProblem) }
    return new
  }

  private func goOnAfterStorageProblem(_ state: inout AccountState) {
    for timeline in timelines.values { timeline.goOnAfterStorageProblem(&state) }
  }
}
