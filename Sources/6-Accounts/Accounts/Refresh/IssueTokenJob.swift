internal import Providers
package import Storage
internal import Timeline

/// Issues an account's access token, renewing it first if due, to programs that send their own requests to the provider.
package enum IssueTokenJob {
  /// Adds the job to the account's queue, so that no other job renews the token at the same time. Call on the account's queue.
  /// - Parameters:
  ///   - renews: whether to renew the token even if it is not due, because the provider has refused it.
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
      guard let stored = try account.authority.loadToken() else {
        return completion(.failure(notAuthorised("not authorised yet.", account)))
      }
      token = stored
    } catch { return completion(.failure(OperationError(error))) }
    let take: (AuthorityResult) -> Void = { result in
      switch result {
      case .success(let (_, current)):
        // The token works, so an earlier problem with it is cleared. Problems with a timeline are cleared by its refreshes.
        if !account.isClosed, !account.provider.hasTimeline, account.store.knownState[.home].problem != nil {
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
      account.authority.provideRenewed(for: token, completion: take)
    } else {
      account.authority.provide(for: token, isAwaited: true, completion: take)
    }
  }

  private static func notAuthorised(_ message: String, _ account: Account) -> OperationError {
    OperationError(.notAuthorised, "\(message) Run: homeline login \(account.name)")
  }

  private static var ending: OperationError {
    OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")
  }
}
