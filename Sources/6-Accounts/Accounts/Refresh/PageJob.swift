internal import HTTPClient
internal import Platform
internal import Providers
internal import PublishedFiles
package import Scheduling
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Fetches one page of a timeline in a job on the account's queue: sends a signed request, then reads, stores and publishes
/// the page.
package final class PageJob {
  let account: Account
  let timeline: AccountTimeline
  /// Whether the job fetches the newest page for a user or for the schedule, or a missing page below it.
  let work: Work
  let context: JobContext
  private let completion: (PageReport) -> Void
  private var request: TimelinePlan.Request?
  /// Whether the request is a step of a walk through the user's marks.
  var isWalkStep = false
  private var asksWithoutSince = false
  private var hasReplacedDatabase = false
  /// The previous request's state and authority, for rereading the newest page.
  var asked: (state: AccountState, authority: RequestAuthority)?
  /// The server's name of the timeline, if it was requested in this job.
  var reference: String?
  /// Whether the home timeline was requested after the provider had refused this timeline.
  var hasCheckedHome = false
  /// The number of requests sent to the provider.
  var requests = 0
  /// Whether the token was renewed because the provider refused it. A second refusal does not renew it again.
  var hasRenewed = false
  /// The rate limit in the response.
  var limit: RateLimit?
  /// The budget reserved for the response; `nil` if requests neither cost money nor count against a quota, or if nothing was spent.
  private var reservation: Reservation?

  /// Adds the job to the account's queue. Call on the account's queue.
  /// - Parameter completion: called on the queue when the job has ended or was refused.
  @discardableResult
  package static func enqueue(
    _ work: Work, of timeline: AccountTimeline, in account: Account, completion: @escaping (PageReport) -> Void
  ) -> AccountQueue.Ticket {
    account.accountQueue.enqueue(JobClass(work)) {
      completion(PageReport(.cancelled))
    } _: { context in
      PageJob(work, of: timeline, in: account, context) { report in
        context.end()
        completion(report)
      }.start()
    }
  }

  private init(
    _ work: Work, of timeline: AccountTimeline, in account: Account, _ context: JobContext,
    completion: @escaping (PageReport) -> Void
  ) {
    self.work = work
    self.account = account
    self.timeline = timeline
    self.context = context
    self.completion = completion
  }

  private func start() {
    if timeline.hasEnded { return report(.cancelled) }
    do {
      let now = account.clock.now
      if !account.store.unstored.isEmpty {
        let new = account.storeAgain()
        // This job was started to store posts that were kept in memory. The refresh itself may no longer be due.
        if let new, !isAwaited, let due = timeline.state.nextRefreshAt, due > now {
          return report(.refreshed(new: new[timeline.name] ?? 0))
        }
      }
      try account.store.reopenIfMoved()
      let stored: StoredToken?
      do throws(StorageError) { stored = account.authority.needsToken ? try account.authority.loadToken() : nil } catch
      {
        return refuse(OperationError(error), Problem(error))
      }
      if account.authority.needsToken, stored == nil { return try refuseWithoutToken() }
      let state = try state(of: stored)
      if let limit = timeline.limit(in: state, at: now), limit.remaining <= 0 {
        return timeline.publisher.restorePublished { failure in
          self.report(failure.map { PageReport.Outcome.unable($0) } ?? .limited(until: limit.end))
        }
      }
      if let problem = try account.spending.spendingProblem() { return fail(problem) }
      guard let request = try nextRequest() else { return report(.refreshed(new: 0)) }
      self.request = request
      guard let token = stored else {
        return account.authority.provideWithoutToken { result in
          self.proceed(result) { self.resolve(request, state, $0, token: nil) }
        }
      }
      account.authority.provide(for: token, isAwaited: isAwaited) { result in
        self.proceed(result) { self.resolve(request, state, $0.0, token: $0.1) }
      }
    } catch let failure as OperationError {
      report(.unable(failure)) { self.timeline.publisher.publishWithoutDatabase(failure, then: $0) }
    } catch let error as StorageError where error.kind == .damaged {
      startAnew(after: error)
    } catch {
      report(.unable(OperationError(.inputOutput, "\(error)")))
    }
  }

  /// Returns the account's state. A new database does not contain the account's user yet, so the user is taken from the token. An account
  /// without a token has no user.
  private func state(of token: StoredToken?) throws(StorageError) -> AccountState {
    let state = try account.store.state()
    guard state.identity == nil else { return state }
    let provider = account.provider
    let identity = token?.identity ?? AccountIdentity(server: provider.server, user: provider.anonymousUser)
    try account.store.update { $0.identity = identity }
    return try account.store.state()
  }

  /// Restarts the refresh with an empty database, but only once. The provider will send the corrupt database's posts again.
  private func startAnew(after error: StorageError) {
    guard !hasReplacedDatabase else { return report(.unable(OperationError(.inputOutput, "\(error)"))) }
    hasReplacedDatabase = true
    do throws(OperationError) { try account.store.replaceDamaged(error) } catch {
      return report(.unable(error)) { self.timeline.publisher.publishWithoutDatabase(error, then: $0) }
    }
    start()
  }

  /// Whether the response still applies to the account and its settings.
  var isCurrent: Bool { !timeline.hasEnded && account.accountQueue.isCurrent(context) }

  var isNewest: Bool { work != .fill }

  /// Whether a user is waiting for the page.
  private var isAwaited: Bool { work == .user }

  private func nextRequest() throws(StorageError) -> TimelinePlan.Request? {
    let database = account.store.database
    let spans = try database.spans(of: timeline.name)
    let overlap = timeline.traits.overlap
    if isNewest {
      return timeline.plan.newest(spans, since: try database.sincePosition(of: timeline.name, overlap: overlap))
    }
    let bound = try TimelinePlan.gapToFill(in: spans).flatMap { gap throws(StorageError) in
      try database.overlapPosition(of: timeline.name, below: gap, overlap: overlap)
    }
    let missing = timeline.plan.below(
      spans, known: try database.countOfFetchedPosts(of: timeline.name, upTo: timeline.plan.wanted), overlap: bound)
    isWalkStep = missing == nil && timeline.isWalking
    return missing ?? timeline.walkRequest
  }

  // MARK: Requests

  /// Continues with the authority for requests, or ends the job if there is none.
  func proceed<Authority>(
    _ result: Result<Authority, TokenUnavailableError>, _ body: (Authority) -> Void
  ) {
    // A renewed token is stored even if the account has changed in the meantime, but is not used for this job.
    guard isCurrent else { return report(.cancelled) }
    switch result {
    case .success(let authority): body(authority)
    case .failure(.problem(let problem)): fail(problem.withLoginHint(for: account.name))
    case .failure(.failure(let failure)):
      refuse(failure, Problem(code: failure.kind == .inputOutput ? .storage : .configuration, message: failure.message))
    }
  }

  /// Asks for the server's name of the timeline, unless it is known or not needed, and then for the page.
  private func resolve(
    _ request: TimelinePlan.Request, _ state: AccountState, _ authority: RequestAuthority, token: StoredToken?
  ) {
    guard reference == nil, state[timeline.name].reference == nil,
      let referenceRequest = account.provider.referenceRequest(for: timeline.name)
    else { return ask(request, state, authority, token: token) }
    guard begin() else { return }
    asked = (state, authority)
    send(referenceRequest, authority) { response in
      do throws(ProviderFailure) {
        self.reference = try self.account.provider.reference(to: self.timeline.name, from: response)
        self.ask(request, state, authority, token: token)
      } catch {
        self.refuse(error, in: response, token) { self.resolve(request, state, $0, token: $1) }
      }
    }
  }

  /// Sends a request whose response need not be charged for.
  /// - Parameter take: receives the response.
  func send(
    _ request: ClientRequest, _ authority: RequestAuthority, _ take: @escaping (ProviderResponse) -> Void
  ) {
    let providerClient = account.authority.providerClient
    context.onCancel { providerClient.cancel() }
    requests += 1
    providerClient.call(with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }) { result in
      guard self.isCurrent else { return self.report(.cancelled) }
      switch result {
      case .failure(let failure): self.fail(Problem(unsent: failure))
      case .success(let response): take(response)
      }
    }
  }

  private func ask(
    _ request: TimelinePlan.Request, _ state: AccountState, _ authority: RequestAuthority, token: StoredToken?
  ) {
    guard let count = provide(for: request.count), begin() else { return }
    asked = (state, authority)
    let query = TimelineQuery(
      timeline.name, reference: reference ?? state[timeline.name].reference, userID: state.identity?.user.id,
      older: request.older, since: asksWithoutSince ? nil : request.since,
      count: count,
      // The entity tag belongs to the newest page, or to the last page that was read upwards. It does not apply to older pages.
      etag: request.older == nil ? state[timeline.name].entityTag : nil,
      time: account.authority.providerClient.serverNow,
      filters: timeline.filterScope(at: account.authority.providerClient.serverNow))
    let page = account.provider.pageRequest(for: query)
    let providerClient = account.authority.providerClient
    context.onCancel { providerClient.cancel() }
    requests += 1
    providerClient.call(with: authority.secrets, { try authority.authorised(page, nonceTimestamp: $0) }) { result in
      // A response to a request made with earlier settings does not apply to the current settings.
      guard self.isCurrent else { return self.report(.cancelled) }
      switch result {
      case .failure(let failure):
        // The provider may have charged for a request even if no response arrived.
        if !failure.wasSent { self.release() }
        self.fail(Problem(unsent: failure))
      case .success(let response):
        self.take(
          response, for: query, request, token, again: { self.ask(request, state, authority, token: token) },
          renewed: { self.ask(request, state, $0, token: $1) })
      }
    }
  }

  /// Records that a request is about to start, for a later process.
  /// - Returns: false if this could not be stored. The job has then ended, because a later process might send its request too early.
  func begin() -> Bool {
    do throws(StorageError) {
      try account.store.beginRequest()
      return true
    } catch {
      release()
      let failure = OperationError(.inputOutput, "no request was sent, because its start could not be stored: \(error)")
      refuse(failure, Problem(code: .storage, message: failure.message))
      return false
    }
  }

  /// Reserves the budget for the page.
  /// - Returns: the number of posts to request; `nil` if the job has ended because no request is allowed.
  private func provide(for wanted: Int) -> Int? {
    do throws(StorageError) {
      switch try account.spending.provide(for: wanted) {
      case .page(let count, let put):
        reservation = put
        return count
      case .refused(let problem): fail(problem)
      }
    } catch {
      if error.kind == .damaged {
        startAnew(after: error)
      } else {
        fail(Problem(code: .storage, message: "no request was sent, because its cost could not be stored: \(error)"))
      }
    }
    return nil
  }

  /// Releases the reserved budget, since nothing was spent.
  private func release() {
    account.spending.release(reservation)
    reservation = nil
  }

  private func take(
    _ response: ProviderResponse, for query: TimelineQuery, _ request: TimelinePlan.Request, _ token: StoredToken?,
    again: @escaping () -> Void, renewed: @escaping (RequestAuthority, StoredToken) -> Void
  ) {
    limit = account.provider.rateLimit(from: response)
    do throws(ProviderFailure) {
      switch try account.provider.page(from: response, for: query) {
      case .notModified: succeed(nil, entityTag: query.etag)
      case .page(let fetched) where fetched.page.entries.isEmpty && query.older == nil:
        takeEmpty(fetched, for: query, again: again)
      case .page(let fetched): succeed(fetched, entityTag: fetched.etag)
      }
    } catch {
      // A success without content may have been charged for.
      if error.isRefusal, !(200..<300).contains(response.status) || !response.body.isEmpty { release() }
      if case .sinceRefused = error, !asksWithoutSince, query.since != nil {
        asksWithoutSince = true
        return again()
      }
      if isMissing(response), reference == nil, let asked, asked.state[timeline.name].reference != nil {
        // The list may have been deleted and made again, and the user may have another name.
        var state = asked.state
        state[timeline.name].reference = nil
        return resolve(request, state, asked.authority, token: token)
      }
      refuse(error, in: response, token, renewed: renewed)
    }
  }

  /// Takes a newest page without posts. A timeline that the server has switched off looks like this too.
  /// - Parameter again: repeats the request without its lower bound, because a page without posts above one proves less.
  private func takeEmpty(_ fetched: PageResponse.Fetched, for query: TimelineQuery, again: @escaping () -> Void) {
    FeedAccessReader.read(for: timeline.name.kind, in: account, context) { access in
      guard self.isCurrent else { return self.report(.cancelled) }
      guard access == .off else { return self.succeed(fetched, entityTag: fetched.etag) }
      if query.since != nil, !self.asksWithoutSince {
        self.asksWithoutSince = true
        return again()
      }
      self.fail(Problem(code: .closed, message: FeedAccess.off.sentence(on: self.account.provider.serverName)))
    }
  }

  // MARK: The end

  /// Stores the page and the account's new state in one transaction.
  /// - Parameter fetched: `nil` if the page has not changed since the last response.
  private func succeed(_ fetched: PageResponse.Fetched?, entityTag: String?) {
    var page = fetched?.page ?? Page(entries: [], older: nil)
    let settlement = account.spending.settlement(of: reservation, fetched?.delivered ?? Delivered())
    let place: PagePosition = request?.older.map { .continuing($0) } ?? .head
    account.outbox.requestSucceeded()
    do {
      if isWalkStep, request?.older != nil { return try takeStep(fetched, settlement) }
      if let reach = fetched?.reach { timeline.plan.learnReach(reach) }
      if let older = request?.older {
        page = timeline.plan.proven(
          page,
          depth: try account.store.database.countOfPosts(of: timeline.name, above: older, upTo: timeline.plan.reach))
      }
      let known = try account.store.database.spans(of: timeline.name).top?.newest
      let walked = isWalkStep ? try timeline.walked(upTo: fetched) : nil
      let new = try timeline.storePage(page, as: place, settling: settlement, walked: walked) { state in
        if request?.older == nil, let entityTag { state[timeline.name].entityTag = entityTag }
        timeline.noteWalk(hasEnded: walked != nil, in: &state)
        if let reference { state[timeline.name].reference = reference }
        timeline.note(nil, .served(hasMore: false), limit: limit, after: requests, of: work, in: &state)
      }
      account.store.clearLog()
      try goOnWalking(after: fetched, hasEnded: walked != nil)
      if isNewest || isWalkStep { timeline.announce(new, isFirst: known == nil) }
      account.authority.doubtedToken = nil
      if request?.older == nil {
        timeline.plan.tookNewest(
          isFull: fetched?.hasNewer ?? false, upTo: page.stretch?.upperBound, above: known)
      }
      let skipped = fetched?.skipped ?? 0
      let warnings = skipped > 0 ? ["\(skipped) posts in the response could not be read and are missing"] : []
      rereadIfDue { more in
        self.countSinceLogin(new.count + more)
        self.syncReadMarksIfDue { remarks in
          self.report(.refreshed(new: new.count + more), warnings: warnings + remarks) {
            self.account.publish(self.timeline, then: $0)
          }
        }
      }
    } catch {
      if error.kind == .damaged, !hasReplacedDatabase { return startAnew(after: error) }
      let problem = Problem(code: .storage, message: "the posts could not be stored: \(error)")
      let unstored = UnstoredPage(
        page, of: timeline.name, as: place, receivedAt: account.clock.now, settling: settlement, entityTag: entityTag,
        isNewest: isNewest)
      // Storing is not retried immediately: if the database is locked, a second attempt would wait just as long.
      let outcome = PageReport.Outcome.failed(problem)
      timeline.keepUnstored(unstored, after: error) {
        timeline.note(problem, outcome.next(hasMore: false), limit: limit, after: requests, of: work, in: &$0)
      }
      report(outcome) { self.timeline.publisher.publish(then: $0) }
    }
  }

  /// Counts new posts for the refresh at the end of a login, which does not fetch a newest page again that has arrived since.
  private func countSinceLogin(_ new: Int) {
    if let counted = timeline.newSinceLogin {
      timeline.newSinceLogin = counted + new
    } else if isNewest {
      timeline.newSinceLogin = new
    }
  }

  /// Rereads the newest page, if it is time.
  /// - Parameter next: receives the number of new posts; not called if the job was cancelled.
  private func rereadIfDue(then next: @escaping (Int) -> Void) {
    guard isNewest, let asked, RereadJob.isDue(for: timeline, in: account, isAwaited: isAwaited) else { return next(0) }
    // The posts on the first page are published before the second page is fetched.
    account.publish(timeline)
    let userID = asked.state.identity?.user.id
    RereadJob.begin(of: timeline, in: account, context, asked.authority, userID: userID) { more in
      if let more { next(more) } else { self.report(.cancelled) }
    }
  }

  /// Shares the account's read marks with the user's other clients, if it is time.
  /// - Parameter next: receives messages for the user; not called if the job was cancelled.
  private func syncReadMarksIfDue(then next: @escaping ([String]) -> Void) {
    guard isNewest, let asked, let job = ReadMarkJob(after: timeline, in: account, context, asked.authority) else {
      return next([])
    }
    account.publish(timeline)
    job.start(isAwaited: isAwaited) { isCurrent in
      if isCurrent { next(self.account.readMarks.takeRemark()) } else { self.report(.cancelled) }
    }
  }

  func fail(_ problem: Problem) {
    if endsOnlyWalk(problem) { return abandonWalk() }
    let outcome = PageReport.Outcome.failed(problem)
    report(outcome) {
      self.storeAndPublish(
        {
          self.timeline.note(
            problem, outcome.next(hasMore: false), limit: self.limit, after: self.requests, of: self.work, in: &$0)
        }, then: $0)
    } retry: {
      let state = self.timeline.state
      return state.nextRefreshAt.map { next in
        Retry(
          at: next, isByService: self.account.core.isInService,
          workedAt: problem.code == .closed ? state.refreshedAt : nil)
      }
    }
  }

  func storeAndPublish(
    _ change: (inout AccountState) -> Void, then completion: @escaping (OperationError?) -> Void
  ) {
    account.store.update(change, publishing: { timeline.publisher.publish(then: $0) }, then: completion)
  }

  /// Ends the job because no request is possible until a file is corrected. The problem is recorded, and a later job checks the file again.
  private func refuse(_ failure: OperationError, _ problem: Problem) {
    let outcome = PageReport.Outcome.unable(failure)
    report(outcome) {
      self.storeAndPublish(
        { self.timeline.note(unable: problem, outcome.next(hasMore: false), in: &$0) }, then: $0)
    }
  }

  /// Ends the job because there is no token. If a refresh was scheduled, someone removed the token file and may restore it.
  private func refuseWithoutToken() throws(StorageError) {
    let isExpected = try account.store.state()[timeline.name].nextRefreshAt != nil
    let problem =
      isExpected
      ? Problem(code: .notAuthorised, message: "the token has been removed. Run: homeline login \(account.name)")
      : .notAuthorisedYet(account.name)
    if isExpected { refuse(OperationError(problem), problem) } else { fail(problem) }
  }

  /// Ends the job, and reports its outcome once the files have been published. Meanwhile, the account's next job runs.
  /// - Parameter publish: publishes the outcome, then calls its argument with the failure to do so.
  func report(
    _ outcome: PageReport.Outcome, warnings: [String] = [],
    publish: (@escaping (OperationError?) -> Void) -> Void = { $0(nil) }, retry: @escaping () -> Retry? = { nil }
  ) {
    // A cancelled job does not read the account's state, because the files may be closed.
    if case .notSent(_, .cancelled) = outcome { return completion(PageReport(outcome)) }
    publish { [account, timeline, completion] failure in
      guard !account.isClosed else { return completion(PageReport(outcome, storageFailure: failure)) }
      completion(
        PageReport(outcome, hasMore: timeline.hasMore, warnings: warnings, storageFailure: failure, retry: retry()))
    }
    context.end()
    account.store.maintainSoon()
  }
}

extension Problem {
  /// Describes the reason a request received no response.
  fileprivate init(unsent failure: OperationError) {
    switch failure.kind {
    case .unavailable: self.init(code: .network, message: failure.message)
    case .tryAgain(let moment): self.init(code: .rateLimited, message: failure.message, retryAt: moment)
    default: self.init(code: .configuration, message: failure.message)
    }
  }
}
