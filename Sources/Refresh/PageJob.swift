package import Accounts
internal import CivilTime
internal import HomelineOAuth
internal import HTTPClient
internal import Platform
internal import Providers
internal import Publishing
internal import Scheduling
internal import Settings
internal import Storage
internal import Timeline

/// Fetches one page of an account's home timeline in a turn of its lane: signed, sent, read, stored and published.
package final class PageJob {
  private let account: Account
  private let kind: PageKind
  /// Whether a user waits for it.
  private let isAwaited: Bool
  private let context: JobContext
  private let completion: (PageReport) -> Void
  private var request: TimelinePlan.Request?
  private var asksWithoutSince = false
  private var hasReplacedDatabase = false
  /// What the request before was made with, for reading the newest page once more.
  private var asked: (state: AccountState, authority: RequestAuthority)?
  /// How many requests the provider had.
  private var requests = 0
  /// Whether the provider has already refused a token that was then renewed: it is believed the second time.
  private var hasRenewed = false
  /// What the answer said about limits.
  private var limit: RateLimit?
  /// What was put aside for the answer; `nil` where nothing is counted, or nothing of it was spent.
  private var reservation: Reservation?

  /// Asks for a turn. To be called on the lane's queue.
  /// - Parameter completion: called on the queue, once the turn is over or was not to be had.
  @discardableResult
  package static func enqueue(
    _ kind: PageKind, of account: Account, as jobClass: JobClass, completion: @escaping (PageReport) -> Void
  ) -> AccountQueue.Ticket {
    account.accountQueue.enqueue(jobClass) {
      completion(PageReport(.cancelled))
    } _: { context in
      PageJob(kind, of: account, isAwaited: jobClass == .userRefresh, context) { report in
        context.end()
        completion(report)
      }.start()
    }
  }

  private init(
    _ kind: PageKind, of account: Account, isAwaited: Bool, _ context: JobContext,
    completion: @escaping (PageReport) -> Void
  ) {
    self.kind = kind
    self.isAwaited = isAwaited
    self.account = account
    self.context = context
    self.completion = completion
  }

  private func start() {
    do {
      let now = account.clock.now
      if !account.unstored.isEmpty {
        let new = account.storeAgain()
        // Begun because of what could not be stored, it may not be due any more.
        if let new, !isAwaited, let due = account.knownState.nextRefreshAt, due > now {
          return report(.refreshed(new: new))
        }
      }
      try account.reopenIfMoved()
      let stored: StoredToken?
      do throws(StorageError) { stored = try account.loadToken() } catch {
        return refuse(Failure(error), Problem(error))
      }
      guard let token = stored else { return try refuseWithoutToken() }
      let state = try state(of: token)
      if let limit = state.limit(at: now), limit.remaining <= 0 {
        try account.restorePublished()
        return report(.limited(until: limit.end))
      }
      if let problem = try account.spendingProblem() { return fail(problem) }
      guard let request = try nextRequest() else { return report(.refreshed(new: 0)) }
      self.request = request
      account.authority(of: token, isAwaited: isAwaited) { result in
        self.goOn(result) { self.ask(request, state, $0, token: $1) }
      }
    } catch let failure as Failure {
      report(.unable(failure), notKept: account.tellWithoutDatabase(failure))
    } catch let error as StorageError where error.kind == .damaged {
      startAnew(after: error)
    } catch {
      report(.unable(Failure(.inputOutput, "\(error)")))
    }
  }

  /// The account's state. A database that was begun anew does not know yet whose it is.
  private func state(of token: StoredToken) throws(StorageError) -> AccountState {
    let state = try account.state()
    guard state.identity == nil else { return state }
    try account.update { $0.identity = token.identity }
    return try account.state()
  }

  /// Goes on with an empty database, once: what was in the damaged one comes from the provider again.
  private func startAnew(after error: StorageError) {
    guard !hasReplacedDatabase else { return report(.unable(Failure(.inputOutput, "\(error)"))) }
    hasReplacedDatabase = true
    do throws(Failure) { try account.replaceDamaged(error) } catch {
      return report(.unable(error), notKept: account.tellWithoutDatabase(error))
    }
    start()
  }

  private func nextRequest() throws(StorageError) -> TimelinePlan.Request? {
    let spans = try account.database.spans()
    switch kind {
    case .newest:
      let overlap = account.provider.traits.overlap
      return account.plan.newest(spans, since: try account.database.sincePosition(overlap: overlap))
    case .below:
      let overlap = account.provider.traits.overlap
      let bound = try TimelinePlan.gapToFill(in: spans).flatMap { gap throws(StorageError) in
        try account.database.overlapPosition(below: gap, overlap: overlap)
      }
      return account.plan.below(
        spans, known: try account.database.countOfFetchedPosts(upTo: account.plan.wanted), overlap: bound)
    }
  }

  // MARK: Asking

  /// Goes on with what authorises requests, or ends the job where nothing does.
  private func goOn(
    _ result: Account.Authorised, _ body: (RequestAuthority, StoredToken) -> Void
  ) {
    // A renewed token is kept whatever has become of the account meanwhile; what it would be used for is not done any more.
    guard account.accountQueue.isCurrent(context) else { return report(.cancelled) }
    switch result {
    case .success(let (authority, token)): body(authority, token)
    case .failure(.problem(let problem)): fail(problem.withLoginHint(for: account.name))
    case .failure(.failure(let failure)):
      refuse(failure, Problem(code: failure.kind == .inputOutput ? .storage : .configuration, message: failure.message))
    }
  }

  private func ask(
    _ request: TimelinePlan.Request, _ state: AccountState, _ authority: RequestAuthority, token: StoredToken
  ) {
    guard let count = provide(for: request.count), begin() else { return }
    asked = (state, authority)
    let query = TimelineQuery(
      userID: state.identity?.user.id, older: request.older, since: asksWithoutSince ? nil : request.since,
      count: count,
      // The tag belongs to the newest page; a page below it is another content.
      etag: kind == .newest ? state.entityTag : nil)
    let page = account.provider.pageRequest(for: query)
    let providerClient = account.providerClient
    context.onCancel { providerClient.cancel() }
    requests += 1
    providerClient.call(with: authority.secrets, { try authority.request(page, nonceTimestamp: $0) }) { result in
      // What the provider says to a question of former settings is not said to these.
      guard self.account.accountQueue.isCurrent(self.context) else { return self.report(.cancelled) }
      switch result {
      case .failure(let failure):
        // An answer that did not come may have been charged all the same.
        if !failure.wasSent { self.release() }
        self.fail(Problem(unsent: failure))
      case .success(let response):
        self.take(
          response, for: query, request, token, again: { self.ask(request, state, authority, token: token) },
          renewed: { self.ask(request, state, $0, token: $1) })
      }
    }
  }

  /// Notes that a request begins, for a later process.
  /// - Returns: false when that could not be written and the job has ended, since a later process would ask too early.
  private func begin() -> Bool {
    do throws(StorageError) {
      try account.beginRequest()
      return true
    } catch {
      release()
      let failure = Failure(.inputOutput, "nothing is asked, since the start of the request cannot be stored: \(error)")
      refuse(failure, Problem(code: .storage, message: failure.message))
      return false
    }
  }

  /// Puts aside what the page can cost.
  /// - Returns: for how many posts; `nil` when the job has ended, since nothing may be asked.
  private func provide(for wanted: Int) -> Int? {
    do throws(StorageError) {
      switch try account.provide(for: wanted) {
      case .page(let count, let put):
        reservation = put
        return count
      case .refused(let problem): fail(problem)
      }
    } catch {
      if error.kind == .damaged {
        startAnew(after: error)
      } else {
        fail(Problem(code: .storage, message: "nothing is asked, since what it costs could not be stored: \(error)"))
      }
    }
    return nil
  }

  /// Nothing came of what was put aside.
  private func release() {
    account.release(reservation)
    reservation = nil
  }

  private func take(
    _ response: ProviderResponse, for query: TimelineQuery, _ request: TimelinePlan.Request, _ token: StoredToken,
    again: () -> Void, renewed: @escaping (RequestAuthority, StoredToken) -> Void
  ) {
    limit = account.provider.rateLimit(from: response)
    do throws(ProviderError) {
      switch try account.provider.page(from: response, for: query) {
      case .notModified: succeed(nil, entityTag: query.etag)
      case .page(let fetched): succeed(fetched, entityTag: fetched.etag)
      }
    } catch {
      if case .refused = error { release() }
      if case .refused(.sinceRefused) = error, !asksWithoutSince, query.since != nil {
        asksWithoutSince = true
        return again()
      }
      // A token may end before its time: renewed once, it is tried once more.
      if !hasRenewed, account.isWorthRenewing(token, after: error, in: response) {
        hasRenewed = true
        context.onCancel {}
        return account.renewedAuthority(of: token) { result in self.goOn(result, renewed) }
      }
      let problem = hasRenewed ? account.problem(error, in: response, refusing: token) : error.problem
      fail(problem.withLoginHint(for: account.name))
    }
  }

  // MARK: The end

  /// Stores the page, and with it what the answer means for the account, together or not at all.
  /// - Parameter fetched: `nil` when nothing has changed since the last answer.
  private func succeed(_ fetched: PageResponse.Fetched?, entityTag: String?) {
    var page = fetched?.page ?? Page(entries: [], older: nil)
    let settlement = account.settlement(of: reservation, fetched?.delivered ?? Delivered())
    let place: PagePosition = request?.older.map { .continuing($0) } ?? .head
    do {
      if let reach = fetched?.reach { account.plan.learnReach(reach) }
      if let older = request?.older {
        page = account.plan.proven(
          page, depth: try account.database.countOfPosts(above: older, upTo: account.plan.reach))
      }
      let isFirst = try account.database.spans().top == nil
      let new = try account.store(page, as: place, settling: settlement) { state in
        if kind == .newest { state.entityTag = entityTag ?? state.entityTag }
        account.note(nil, limit: limit, after: requests, of: kind, in: &state)
      }
      account.clearLog()
      if kind == .newest { account.publishers.announcer.announce(new, of: account.settings, isFirst: isFirst) }
      account.doubtedToken = nil
      let hasNewer = fetched?.hasNewer ?? false
      if request?.older == nil { account.plan.tookNewest(hasNewer: hasNewer) }
      let skipped = fetched?.skipped ?? 0
      let warnings = skipped > 0 ? ["\(skipped) posts of the answer could not be read and are missing"] : []
      if kind == .newest, let asked, RereadJob.isDue(for: account, hasNewer: hasNewer, isAwaited: isAwaited) {
        // The posts of the first page are not to wait for the second.
        _ = account.publish()
        return RereadJob.begin(of: account, context, asked.authority, userID: asked.state.identity?.user.id) { more in
          guard let more else { return self.report(.cancelled) }
          self.report(.refreshed(new: new.count + more), warnings: warnings, notKept: self.account.publish())
        }
      }
      report(.refreshed(new: new.count), warnings: warnings, notKept: account.publish())
    } catch {
      if error.kind == .damaged, !hasReplacedDatabase { return startAnew(after: error) }
      account.unstored.keep(
        UnstoredPage(
          page, as: place, receivedAt: account.clock.now, settling: settlement, entityTag: entityTag,
          isNewest: kind == .newest))
      let problem = Problem(code: .storage, message: "the posts could not be stored: \(error)")
      // Not tried at once a second time: a database that is locked would take as long again.
      account.keepUnstored(after: error) { account.note(problem, limit: limit, after: requests, of: kind, in: &$0) }
      report(.failed(problem), notKept: account.publish())
    }
  }

  private func fail(_ problem: Problem) {
    let notKept = account.tell { account.note(problem, limit: limit, after: requests, of: kind, in: &$0) }
    report(.failed(problem), notKept: notKept)
  }

  /// Nobody can be asked before a file is put right: that is told, and looked at again after a while.
  private func refuse(_ failure: Failure, _ problem: Problem) {
    let notKept = account.tell { account.note(unable: problem, in: &$0) }
    report(.unable(failure), notKept: notKept)
  }

  /// An account for which a refresh was planned had one until somebody took its file away, who may put it back.
  private func refuseWithoutToken() throws(StorageError) {
    let isExpected = try account.state().nextRefreshAt != nil
    let problem =
      isExpected
      ? Problem(code: .notAuthorised, message: "there is no token any more. Run: homeline login \(account.name)")
      : .notAuthorisedYet(account.name)
    if isExpected { refuse(Failure(problem), problem) } else { fail(problem) }
  }

  private func report(_ outcome: PageReport.Outcome, warnings: [String] = [], notKept: Failure? = nil) {
    // What does not count is not looked up either: the files may be closed by now.
    if case .cancelled = outcome { return completion(PageReport(.cancelled)) }
    completion(PageReport(outcome, hasMore: account.hasMore, warnings: warnings, notKept: notKept))
    account.restSoon()
  }
}

extension Problem {
  /// Why a request brought no answer.
  fileprivate init(unsent failure: Failure) {
    switch failure.kind {
    case .unavailable: self.init(code: .network, message: failure.message)
    case .tryAgain(let moment): self.init(code: .rateLimited, message: failure.message, retryAt: moment)
    default: self.init(code: .configuration, message: failure.message)
    }
  }
}
