internal import CivilTime
internal import Platform
internal import Publishing
internal import Scheduling
internal import Settings
package import Storage
package import Timeline

/// What an answer means for the account's state. To be called on the lane's queue.
extension Account {
  /// Writes down what came of asking for a page, and when to ask next.
  /// - Parameters:
  ///   - problem: why there is no page; `nil` when there is one.
  ///   - limit: what the answer said of limits; `nil` when it said nothing.
  ///   - requests: how many the provider had; none when something stood in the way before.
  package func note(
    _ problem: Problem?, limit: RateLimit?, after requests: Int, of kind: PageKind, in state: inout AccountState
  ) {
    let now = clock.now
    if requests > 0 { state.askedAt = now }
    state.rateLimit = RateLimit.known(before: state.rateLimit, told: limit, requests: requests, at: now)
    let outcome = problem.map { RefreshOutcome($0) } ?? .served(hasMore: false)
    if problem == nil, kind == .newest {
      state.refreshedAt = now
      state.staleSince = nil
      state.problem = nil
    } else if let problem, kind == .newest || outcome.isFinal {
      // A page below that is missed makes no timeline stale: the next refresh is planned, and the gap is told.
      state.staleSince = state.staleSince ?? now
      state.problem = problem
    }
    var generator = RandomSource()
    let plan = Pacing(interval: pace).next(
      after: outcome, of: kind == .newest ? .refresh : .fill,
      plan: Pacing.Plan(due: state.nextRefreshAt, failures: state.failures), limit: state.rateLimit, now: now,
      using: &generator)
    state.nextRefreshAt = plan.due
    state.failures = plan.failures
  }

  /// Writes down why nobody can be asked, and when to look again.
  package func note(unable problem: Problem, in state: inout AccountState) {
    let now = clock.now
    state.staleSince = state.staleSince ?? now
    state.problem = problem
    state.nextRefreshAt = now + (problem.code == .storage ? Backoff.storageRetry : lookAgain)
  }

  /// After how long a file that was spoilt is looked at again: nobody is asked, so that costs nothing.
  package var lookAgain: Duration { max(settings.refreshInterval, Pacing.told) }

  /// Whether a page below others is missed.
  package var hasMore: Bool {
    guard let spans = try? database.spans(), let known = try? database.countOfFetchedPosts(upTo: plan.wanted)
    else { return false }
    return plan.hasMore(spans, known: known)
  }

  /// Whether the provider allows no request now.
  package var isExhausted: Bool {
    knownState.limit(at: clock.now).map { $0.remaining <= 0 } ?? false
  }
}

/// What came of an account's requests, for those who read its file. Each is to be called on the lane's queue.
extension Account {
  /// Has readers know that the database cannot be used.
  package func tellWithoutDatabase(_ failure: Failure) -> Failure? {
    do throws(PublishError) {
      try publisher.publish(Problem(code: .storage, message: failure.message), at: clock.now)
      return nil
    } catch { return Failure(.inputOutput, "that could not be published: \(error)") }
  }

  /// Stores what a failure means for the state, and publishes it: also where it cannot be stored, so that readers know.
  package func tell(_ change: (inout AccountState) -> Void) -> Failure? {
    do throws(StorageError) {
      try update(change)
      return publish()
    } catch {
      return publish() ?? Failure(.inputOutput, "the account's state could not be stored: \(error)")
    }
  }

  /// Publishes what is known, what is not stored included.
  /// - Parameter gathers: whether files may be left to be written once for several refreshes.
  @discardableResult
  func publishAll(gathers: Bool) throws(PublishError) -> TimelinePublisher.Outcome {
    let state = unstored.state == nil && unstored.quiet == nil ? nil : knownState
    do throws(PublishError) {
      return try publisher.publish(
        from: database, as: state, with: unstored.pages, gathers: gathers, mayBeTorn: !isWhole, at: clock.now)
    } catch {
      // Where there is no room for them, there may yet be for the word of what is wrong.
      guard case .file = error, !unstored.pages.isEmpty else { throw error }
      return try publisher.publish(from: database, as: state, gathers: gathers, mayBeTorn: true, at: clock.now)
    }
  }

  /// - Parameter gathers: whether files may be left to be written once for several refreshes; not where a user waits for them.
  /// - Returns: why it could not be done; that hides nothing of the outcome.
  package func publish(gathers: Bool = true) -> Failure? {
    do throws(PublishError) {
      let outcome = try publishAll(gathers: gathers && publishers.gathering > .zero)
      if let pictures = outcome.pictures { mediaWanted(urls: pictures) }
      isWhole = true
      if unstored.isEmpty { unstored.reason = nil }
      if outcome.concernsViews { publishers.views.published(name) }
      if outcome.isBehind { publishGatheredSoon() }
      return nil
    } catch {
      if case .database(let error) = error, error.kind == .damaged { beginAnew(after: error) }
      isWhole = false
      let failure = Failure(.inputOutput, "the timeline could not be published, the file before it stays: \(error)")
      unstored.reason = unstored.reason ?? failure.message
      storeSoon()
      return failure
    }
  }

  /// Has the files written that are behind, after the time for which refreshes are gathered.
  func publishGatheredSoon() {
    guard gatheringAlarm == nil, !isClosed else { return }
    gatheringAlarm = try? Alarm(on: queue) { [weak self] in
      guard let self, !self.isClosed else { return }
      self.gatheringAlarm = nil
      let isKnown = self.unstored.reason != nil
      if let failure = self.publish(gathers: false) { self.log(isKnown ? .debug : .warning, failure.message) }
    }
    if let gatheringAlarm { gatheringAlarm.set(.now + publishers.gathering) } else { publishGathered() }
  }

  /// Writes the files that are behind at once, for a user who waits for them.
  /// - Returns: the reason if that failed.
  package func publishBehind() -> Failure? {
    guard !isClosed, TimelinePublisher.isBehind(database) else { return nil }
    return publish(gathers: false)
  }

  /// Writes the files that are behind, before the database is closed.
  func publishGathered() {
    guard TimelinePublisher.isBehind(database) else { return }
    do throws(PublishError) { try publishAll(gathers: false) } catch {
      isWhole = false
      log(.warning, "some published files are behind until the next start: \(error)")
    }
  }
}
