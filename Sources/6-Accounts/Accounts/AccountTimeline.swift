internal import Dispatch
internal import Platform
internal import Providers
internal import PublishedFiles
internal import Scheduling
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// An account's home timeline: which page to request next, and what a received page changes. Belongs to the account's queue.
package final class AccountTimeline {
  let core: AccountCore
  let store: AccountStore
  let publisher: AccountPublisher
  private let spending: AccountSpending
  private let key: TimelineKey
  /// Plans which page to request next. The plan is reset when the settings change.
  package var plan: TimelinePlan
  /// The number of refreshes since the newest page was last reread; `nil` if this process has not reread it yet.
  var refreshesSinceReread: Int?
  /// Called with each stored page, within a job.
  var onPage: (Page) -> Void = { _ in }
  /// Called with the number of new posts when data is stored that could not be stored earlier.
  package var onRecovery: (Int) -> Void = { _ in }

  init(
    of core: AccountCore, _ key: TimelineKey, in store: AccountStore, publisher: AccountPublisher,
    spending: AccountSpending
  ) {
    self.key = key
    self.core = core
    self.store = store
    self.publisher = publisher
    self.spending = spending
    plan = core.dependencies.plan
    store.observer = self
  }

  /// How long the account's posts are kept.
  var retention: Retention {
    let settings = core.settings
    return Retention(
      days: settings.keepDays, newest: settings.keepsArchive ? nil : settings.wantedPosts,
      deletedDays: settings.eraseDeletedDays)
  }

  /// Returns the scope of the user's filters at the server; `nil` if they are turned off, or do not apply to the timeline.
  /// - Parameter now: the server's time.
  func filterScope(at now: Timestamp) -> FilterScope? {
    core.settings.appliesServerFilters ? key.timeline.filterContext.map { FilterScope($0, at: now) } : nil
  }

  // MARK: Missing posts

  /// Begins a new plan, because the settings or the database have changed.
  func planAnew() { plan = core.dependencies.plan }

  /// Whether a page below the known posts is missing.
  package var hasMore: Bool {
    guard let spans = try? store.database.spans(),
      let known = try? store.database.countOfFetchedPosts(upTo: plan.wanted)
    else { return false }
    return plan.hasMore(spans, known: known)
  }

  /// Where wanted posts are still missing; `nil` if there is no such place, or if no request can fetch them.
  var missingPosts: MissingPosts? {
    if plan.isBehind { return .aboveNewest }
    let wanted = core.settings.wantedPosts
    guard hasMore, let gap = (try? store.database.spans()).flatMap({ TimelinePlan.gapToFill(in: $0) }),
      let above = try? store.database.countOfPosts(above: gap.before.key, upTo: wanted), above < wanted
    else { return nil }
    return .inGap
  }

  // MARK: Noting

  /// Records the result of a page request, and schedules the next request.
  /// - Parameters:
  ///   - problem: the reason there is no page; `nil` if the page was received.
  ///   - outcome: what the response means for the schedule.
  ///   - limit: the rate limit in the response; `nil` if the response contains none.
  ///   - requests: the number of requests sent to the provider; 0 if a failure occurred before any request.
  func note(
    _ problem: Problem?, _ outcome: RefreshOutcome, limit: RateLimit?, after requests: Int, of work: Work,
    in state: inout AccountState
  ) {
    let now = core.clock.now
    if requests > 0 { state.askedAt = now }
    let isLimited = if case .limited = outcome { true } else { false }
    // A refusal states when the limit ends, regardless of earlier reports.
    state.rateLimit =
      isLimited && limit != nil
      ? limit : RateLimit.known(before: state.rateLimit, stated: limit, requests: requests, at: now)
    let wasFinal = state.problem.map { RefreshOutcome($0).isFinal } ?? false
    if problem == nil, work != .fill {
      state.refreshedAt = now
      state.staleSince = nil
      state.problem = nil
    } else if let problem, work != .fill || outcome.isFinal {
      // A missing older page does not make the timeline stale: the next refresh is scheduled, and the gap is reported.
      state.staleSince = state.staleSince ?? now
      state.problem = problem
    }
    var generator = RandomSource()
    let next = Pacing(interval: spending.pace, isScarce: spending.countsSpending).next(
      after: .ended(outcome, requests: requests), of: work,
      plan: Pacing.Plan(due: state.nextRefreshAt, failures: state.failures, isFinal: wasFinal), limit: state.rateLimit,
      now: now, using: &generator)
    state.nextRefreshAt = next.plan.due
    state.failures = next.plan.failures
    if requests > 0, let problem = state.problem, next.reason.isPublished {
      // The published time is that of the next attempt, not the time that the provider gave.
      state.problem = Problem(code: problem.code, message: problem.message, retryAt: state.nextRefreshAt)
    }
  }

  /// Records the problem with a file that prevents requests, and schedules the next attempt.
  func note(unable problem: Problem, _ outcome: RefreshOutcome, in state: inout AccountState) {
    let now = core.clock.now
    state.staleSince = state.staleSince ?? now
    state.problem = problem
    state.nextRefreshAt = core.pacing.next(after: .ended(outcome, requests: 0), now: now).plan.due
  }

  // MARK: Storing

  /// Stores a page and its effect on the account in one transaction.
  ///
  /// A service stores nothing for a page without new posts. The time of the next request is kept in memory and, in case the process is
  /// killed, in the request-start marker. Request times are stored with the next change, or when the published file is replaced, which
  /// happens hourly.
  /// - Returns: the new posts, newest first.
  func storePage(
    _ page: Page, as place: PagePosition, settling settlement: Settlement? = nil, _ change: (inout AccountState) -> Void
  ) throws(StorageError) -> [KnownPost] {
    let state = try store.changedState(change)
    let canDefer =
      core.isInService && settlement == nil && !core.shared.shutdown.isUnderWay
      && publisher.remainsValid(with: state, storing: page)
    let stored = try store.insert(
      PageWrite(
        page, as: place, receivedAt: core.clock.now, settling: settlement, keeping: retention, state: state,
        defersQuietState: canDefer, keepsFiltered: core.settings.appliesServerFilters))
    store.follow(state, isDeferred: stored.isStateDeferred)
    return stored.new
  }

  /// Stores whether a post still exists at its server.
  /// - Parameter change: how the server's response changes the account's state.
  /// - Returns: whether the post is hidden from now on.
  func storePresence(
    _ presence: PostPresence, of post: PostPosition, _ change: (inout AccountState) -> Void
  ) throws(StorageError) -> Bool {
    let (now, state) = (core.clock.now, try store.changedState(change))
    let isHidden = try store.write { (database, revision) throws(StorageError) in
      try database.note(presence, of: post, at: now, keeping: retention, state: state, expecting: revision)
    }
    store.stateWasStored()
    return isHidden
  }

  /// Keeps a page in memory that could not be stored, and schedules another attempt.
  func keepUnstored(_ page: UnstoredPage, after error: StorageError, _ change: (inout AccountState) -> Void) {
    store.unstored.keep(page)
    store.keepUnstored(after: error, change)
  }

  /// Stores and publishes the data that could not be stored before.
  /// - Returns: the number of new posts; `nil` if the data still cannot be stored.
  func storeAgain() -> Int? {
    guard !store.isClosed else { return nil }
    do {
      if !store.database.isInPlace { try store.reopenIfMoved() }
      let new = try storeUnstored()
      publisher.publish { failure in
        if let failure { return self.core.log(.debug, failure.message) }
        self.core.log(.notice, "data that could not be stored earlier has now been stored and published")
        if !self.store.isClosed { self.onRecovery(new) }
      }
      return new
    } catch {
      core.log(.debug, "the data still cannot be stored: \(error)")
      store.retrySoon()
      return nil
    }
  }

  /// Stores the data that could not be stored before.
  /// - Returns: the number of new posts.
  @discardableResult
  func storeUnstored() throws(StorageError) -> Int {
    var count = 0
    while let page = store.unstored.pages.first {
      let isFirst = try store.database.spans().top == nil
      let state = try store.changedState { state in
        if page.isNewest {
          state.refreshedAt = page.receivedAt
          state.entityTag = page.entityTag ?? state.entityTag
        }
        goOnAfterStorageProblem(&state)
      }
      let new = try store.insert(
        PageWrite(
          page.page, as: page.place, receivedAt: page.receivedAt, settling: page.settlement, keeping: retention,
          state: state, keepsFiltered: core.settings.appliesServerFilters)
      ).new
      store.unstored.pages.removeFirst()
      if page.isNewest { core.shared.announcer.announce(new, of: core.settings, isFirst: isFirst) }
      count += new.count
    }
    if store.unstored.state != nil || store.unstored.quiet != nil {
      try store.update { goOnAfterStorageProblem(&$0) }
    }
    return count
  }

  /// Clears a storage problem. The disk failed, not the provider, so the next refresh is due after the normal interval.
  private func goOnAfterStorageProblem(_ state: inout AccountState) {
    guard state.problem?.code == .storage else { return }
    let now = core.clock.now
    state.problem = nil
    state.staleSince = nil
    state.failures = 0
    state.nextRefreshAt =
      Pacing(interval: spending.pace).next(after: .stored(askedAt: state.askedAt), now: now).plan.due
  }
}

extension AccountTimeline: StoreObserver {
  func databaseWasReplaced() { planAnew() }

  func received(_ page: Page) { onPage(page) }
}

/// Where posts are missing after a refresh.
enum MissingPosts: Sendable, Hashable {
  /// Above the newest known post.
  case aboveNewest
  /// Between known posts.
  case inGap
}
