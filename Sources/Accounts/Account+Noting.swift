internal import CivilTime
internal import Platform
internal import Providers
internal import Publishing
internal import Scheduling
internal import Settings
package import Storage
package import Timeline

/// Effects of a response on the account's state. Call on the account's queue.
extension Account {
  /// Records the result of a page request, and schedules the next request.
  /// - Parameters:
  ///   - problem: the reason there is no page; `nil` if the page was received.
  ///   - limit: the rate limit in the response; `nil` if the response contains none.
  ///   - requests: the number of requests sent to the provider; 0 if a failure occurred before any request.
  package func note(
    _ problem: Problem?, limit: RateLimit?, after requests: Int, of kind: PageKind, in state: inout AccountState
  ) {
    let now = clock.now
    if requests > 0 { state.askedAt = now }
    let outcome = problem.map { RefreshOutcome($0) } ?? .served(hasMore: false)
    let isLimited = if case .limited = outcome { true } else { false }
    // A refusal states when the limit ends, whatever was known before.
    state.rateLimit =
      isLimited && limit != nil
      ? limit : RateLimit.known(before: state.rateLimit, stated: limit, requests: requests, at: now)
    let wasFinal = state.problem.map { RefreshOutcome($0).isFinal } ?? false
    if problem == nil, kind == .newest {
      state.refreshedAt = now
      state.staleSince = nil
      state.problem = nil
    } else if let problem, kind == .newest || outcome.isFinal {
      // A missing older page does not make the timeline stale: the next refresh is scheduled, and the gap is reported.
      state.staleSince = state.staleSince ?? now
      state.problem = problem
    }
    var generator = RandomSource()
    // The pauses after answers that only the user can change, and after other failures, grow independently of each other.
    let failures = outcome.isFinal == wasFinal ? state.failures : 0
    let plan = Pacing(interval: pace, isScarce: countsSpending).next(
      after: outcome, of: kind == .newest ? .refresh : .fill,
      plan: Pacing.Plan(due: state.nextRefreshAt, failures: failures), limit: state.rateLimit, now: now,
      using: &generator)
    // Without a request, only the user or a file can change the outcome: for example, no token is stored, or it has ended.
    state.nextRefreshAt = outcome.isFinal && requests == 0 ? nil : plan.due
    state.failures = plan.failures
    if requests > 0, let problem = state.problem, outcome.namesNextRefresh {
      // The published time is the time of the next attempt, not the one that the provider gave.
      state.problem = Problem(code: problem.code, message: problem.message, retryAt: state.nextRefreshAt)
    }
  }

  /// Records the problem that prevents requests, and schedules the next attempt.
  package func note(unable problem: Problem, in state: inout AccountState) {
    let now = clock.now
    state.staleSince = state.staleSince ?? now
    state.problem = problem
    state.nextRefreshAt = now + (problem.code == .storage ? Backoff.storageRetry : lookAgain)
  }

  /// The pause before a damaged file is read again. Reading it takes no request.
  package var lookAgain: Duration { max(settings.refreshInterval, Pacing.maximumJitter) }

  /// Whether a page below the known posts is missing.
  package var hasMore: Bool {
    guard let spans = try? database.spans(), let known = try? database.countOfFetchedPosts(upTo: plan.wanted)
    else { return false }
    return plan.hasMore(spans, known: known)
  }

  /// Whether the provider's rate limit currently forbids requests.
  package var isExhausted: Bool {
    knownState.limit(at: clock.now).map { $0.remaining <= 0 } ?? false
  }
}

/// Publishes the results of an account's requests. Call on the account's queue.
extension Account {
  /// Reports an unusable database in the published file.
  package func publishWithoutDatabase(_ failure: OperationError) -> OperationError? {
    do throws(PublishError) {
      try publisher.publish(Problem(code: .storage, message: failure.message), at: clock.now)
      return nil
    } catch { return OperationError(.inputOutput, "the problem could not be published: \(error)") }
  }

  /// Stores a failure's effect on the state, and publishes the state. The state is published even if it cannot be stored, so that readers
  /// learn about the failure.
  package func storeAndPublish(_ change: (inout AccountState) -> Void) -> OperationError? {
    do throws(StorageError) {
      try update(change)
      return publish()
    } catch {
      return publish() ?? OperationError(.inputOutput, "the account's state could not be stored: \(error)")
    }
  }

  /// Publishes the known posts and the state, including data that is not stored yet.
  /// - Parameter gathers: whether the writing of some files may be postponed, so that several refreshes share one write.
  @discardableResult
  func publishAll(gathers: Bool) throws(PublishError) -> TimelinePublisher.Outcome {
    let state = unstored.state == nil && unstored.quiet == nil ? nil : knownState
    do throws(PublishError) {
      return try publisher.publish(
        from: database, as: state, with: unstored.pages, gathers: gathers, mayBeTorn: !isPublished, at: clock.now)
    } catch {
      // A disk without space for the unstored pages may still have space for the problem.
      guard case .file = error, !unstored.pages.isEmpty else { throw error }
      return try publisher.publish(from: database, as: state, gathers: gathers, mayBeTorn: true, at: clock.now)
    }
  }

  /// Publishes the known posts and the state. If that fails, schedules another attempt.
  /// - Parameter gathers: whether the writing of some files may be postponed, so that several refreshes share one write; `false` if a user
  ///   is waiting.
  /// - Returns: the error if publishing failed. This error does not replace the job's outcome.
  package func publish(gathers: Bool = true) -> OperationError? {
    do throws(PublishError) {
      let outcome = try publishAll(gathers: gathers && publishers.gathering > .zero)
      if let pictures = outcome.pictures { mediaWanted(urls: pictures) }
      isPublished = true
      if unstored.isEmpty { unstored.reason = nil }
      if outcome.concernsViews { publishers.views.published(name) }
      if outcome.isBehind { publishGatheredSoon() }
      return nil
    } catch {
      if case .database(let error) = error, error.kind == .damaged { beginAnew(after: error) }
      isPublished = false
      let failure = OperationError(
        .inputOutput, "the timeline could not be published, so the previous file is kept: \(error)")
      unstored.reason = unstored.reason ?? failure.message
      storeSoon()
      return failure
    }
  }

  /// Schedules the writing of outdated files. All refreshes until then share one write.
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

  /// Writes outdated and missing files at once, for a user who is waiting for them.
  /// - Returns: the error if writing failed.
  package func publishBehind() -> OperationError? {
    guard !isClosed, TimelinePublisher.isBehind(database) || knownState.identity != nil && lacksFiles else {
      return nil
    }
    return publish(gathers: false)
  }

  /// Applies changed settings to the published files, without waiting for the next refresh.
  func publishAnew() {
    guard !isClosed, provider.traits.hasTimeline, knownState.identity != nil else { return }
    publisher.settingsWereChanged(for: database)
    if let failure = publish(gathers: false) { log(.warning, failure.message) }
  }

  /// Writes outdated files before the database is closed.
  func publishGathered() {
    guard TimelinePublisher.isBehind(database) else { return }
    do throws(PublishError) { try publishAll(gathers: false) } catch {
      isPublished = false
      log(.warning, "some published files will be out of date until the next start: \(error)")
    }
  }
}

extension AccountSettings {
  /// Returns whether an account with these settings is published in the same way as with the given ones.
  func isPublished(like other: AccountSettings) -> Bool {
    publish == other.publish && keepPosts == other.keepPosts && feedPosts == other.feedPosts && budget == other.budget
      && provider == other.provider
  }
}
