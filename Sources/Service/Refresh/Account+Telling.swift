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
        Problem(code: .storage, message: failure.message), at: now, next: now + lookAgain)
      return nil
    } catch { return Failure(.inputOutput, "that could not be published: \(error)") }
  }

  /// Stores what a failure means for the state, and publishes it: also where it cannot be stored, so that readers know.
  func tell(_ change: (inout AccountState) -> Void) -> Failure? {
    do throws(SQLiteError) {
      try database.update(change)
      return publish()
    } catch {
      let notKept = Failure(.inputOutput, "the account's state could not be stored: \(error)")
      guard var state = try? database.state() else { return notKept }
      change(&state)
      return publish(state) ?? notKept
    }
  }

  /// - Returns: why it could not be done; that hides nothing of the outcome.
  func publish(_ unstored: AccountState? = nil) -> Failure? {
    do throws(PublishError) {
      mediaWanted(urls: try publisher.publish(from: database, as: unstored, at: clock.now))
      isWhole = true
      outlets.views.published(name)
      return nil
    } catch {
      if case .database(let error) = error, error.isDamage { beginAnew(after: error) }
      isWhole = false
      return Failure(.inputOutput, "the timeline could not be published, the file before it stays: \(error)")
    }
  }
}
