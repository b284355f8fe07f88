package import Accounts
internal import CivilTime
internal import HomelineOAuth
internal import Platform
internal import Providers
internal import Scheduling
internal import Settings
package import Storage
internal import Timeline

/// Checks an account's token, and renews it if it is due, in a job on the account's queue.
package enum TokenJob {
  /// Adds the job to the account's queue. Call on the account's queue.
  /// - Parameter completion: called on the queue when the job has ended or was rejected.
  package static func enqueue(of account: Account, as jobClass: JobClass, completion: @escaping (RefreshReport) -> Void)
  {
    let name = account.name.text
    account.accountQueue.enqueue(jobClass) {
      completion(RefreshReport(account: name, outcome: .cancelled))
    } _: { context in
      run(of: account, isAwaited: jobClass == .userRefresh) { outcome in
        context.end()
        var report = RefreshReport(account: name, outcome: outcome)
        report.hasTimeline = account.provider.traits.hasTimeline
        completion(report)
      }
    }
  }

  private static func run(
    of account: Account, isAwaited: Bool, completion: @escaping (RefreshReport.Outcome) -> Void
  ) {
    let token: StoredToken
    do throws(StorageError) {
      guard let stored = try account.loadToken() else {
        return completion(.failed(.notAuthorisedYet(account.name)))
      }
      token = stored
    } catch { return completion(.unable(OperationError(error))) }
    account.authority(of: token, isAwaited: isAwaited) { result in
      guard !account.isClosed else { return completion(.cancelled) }
      switch result {
      case .success:
        if !account.provider.traits.hasTimeline { account.noteToken(nil) }
        completion(.refreshed(new: 0))
      case .failure(.failure(let failure)): completion(.unable(failure))
      case .failure(.problem(let problem)):
        let problem = problem.withLoginHint(for: account.name)
        account.noteToken(problem)
        completion(.failed(problem))
      }
    }
  }
}

extension Account {
  /// Records the result of a token check. For an account with a timeline, only a final problem is recorded: as long as the token can be
  /// renewed, the timeline becomes stale only when a refresh fails.
  func noteToken(_ problem: Problem?) {
    let hasTimeline = provider.traits.hasTimeline
    let isFinal = problem.map { RefreshOutcome($0).isFinal } ?? false
    guard !hasTimeline || isFinal else { return }
    let now = clock.now
    let change = { (state: inout AccountState) in
      state.problem = problem
      if problem == nil { state.refreshedAt = now }
      state.staleSince = problem == nil ? nil : state.staleSince ?? now
      if isFinal { state.nextRefreshAt = nil }
    }
    if hasTimeline {
      if let failure = storeAndPublish(change) { log(.error, failure.message) }
    } else {
      do throws(StorageError) { try update(change) } catch {
        log(.error, "the account's state could not be stored: \(error)")
      }
    }
  }
}

/// Issues an account's access token, renewing it first if due, to programs that send their own requests to the provider.
package enum IssueTokenJob {
  /// Adds the job to the account's queue, so that no other job renews the token at the same time. Call on the account's queue.
  /// - Parameters:
  ///   - renews: whether to renew the token even if it is not due, because the provider has rejected it.
  ///   - completion: called once, on that queue.
  package static func enqueue(
    of account: Account, renewing renews: Bool = false,
    completion: @escaping (Result<BearerToken, OperationError>) -> Void
  ) {
    account.accountQueue.enqueue(.userRefresh) {
      completion(.failure(ending))
    } _: { context in
      run(of: account, renewing: renews) { result in
        context.end()
        completion(result)
      }
    }
  }

  private static func run(
    of account: Account, renewing renews: Bool,
    completion: @escaping (Result<BearerToken, OperationError>) -> Void
  ) {
    let token: StoredToken
    do throws(StorageError) {
      guard let stored = try account.loadToken() else {
        return completion(.failure(notAuthorised("not authorised yet.", account)))
      }
      token = stored
    } catch { return completion(.failure(OperationError(error))) }
    let take: (AuthorityResult) -> Void = { result in
      switch result {
      case .success(let (_, current)):
        // The token works, so an earlier problem with it is cleared. Problems with a timeline are cleared by its refreshes.
        if !account.isClosed, !account.provider.traits.hasTimeline, account.knownState.problem != nil {
          account.noteToken(nil)
        }
        completion(
          current.grant.bearer.map { .success($0) }
            ?? .failure(notAuthorised("the token is an OAuth 1.0a token.", account)))
      case .failure(.failure(let failure)): completion(.failure(failure))
      case .failure(.problem(let problem)):
        let problem = problem.withLoginHint(for: account.name)
        guard !account.isClosed else { return completion(.failure(ending)) }
        // The status and the published file show the problem too.
        account.noteToken(problem)
        completion(.failure(OperationError(problem)))
      }
    }
    if renews {
      account.renewedAuthority(of: token, completion: take)
    } else {
      account.authority(of: token, isAwaited: true, completion: take)
    }
  }

  private static func notAuthorised(_ message: String, _ account: Account) -> OperationError {
    OperationError(.notAuthorised, "\(message) Run: homeline login \(account.name)")
  }

  private static var ending: OperationError {
    OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")
  }
}
