internal import Posting
internal import Providers
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Responses that refuse a page or the server's name of a timeline, and the problems that follow.
extension PageJob {
  /// Handles a refusal: repeats the request if a renewed token may help, and otherwise ends the job.
  /// - Parameter renewed: repeats the request.
  func refuse(
    _ error: ProviderFailure, in response: ProviderResponse, _ token: StoredToken?,
    renewed: @escaping (RequestAuthority, StoredToken) -> Void
  ) {
    if let server = account.authority.authorizationServer,
      let message = server.noteCoarseScopes(of: token?.grant.bearer, for: timeline.name.kind, after: response)
    {
      return fail(Problem(code: .notAuthorised, message: message + ".").withLoginHint(for: account.name))
    }
    if timeline.name != .home {
      if let said = account.provider.missingScope(in: response) { return fail(withoutPermission(said)) }
      if !hasCheckedHome, mayConcernToken(error, response), let asked {
        hasCheckedHome = true
        return checkHome(asked.state, asked.authority) { isAccepted in
          if isAccepted { return self.fail(self.withoutPermission(error.message)) }
          self.refuse(error, in: response, token, renewed: renewed)
        }
      }
    }
    // A token may become invalid early. It is renewed once, and the request is repeated.
    if let token, !hasRenewed, account.authority.isWorthRenewing(token, after: error, in: response) {
      hasRenewed = true
      hasCheckedHome = false
      context.onCancel {}
      return account.authority.provideRenewed(for: token) { result in self.proceed(result) { renewed($0.0, $0.1) } }
    }
    guard response.isEmptyUnauthorized, let authority = asked?.authority else {
      return fail(error, in: response, token)
    }
    // A 401 without a reason: the token is invalid only if the provider refuses it again.
    requests += 1
    account.authority.confirmRefusal(of: authority) { refusal in
      guard self.isCurrent else { return self.report(.cancelled) }
      self.fail(refusal ?? error, in: response, token)
    }
  }

  /// Returns whether a refusal may concern the token as a whole.
  private func mayConcernToken(_ error: ProviderFailure, _ response: ProviderResponse) -> Bool {
    if case .needsLogin = error { return true }
    return response.isEmptyUnauthorized
  }

  /// Requests the newest post of the home timeline. Some servers refuse a token that lacks a scope like one that is not valid.
  /// - Parameter completion: receives whether the provider accepts the token there.
  private func checkHome(_ state: AccountState, _ authority: RequestAuthority, completion: @escaping (Bool) -> Void) {
    guard begin() else { return }
    let query = TimelineQuery(
      userID: state.identity?.user.id, count: 1, time: account.authority.providerClient.serverNow)
    send(account.provider.pageRequest(for: query), authority) { response in
      do throws(ProviderFailure) {
        _ = try self.account.provider.page(from: response, for: query)
        completion(true)
      } catch {
        // Another failure says nothing about the token, and the timeline is asked for again soon.
        guard self.mayConcernToken(error, response) else { return self.fail(error.problem) }
        completion(false)
      }
    }
  }

  /// Returns the problem that the login does not permit to read the timeline.
  private func withoutPermission(_ said: String) -> Problem {
    let needs = scope.map { ", which needs the scope \($0)" } ?? ""
    let advice = account.settings.advice(toPermit: scope)
    return Problem(
      code: .notAuthorised, message: "The login does not permit reading \(timeline.name)\(needs) (\(said)). \(advice)")
  }

  /// The scope that the timeline needs besides those for the home timeline; `nil` if it needs none, or if the provider has no scopes.
  private var scope: String? {
    guard case .oauth2 = account.provider.authorization else { return nil }
    return APIScopes.of(account.provider.name)?.scope(for: timeline.name.kind)
  }

  /// Returns whether the server says that what was asked for does not exist.
  func isMissing(_ response: ProviderResponse) -> Bool {
    [404, 410].contains(response.status) && account.provider.origin(of: response) == .api
  }

  private func fail(_ error: ProviderFailure, in response: ProviderResponse, _ token: StoredToken?) {
    let isRepeated = hasRenewed ? token : nil
    let problem = withoutTimeline(
      isRepeated.map { account.authority.problem(error, in: response, refusing: $0) } ?? error.problem, in: response)
    if problem.code == .notAuthorised, timeline.name != .home {
      // The home timeline was refused too.
      account.noteToken(problem.withLoginHint(for: account.name))
    }
    LastingRefusal.explain(problem, in: response, of: timeline, in: account, context) {
      guard self.isCurrent else { return self.report(.cancelled) }
      self.fail($0.withLoginHint(for: self.account.name))
    }
  }

  /// Returns the problem that the server has no timeline at its address. If it had a timeline before, the account's settings are not the
  /// reason.
  private func withoutTimeline(_ problem: Problem, in response: ProviderResponse) -> Problem {
    if problem.code == .configuration, reference == nil, account.provider.referenceRequest(for: timeline.name) != nil,
      response.status == 200 || isMissing(response)
    {
      return withoutReference(problem)
    }
    guard problem.code == .closed, [404, 410].contains(response.status) else { return problem }
    guard timeline.name == .home else {
      return Problem(
        code: problem.code,
        message: "\(account.provider.serverName) returned \(response.status) for \(timeline.name): it does not offer "
          + "this timeline\(timeline.state.refreshedAt != nil ? " any more" : "")", retryAt: problem.retryAt)
    }
    let advice =
      timeline.state.refreshedAt != nil
      ? "" : "; check the account's \(account.settings.endpoints.isEmpty ? "server" : "endpoints")"
    return Problem(
      code: problem.code,
      message: "\(account.provider.serverName) returned \(response.status) for the home timeline\(advice)",
      retryAt: problem.retryAt)
  }

  /// Returns the problem that the server has no such list or user, or several, with advice. For a list, the provider's message names those
  /// that the server has.
  private func withoutReference(_ problem: Problem) -> Problem {
    let isNew = timeline.state.reference == nil && timeline.state.refreshedAt == nil
    let reason = isNew ? "" : "It was probably deleted or renamed. "
    return Problem(
      code: problem.code, message: "\(problem.message) \(reason)Change the name in the configuration.",
      retryAt: problem.retryAt)
  }
}
