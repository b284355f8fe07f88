internal import CivilTime
internal import Platform
internal import Store
internal import Timeline

/// What came of an account's requests, for those who read its file. Each is to be called on the lane's queue.
extension Account {
  /// Has readers know that the database cannot be used.
  func tellWithoutDatabase(_ failure: Failure) -> Failure? {
    let now = clock.now
    do throws(PublishError) {
      try publisher.publish(
        Problem(code: .storage, message: failure.message), at: now, next: now + Backoff.storageRetry)
      return nil
    } catch { return Failure(.inputOutput, "that could not be published: \(error)") }
  }

  /// Stores what a failure means for the state, and publishes it: also where it cannot be stored, so that readers know.
  func tell(_ change: (inout AccountState) -> Void) -> Failure? {
    do throws(SQLiteError) {
      try update(change)
      return publish()
    } catch {
      return publish() ?? Failure(.inputOutput, "the account's state could not be stored: \(error)")
    }
  }

  /// Publishes what is known, what is not stored included.
  /// - Returns: the pictures of a page.
  @discardableResult
  func publishAll() throws(PublishError) -> [String] {
    let (publisher, state) = (publisher, unstored.state == nil ? nil : knownState)
    do throws(PublishError) {
      return try publisher.publish(from: database, as: state, with: unstored.pages, at: clock.now)
    } catch {
      // Where there is no room for them, there may yet be for the word of what is wrong.
      guard case .file = error, !unstored.pages.isEmpty else { throw error }
      return try publisher.publish(from: database, as: state, at: clock.now)
    }
  }

  /// - Returns: why it could not be done; that hides nothing of the outcome.
  func publish() -> Failure? {
    do throws(PublishError) {
      mediaWanted(urls: try publishAll())
      isWhole = true
      if unstored.isEmpty { unstored.reason = nil }
      outlets.views.published(name)
      return nil
    } catch {
      if case .database(let error) = error, error.isDamage { beginAnew(after: error) }
      isWhole = false
      let failure = Failure(.inputOutput, "the timeline could not be published, the file before it stays: \(error)")
      unstored.reason = unstored.reason ?? failure.message
      storeSoon()
      return failure
    }
  }
}
