package import Accounts
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Ends an account's authorisation: revokes the token at the provider if possible, and always deletes it from this machine. The posts are
/// kept.
package enum LogoutJob {
  /// Adds the job to the account's queue. Call on the account's queue.
  package static func enqueue(of account: Account, completion: @escaping (Result<LogoutReport, OperationError>) -> Void)
  {
    account.login?.giveUp("the account was logged out")
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
      guard let stored = try account.authority.loadToken() else {
        return completion(.success(.wasNotAuthorised))
      }
      token = account.authority.renewer?.unkept ?? stored
    } catch {
      return completion(.failure(OperationError(error)))
    }
    TokenRevocation.revoke(token, of: account) { forget(of: account, $0, completion: completion) }
  }

  private static func forget(
    of account: Account, _ report: LogoutReport, completion: @escaping (Result<LogoutReport, OperationError>) -> Void
  ) {
    guard !account.isClosed else {
      return completion(.failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")))
    }
    do throws(StorageError) { try account.authority.tokens.remove(at: account.clock.now) } catch {
      return completion(.failure(OperationError(error)))
    }
    do throws(StorageError) {
      account.authority.tokenWasReplaced()
      let now = account.clock.now
      try account.store.update { state in
        for timeline in account.timelines.keys {
          state[timeline].problem = Problem(
            code: .notAuthorised, message: "logged out. To continue, run: homeline login \(account.settings.name)")
          state[timeline].staleSince = state[timeline].staleSince ?? now
          state[timeline].nextRefreshAt = nil
        }
      }
    } catch { return completion(.failure(OperationError(.inputOutput, "\(error)"))) }
    account.publish(gathers: false) { completion($0.map(Result.failure) ?? .success(report)) }
  }
}
