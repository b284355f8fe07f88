package import Accounts
internal import CivilTime
internal import HomelineOAuth
internal import HTTPClient
internal import Providers
internal import Settings
internal import Storage
internal import Timeline

/// Ends an account's authorisation: revokes the token at the provider if possible, and deletes it from this machine in any case. The posts
/// are kept.
package enum LogoutJob {
  /// Adds the job to the account's queue. Call on the account's queue.
  package static func enqueue(of account: Account, completion: @escaping (Result<LogoutReport, OperationError>) -> Void)
  {
    account.part(LoginSession.self)?.giveUp("the account was logged out")
    account.accountQueue.enqueue(.login) {
      completion(.failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")))
    } _: { context in
      run(of: account) { result in
        context.end()
        completion(result)
      }
    }
  }

  private static func run(of account: Account, completion: @escaping (Result<LogoutReport, OperationError>) -> Void) {
    let token: StoredToken
    do throws(StorageError) {
      guard let stored = try account.loadToken() else {
        return completion(.success(.wasNotAuthorised))
      }
      token = account.renewer?.unkept ?? stored
    } catch {
      return completion(.failure(OperationError(error)))
    }
    revoke(token, of: account) { completion(forget(of: account, $0)) }
  }

  /// Asks the provider to revoke the token, using the provider's own method if it has one, and RFC 7009 otherwise.
  static func revoke(
    _ token: StoredToken, of account: Account, completion: @escaping (LogoutReport) -> Void
  ) {
    if let problem = account.objection(to: token) {
      completion(.notRevoked(problem.message))
    } else if let request = account.provider.revocationRequest() {
      switch account.plainAuthority(of: token) {
      case .failure(let refusal): completion(.notRevoked(refusal.message))
      case .success(let (authority, _)):
        account.providerClient.call(with: authority.secrets, { try authority.request(request, nonceTimestamp: $0) }) {
          result in
          completion(report(result, account.provider))
        }
      }
    } else if let server = account.authorizationServer, let bearer = token.grant.bearer {
      server.revoke(bearer, completion: completion)
    } else {
      completion(.deletedOnly)
    }
  }

  private static func report(_ result: Result<ProviderResponse, OperationError>, _ provider: any Provider)
    -> LogoutReport
  {
    switch result {
    case .failure(let failure): .notRevoked(failure.message)
    case .success(let response):
      provider.objection(toRevocation: response, needsContent: true).map { .notRevoked($0) } ?? .revoked
    }
  }

  private static func forget(of account: Account, _ report: LogoutReport) -> Result<LogoutReport, OperationError> {
    guard !account.isClosed else {
      return .failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; try again"))
    }
    do throws(StorageError) { try account.tokens.remove(at: account.clock.now) } catch {
      return .failure(OperationError(error))
    }
    do throws(StorageError) {
      account.renewer?.begin()
      let now = account.clock.now
      try account.update { state in
        state.problem = Problem(
          code: .notAuthorised, message: "logged out. To continue, run: homeline login \(account.settings.name)")
        state.staleSince = state.staleSince ?? now
        state.nextRefreshAt = nil
      }
      if let failure = account.publish(gathers: false) { return .failure(failure) }
      return .success(report)
    } catch {
      return .failure(OperationError(.inputOutput, "\(error)"))
    }
  }
}
