internal import Dispatch
package import Folders
internal import Platform
internal import Providers
internal import PublishedFiles
package import Scheduling
package import Settings
package import Storage
package import Time
package import Timeline

/// One timeline of an account: which page to request next, what a received page changes, and its published files. Belongs to the account's
/// queue.
// Sendable because all mutable state is accessed only on the account's queue.
package final class AccountTimeline: @unchecked Sendable {
  package let name: TimelineName
  let core: AccountCore
  let store: AccountStore
  package let publisher: TimelinePublisher
  private let spending: AccountSpending
  /// The timeline's part of the account's current settings.
  package private(set) var settings: TimelineSettings
  /// Plans which page to request next. The plan is reset when the settings change.
  package var plan: TimelinePlan
  /// The walk through the user's marks that is in progress; `nil` if there is none.
  var walk: MarkWalk?
  /// When the next walk may begin, after one that could not be finished.
  var walkRestsUntil: Timestamp?
  /// The number of refreshes since the newest page was last reread; `nil` if this process has not reread it yet.
  var refreshesSinceReread: Int?
  /// The number of posts that refreshes have added since the account's last login; `nil` if none has fetched the newest page since.
  package var newSinceLogin: Int?

  init(
    _ name: TimelineName, of core: AccountCore, in store: AccountStore, _ tokens: any TokenStorage,
    spending: AccountSpending, pictures: AccountPictures
  ) throws(OperationError) {
    self.name = name
    let files: TimelineFiles
    do { files = try core.files.published(of: name) } catch { throw OperationError(.inputOutput, "\(error)") }
    self.core = core
    self.store = store
    settings = core.settings[name]
    publisher = TimelinePublisher(settings, as: files, of: core, in: store, tokens, pictures: pictures)
    self.spending = spending
    plan = core.dependencies.plan(of: name)
  }

  /// The paths of its published files.
  package var files: TimelineFiles { publisher.files }
  package var key: TimelineKey { TimelineKey(account: core.name, timeline: name) }

  /// How long the timeline's posts are kept.
  var retention: Retention {
    let settings = settings
    return Retention(
      days: settings.keepDays, newest: settings.keepsArchive ? nil : settings.wantedPosts,
      deletedDays: core.settings.eraseDeletedDays)
  }

  /// Returns the scope of the user's filters at the server; `nil` if they are turned off, or do not apply to the timeline.
  /// - Parameter now: the server's time.
  func filterScope(at now: Timestamp) -> FilterScope? {
    settings.appliesServerFilters ? name.filterContext.map { FilterScope($0, at: now) } : nil
  }

  /// The last known state; see ``AccountStore/knownState``.
  package var state: TimelineState { store.knownState[name] }

  /// The properties of the timeline at its provider.
  var traits: TimelineTraits { core.dependencies.traits(of: name) }

  // MARK: Rate limits

  /// Whether other timelines share the timeline's window.
  private var sharesWindow: Bool {
    if core.countsByAddress { return true }
    let others = core.settings.timelines.filter { $0 != name }
    return others.contains { traits.window == .token || $0.kind == name.kind }
  }

  /// Whether the provider counts the timeline's requests apart from those for the home timeline.
  private var hasOwnWindow: Bool { traits.window == .kind && name.kind != .home }

  /// How the schedule refreshes the timeline. If there is no other timeline, its window is the token's.
  package var terms: Schedule.Member.Terms {
    let isApart = traits.window == .kind && core.settings.timelines.count > 1
    return Schedule.Member.Terms(
      interval: settings.refreshInterval, windowOwner: isApart ? .kind : core.countsByAddress ? .host : .token)
  }

  /// Returns the last known rate limit of the timeline's window, which may have ended; `nil` if none is known.
  package func knownLimit(in state: AccountState) -> RateLimit? {
    hasOwnWindow ? state.kindRateLimits[name.kind] : state.rateLimit
  }

  /// Returns the rate limit that applies to the timeline's next request; `nil` if none is known or its window has ended.
  package func limit(in state: AccountState, at now: Timestamp) -> RateLimit? {
    guard hasOwnWindow else { return state.limit(at: now) }
    var own = state
    own.rateLimit = knownLimit(in: state)
    return own.limit(at: now)
  }

  /// Whether the provider's rate limit currently forbids requests.
  var isExhausted: Bool { limit(in: store.knownState, at: core.clock.now).map { $0.remaining <= 0 } ?? false }

  /// Records what responses say about the rate limit.
  /// - Parameters:
  ///   - limit: the rate limit in the last response; `nil` if it contained none.
  ///   - isRefusal: whether the provider refused the request because of the limit. It then states when the limit ends, regardless of
  ///     earlier reports.
  ///   - requests: the number of requests sent to the provider.
  func note(
    _ limit: RateLimit?, isRefusal: Bool = false, requests: Int, in state: inout AccountState, at now: Timestamp
  ) {
    let former = knownLimit(in: state)
    let known =
      isRefusal && limit != nil ? limit : RateLimit.known(before: former, stated: limit, requests: requests, at: now)
    if hasOwnWindow { state.kindRateLimits[name.kind] = known } else { state.rateLimit = known }
  }

  // MARK: Missing posts

  /// Whether the timeline was taken out of the settings. Responses for it are then discarded.
  private(set) var hasEnded = false

  /// Ends the timeline, and removes its published files. Its archive remains.
  /// - Parameter done: called once they have been removed.
  func end(then done: @escaping () -> Void) {
    hasEnded = true
    publisher.end(then: done)
  }

  /// Adopts the account's new settings. This does not publish the files again.
  func adoptSettings() {
    settings = core.settings[name]
    publisher.adopt(settings)
    planAnew()
  }

  /// Begins a new plan, because the settings or the database have changed.
  func planAnew() {
    plan = core.dependencies.plan(of: name)
    walk = nil
  }

  /// Whether a page below the known posts is missing.
  package var hasMore: Bool {
    guard let spans = try? store.database.spans(of: name),
      let known = try? store.database.countOfFetchedPosts(of: name, upTo: plan.wanted)
    else { return false }
    return plan.hasMore(spans, known: known)
  }

  /// Where wanted posts are still missing; `nil` if there is no such place, or if no request can fetch them.
  var missingPosts: MissingPosts? {
    if plan.isBehind { return .aboveNewest }
    let wanted = settings.wantedPosts
    guard hasMore, let gap = (try? store.database.spans(of: name)).flatMap({ TimelinePlan.gapToFill(in: $0) }),
      let above = try? store.database.countOfPosts(of: name, above: gap.before.key, upTo: wanted), above < wanted
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
    note(limit, isRefusal: isLimited, requests: requests, in: &state, at: now)
    var timeline = state[name]
    defer { state[name] = timeline }
    let wasFinal = timeline.problem.map { RefreshOutcome($0).isFinal } ?? false
    if problem == nil, work != .fill {
      timeline.refreshedAt = now
      timeline.staleSince = nil
      timeline.problem = nil
    } else if let problem, work != .fill || outcome.isFinal {
      // A missing older page does not make the timeline stale: the next refresh is scheduled, and the gap is reported.
      timeline.staleSince = timeline.staleSince ?? now
      timeline.problem = problem
    }
    var generator = RandomSource()
    let next = Pacing(
      interval: spending.pace(of: settings), sharesWindow: sharesWindow,
      isScarce: spending.countsSpending
    ).next(
      after: .ended(outcome, requests: requests), of: work,
      plan: Pacing.Plan(due: timeline.nextRefreshAt, failures: timeline.failures, isFinal: wasFinal),
      limit: knownLimit(in: state), now: now, using: &generator)
    timeline.nextRefreshAt = next.plan.due
    timeline.failures = next.plan.failures
    if requests > 0, let problem = timeline.problem, next.reason.isPublished {
      // The published time is that of the next attempt, not the time that the provider gave.
      timeline.problem = Problem(code: problem.code, message: problem.message, retryAt: timeline.nextRefreshAt)
    }
  }

  /// Records the problem with a file that prevents requests, and schedules the next attempt.
  func note(unable problem: Problem, _ outcome: RefreshOutcome, in state: inout AccountState) {
    let now = core.clock.now
    state[name].staleSince = state[name].staleSince ?? now
    state[name].problem = problem
    state[name].nextRefreshAt = core.pacing.next(after: .ended(outcome, requests: 0), now: now).plan.due
  }

  // MARK: Storing

  /// Stores a page and its effect on the account in one transaction.
  ///
  /// A service stores nothing for a page without new posts. The time of the next request is kept in memory and, in case the process is
  /// killed, in the request-start marker. Request times are stored with the next change, or when the published file is replaced, which
  /// happens hourly.
  /// - Parameter walked: the result of a walk that ends with the page.
  /// - Returns: the new posts, newest first.
  func storePage(
    _ page: Page, as place: PagePosition, settling settlement: Settlement? = nil, walked: WalkedMarks? = nil,
    _ change: (inout AccountState) -> Void
  ) throws(StorageError) -> [KnownPost] {
    let state = try store.changedState(change)
    let canDefer =
      core.isInService && settlement == nil && !core.shared.shutdown.isUnderWay
      && publisher.remainsValid(with: state, storing: page)
    let stored = try store.insert(
      PageWrite(
        page, of: name, as: place, receivedAt: core.clock.now, settling: settlement, keeping: retention, state: state,
        defersQuietState: canDefer, keepsFiltered: settings.appliesServerFilters, walked: walked))
    store.follow(state, isDeferred: stored.isStateDeferred)
    if name == .home { core.learnWindow(from: page.entries.first?.post.id) }
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

  /// Stores a page that could not be stored before.
  /// - Parameter change: what storing it changes in the account's state besides.
  /// - Returns: the number of new posts.
  func store(_ page: UnstoredPage, _ change: (inout AccountState) -> Void) throws(StorageError) -> Int {
    let isFirst = try store.database.spans(of: name).top == nil
    let state = try store.changedState { state in
      if page.isNewest {
        state[name].refreshedAt = page.receivedAt
        state[name].entityTag = page.entityTag ?? state[name].entityTag
      }
      change(&state)
    }
    let new = try store.insert(
      PageWrite(
        page.page, of: name, as: page.place, receivedAt: page.receivedAt, settling: page.settlement, keeping: retention,
        state: state, keepsFiltered: settings.appliesServerFilters)
    ).new
    if page.isNewest { announce(new, isFirst: isFirst) }
    return new.count
  }

  /// Announces new posts.
  /// - Parameter isFirst: whether these are the first known posts of the timeline.
  func announce(_ posts: [KnownPost], isFirst: Bool) {
    core.shared.announcer.announce(posts, in: key, settings, isFirst: isFirst)
  }

  /// Clears the timeline's storage problem. The disk failed, not the provider, so the next refresh is due after the normal interval.
  func goOnAfterStorageProblem(_ state: inout AccountState) {
    guard state[name].problem?.code == .storage else { return }
    let now = core.clock.now
    state[name].problem = nil
    state[name].staleSince = nil
    state[name].failures = 0
    state[name].nextRefreshAt =
      Pacing(interval: spending.pace(of: settings)).next(after: .stored(askedAt: state.askedAt), now: now).plan.due
  }
}

/// Where posts are missing after a refresh.
enum MissingPosts: Sendable, Hashable {
  /// Above the newest known post.
  case aboveNewest
  /// Between known posts.
  case inGap
}
