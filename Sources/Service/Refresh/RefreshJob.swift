internal import CivilTime
internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Store
internal import Timeline
internal import Transport

/// Carries one refresh out on its account's lane: what `RefreshFlow` asks for is signed, sent, read, stored and published.
final class RefreshJob {
  private let lane: AccountLane
  private let completion: (RefreshReport) -> Void
  private var flow: RefreshFlow?
  private var signer: Signer?
  private var warnings: [String] = []
  private var notKept: Failure?
  private var skipped = 0
  private var asksWithoutSince = false

  /// Puts a refresh in the lane's queue of jobs. To be called on the lane's queue.
  static func enqueue(on lane: AccountLane, completion: @escaping (RefreshReport) -> Void) {
    lane.enqueue { done in
      RefreshJob(lane) { report in
        completion(report)
        done()
      }.start()
    }
  }

  private init(_ lane: AccountLane, completion: @escaping (RefreshReport) -> Void) {
    self.lane = lane
    self.completion = completion
  }

  private func start() {
    do {
      let now = lane.clock.now
      guard let token = try lane.tokens.load(at: now) else {
        return finish(
          Problem(
            code: .notAuthorised, message: "not authorised yet. Run: homeline login \(lane.settings.name)"))
      }
      let state = try lane.database.state()
      if let limit = state.rateLimit, limit.forbidsRequests(at: now) {
        try lane.restorePublished()
        return report(.limited(until: limit.reset))
      }
      let client: ClientCredentials
      do throws(Failure) { client = try lane.keys.get() } catch {
        return finish(Problem(code: .secretUnavailable, message: error.message))
      }
      signer = Signer(
        client: client, token: .token(token.credentials), method: lane.settings.signatureMethod)
      let traits = lane.provider.traits
      flow = RefreshFlow(
        spans: try lane.database.spans(), since: try lane.database.sinceMark(overlap: traits.overlap),
        known: try lane.database.countOfPosts(), wanted: lane.settings.keepPosts, pageSize: traits.pageSize,
        reach: traits.reach)
      step(.begun)
    } catch let error as TokenStoreError {
      report(.unable(Failure(error)))
    } catch {
      report(.unable(Failure(.inputOutput, "\(error)")))
    }
  }

  private func step(_ event: RefreshFlow.Event) {
    guard let action = flow?.handle(event) else { return }
    switch action {
    case .ask(let request): ask(request)
    case .store(let page, let request): store(page, for: request)
    case .finish(let new): succeed(new: new)
    }
  }

  // MARK: Asking

  private func ask(_ request: RefreshFlow.Request) {
    // The tag belongs to the newest page; a page below it is another content.
    let tag = request.older == nil ? try? lane.database.state().entityTag : nil
    let query = TimelineQuery(
      userID: try? lane.database.state().identity?.user.id, older: request.older, since: asksWithoutSince ? nil : request.since, count: lane.provider.traits.pageSize,
      etag: tag)
    let page = lane.provider.pageRequest(for: query)
    guard let signer else { return }
    lane.caller.call({ try ClientRequest(page, signedBy: signer, stamp: $0) }) { result in
      switch result {
      case .failure(let failure):
        self.finish(
          Problem(code: failure.kind == .unavailable ? .network : .configuration, message: failure.message))
      case .success(let answer): self.take(answer, for: query, request)
      }
    }
  }

  private func take(_ answer: ProviderAnswer, for query: TimelineQuery, _ request: RefreshFlow.Request) {
    let limit = lane.provider.rateLimit(from: answer)
    do throws(ProviderError) {
      let isExhausted = limit?.forbidsRequests(at: lane.clock.now) ?? false
      switch try lane.provider.page(from: answer, for: query) {
      case .notModified:
        note(limit, entityTag: query.etag)
        step(.answered(nil, isExhausted: isExhausted))
      case .page(let fetched):
        skipped += fetched.skipped
        note(limit, entityTag: query.older == nil ? fetched.etag : nil)
        step(.answered(fetched.page, isExhausted: isExhausted))
      }
    } catch {
      if case .refused(.sinceRefused) = error, !asksWithoutSince, query.since != nil {
        asksWithoutSince = true
        return ask(request)
      }
      finish(withHint(error.problem), limit: limit)
    }
  }

  /// The provider's words do not know how a login is begun here.
  private func withHint(_ problem: Problem) -> Problem {
    guard problem.code == .notAuthorised else { return problem }
    return Problem(
      code: problem.code, message: "\(problem.message) Run: homeline login \(lane.settings.name)",
      retryAt: problem.retryAt)
  }

  /// What the answer said about limits and its tag, to be written with the page.
  private func note(_ limit: RateLimit?, entityTag: String?) {
    noted.limit = limit ?? noted.limit
    noted.entityTag = entityTag ?? noted.entityTag
  }
  private var noted: (limit: RateLimit?, entityTag: String?) = (nil, nil)

  // MARK: Storing

  private func store(_ page: Page, for request: RefreshFlow.Request) {
    do {
      let noted = noted
      let new = try lane.database.insert(page, as: request.older.map { .continuing($0) } ?? .head) { state in
        state.rateLimit = noted.limit ?? state.rateLimit
        state.entityTag = noted.entityTag ?? state.entityTag
      }
      let spans = try lane.database.spans()
      let edge = spans.gaps.first(where: \.isFillable)?.before
      let aboveGap = try edge.map { try lane.database.countOfPosts(from: $0) } ?? 0
      // Later, so that a page's handling has ended before the next request begins.
      lane.queue.later { self.step(.stored(spans, new: new, aboveGap: aboveGap)) }
    } catch {
      finish(Problem(code: .storage, message: "the posts could not be stored: \(error)"))
    }
  }

  // MARK: The end

  private func succeed(new: Int) {
    if skipped > 0 { warnings.append("\(skipped) posts of the answer could not be read and are missing") }
    let now = lane.clock.now
    change { state in
      state.refreshedAt = now
      state.staleSince = nil
      state.problem = nil
      state.nextRefreshAt = self.next(
        after: now, notBefore: state.rateLimit.flatMap { $0.forbidsRequests(at: now) ? $0.reset : nil })
      state.rateLimit = self.noted.limit ?? state.rateLimit
    }
    report(.refreshed(new: new))
  }

  private func finish(_ problem: Problem, limit: RateLimit? = nil) {
    let now = lane.clock.now
    change { state in
      state.staleSince = state.staleSince ?? now
      state.problem = problem
      state.rateLimit = limit ?? self.noted.limit ?? state.rateLimit
      // Without a token nothing is planned: only a login can change that.
      state.nextRefreshAt = problem.code == .notAuthorised ? nil : self.next(after: now, notBefore: problem.retryAt)
    }
    report(.failed(problem))
  }

  private func next(after now: Timestamp, notBefore: Timestamp?) -> Timestamp {
    max(now + lane.settings.refreshInterval, notBefore ?? now)
  }

  /// Writes the state and publishes; a failure here is told, and hides nothing of the outcome.
  private func change(_ change: (inout AccountState) -> Void) {
    do throws(SQLiteError) { try lane.database.update(change) } catch {
      notKept = Failure(.inputOutput, "the account's state could not be stored: \(error)")
    }
    do throws(PublishError) { try lane.publisher.publish(from: lane.database) } catch {
      notKept = Failure(.inputOutput, "the timeline could not be published, the file before it stays: \(error)")
    }
  }

  private func report(_ outcome: RefreshReport.Outcome) {
    completion(RefreshReport(account: lane.settings.name.text, outcome: outcome, warnings: warnings, notKept: notKept))
  }
}
