internal import HTTPClient
internal import Providers
internal import Scheduling
internal import Storage
internal import Time
internal import Timeline

/// The requests of the job, and their refusals.
extension OffersJob {
  /// Sends a request, unless a limit forbids it or no answer can be expected.
  /// - Parameters:
  ///   - kind: the kind of timelines that the request concerns; `nil` for the hashtags that the user follows.
  ///   - read: reads the response.
  ///   - next: receives `nil` if the response was read.
  func ask(
    _ request: ClientRequest, about kind: TimelineName.Kind?,
    read: @escaping (ProviderResponse) throws(ProviderFailure) -> Void, then next: @escaping (OfferAnswer?) -> Void
  ) {
    if let obstacle { return next(.unknown(obstacle)) }
    if isCounted(kind), let limit = limit(of: kind), limit.remaining <= 0 {
      return next(
        .unknown(
          OperationError(
            .tryAgain(at: limit.end), "the provider's limit has been reached; try again at \(limit.end.rfc3339)")))
    }
    send(request, about: kind) { response in
      do throws(ProviderFailure) {
        try read(response)
        next(nil)
      } catch {
        self.refuse(
          error, in: response, about: kind, again: { self.ask(request, about: kind, read: read, then: next) }, next)
      }
    } failed: { failure in
      // Without a connection, each of the other requests would also wait for one.
      self.obstacle = failure
      next(.unknown(failure))
    }
  }

  /// Sends a request, and records it and the limit in its response.
  private func send(
    _ request: ClientRequest, about kind: TimelineName.Kind?, _ take: @escaping (ProviderResponse) -> Void,
    failed: @escaping (OperationError) -> Void
  ) {
    guard let authority = authority?.authority else { return fail(Self.interruption) }
    do throws(StorageError) { try account.store.beginRequest() } catch {
      return fail(
        OperationError(.inputOutput, "no request was sent, because its start could not be stored: \(error)"))
    }
    let client = account.authority.providerClient
    context.onCancel { client.cancel() }
    client.call(with: authority.secrets, { try authority.authorised(request, nonceTimestamp: $0) }) { result in
      guard self.isCurrent else { return self.fail(Self.interruption) }
      self.note(try? result.get(), about: kind)
      switch result {
      case .failure(let failure): failed(failure)
      case .success(let response): take(response)
      }
    }
  }

  // MARK: Limits

  /// The account's timeline whose window counts requests for a kind; `nil` if the provider counts the kind apart and the account has no such
  /// timeline.
  private func timeline(of kind: TimelineName.Kind?) -> AccountTimeline? {
    account.timelines.values.first { $0.name.kind == kind }
      ?? (account.home.traits.window == .token ? account.home : nil)
  }

  /// Returns whether the window of a kind's timelines counts a request about it. The v1.1 API counts those for the names of lists apart from
  /// those for their posts.
  private func isCounted(_ kind: TimelineName.Kind?) -> Bool { kind != .list || account.home.traits.window == .token }

  private func limit(of kind: TimelineName.Kind?) -> RateLimit? {
    let now = account.clock.now
    guard let timeline = timeline(of: kind) else {
      return kind.flatMap { account.store.knownState.kindRateLimits[$0] }.flatMap { now < $0.end ? $0 : nil }
    }
    return timeline.limit(in: account.store.knownState, at: now)
  }

  /// Records the end of a request, and the rate limit in its response. A limit that has been reached is stored at once, so that it outlives
  /// this process however it ends. The rest is stored once, after the last request: the record of the request's start shows a later process
  /// that this one was sending requests.
  private func note(_ response: ProviderResponse?, about kind: TimelineName.Kind?) {
    let now = account.clock.now
    let stated = response.flatMap { catalogue.rateLimit(from: $0) }
    let isRefusal = response?.status == 429
    let change = { (state: inout AccountState) in
      state.askedAt = now
      guard self.isCounted(kind) else { return }
      if let timeline = self.timeline(of: kind) {
        timeline.note(stated, isRefusal: isRefusal, requests: 1, in: &state, at: now)
      } else if let kind {
        state.kindRateLimits[kind] = stated ?? state.kindRateLimits[kind]
      }
    }
    if isRefusal || stated.map({ $0.remaining <= 0 }) ?? false {
      // What cannot be stored is kept, and stored as soon as possible.
      try? account.store.update(change)
    } else {
      account.store.noteQuietly(hasMore: true, change)
    }
  }

  // MARK: Refusals

  /// Handles a refusal: repeats the request if a renewed token may help, ends the job if the token is refused as a whole, and otherwise
  /// continues with the server's answer.
  private func refuse(
    _ error: ProviderFailure, in response: ProviderResponse, about kind: TimelineName.Kind?,
    again: @escaping () -> Void, _ next: @escaping (OfferAnswer?) -> Void
  ) {
    if let kind, let server = account.authority.authorizationServer,
      let message = server.noteCoarseScopes(of: authority?.token.grant.bearer, for: kind, after: response)
    {
      return next(
        OfferAnswer(state: .notPermitted, message: "\(message). Run: homeline login \(account.name)"))
    }
    if catalogue.missingScope(in: response) != nil { return next(withoutPermission(kind)) }
    let mayConcernToken = if case .needsLogin = error { true } else { response.isEmptyUnauthorized }
    guard mayConcernToken else { return next(answer(error, in: response)) }
    // Some servers refuse a token that lacks a scope like one that is not valid.
    if homeIsAccepted { return next(withoutPermission(kind)) }
    checkHome { isAccepted, home in
      self.homeIsAccepted = isAccepted
      if isAccepted { return next(self.withoutPermission(kind)) }
      self.refuseToken(home ?? error, in: response, again: again)
    }
  }

  private func refuseToken(_ error: ProviderFailure, in response: ProviderResponse, again: @escaping () -> Void) {
    guard let token = authority?.token else { return fail(Self.interruption) }
    if !hasRenewed, account.authority.isWorthRenewing(token, after: error, in: response) {
      hasRenewed = true
      context.onCancel {}
      return account.authority.provideRenewed(for: token) { self.begin($0, then: again) }
    }
    let problem = (hasRenewed ? account.authority.problem(error, in: response, refusing: token) : error.problem)
      .withLoginHint(for: account.name)
    account.noteToken(problem)
    fail(OperationError(problem))
  }

  /// Requests the newest post of the home timeline.
  /// - Parameter completion: receives whether the server accepts the token there, and its refusal.
  private func checkHome(completion: @escaping (Bool, ProviderFailure?) -> Void) {
    let query = TimelineQuery(
      userID: authority?.token.identity.user.id, count: 1, time: account.authority.providerClient.serverNow)
    send(catalogue.pageRequest(for: query), about: .home) { response in
      do throws(ProviderFailure) {
        _ = try self.catalogue.page(from: response, for: query)
        completion(true, nil)
      } catch { completion(false, error) }
    } failed: {
      self.fail($0)
    }
  }

  /// Returns the answer of a server that refuses a request because of the token's scopes.
  func withoutPermission(_ kind: TimelineName.Kind?) -> OfferAnswer {
    guard let kind else {
      // No login requests this scope, because timelines of hashtags do not need it.
      let scope = "read:follows"
      return OfferAnswer(
        state: .notPermitted, scope: scope,
        message: "The login does not permit listing the hashtags that you follow, which needs the scope \(scope). "
          + "Any hashtag's timeline can be fetched without it")
    }
    let permission = MissingPermission(for: kind, of: account)
    let action = kind == .list ? "listing the lists" : "reading \(kind.rawValue)"
    return OfferAnswer(state: .notPermitted, scope: permission.scope, message: permission.message(action))
  }

  /// Returns the server's answer if the refusal does not concern the token.
  private func answer(_ error: ProviderFailure, in response: ProviderResponse) -> OfferAnswer {
    let isOwn =
      switch catalogue.origin(of: response) {
      case .api: true
      case .habit(let habit): habit.meaning == .noSuchPost
      case .between: false
      }
    if isOwn, [404, 410, 501].contains(response.status) {
      return OfferAnswer(
        state: .missing, message: "\(catalogue.serverName) returned \(response.status): it does not offer this")
    }
    if case .closed(let message) = error { return OfferAnswer(state: .missing, message: message) }
    return .unknown(OperationError(error.problem))
  }
}
