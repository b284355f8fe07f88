package import Accounts
internal import Dispatch
internal import Platform
internal import Scheduling
package import Settings
internal import Storage
internal import Time

/// Protection of stored tokens.
extension AccountManager {
  /// Rewrites all stored tokens in the form that the configuration specifies, including tokens of accounts without settings. Each file is
  /// replaced atomically. After an interruption, there are files in both forms, and both can be read.
  /// - Parameters:
  ///   - tell: called on any queue with each account's outcome, which shows whether its token was in a different form.
  ///   - completion: called once, on any queue, with the locations of tokens that are still encrypted. If there are none, and the
  ///     configuration specifies plain files, the key is deleted from the keyring.
  package func protectTokens(
    tell: @escaping @Sendable (AccountName, Result<Bool, OperationError>) -> Void,
    completion: @escaping @Sendable (Result<[String], OperationError>) -> Void
  ) {
    guard let protection = storage.protection else {
      return completion(.failure(OperationError(.configuration, "this storage cannot encrypt tokens")))
    }
    let names: [AccountName]
    do throws(StorageError) {
      if protection.current == .keyring { try protection.readKeyAgain() }
      names = try storage.accounts()
    } catch { return completion(.failure(OperationError(error))) }
    let all = DispatchGroup()
    for name in names {
      all.enter()
      protectToken(of: name) { result in
        tell(name, result)
        all.leave()
      }
    }
    all.notify(queue: DispatchQueue(label: "homeline.protection")) {
      guard protection.current == .files else { return completion(.success([])) }
      do throws(StorageError) { completion(.success(try protection.removeKey())) } catch {
        completion(.failure(OperationError(error)))
      }
    }
  }

  /// Rewrites a token while no renewal is running: in a job of its account, or while the account is not in use.
  private func protectToken(
    of name: AccountName, completion: @escaping @Sendable (Result<Bool, OperationError>) -> Void
  ) {
    var outcome: Result<Bool, OperationError>?
    let account = accountInUse(name) {
      let tokens = storage.tokens(of: name)
      outcome = Self.result { () throws(StorageError) in
        try storage.removeLeftovers(of: name)
        _ = try tokens.recover(at: clock.now)
        return try tokens.applyProtection()
      }
    }
    if let outcome { completion(outcome) }
    guard let account else { return }
    account.queue.async {
      account.accountQueue.enqueue(.userRefresh) {
        completion(.failure(OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")))
      } _: { context in
        let outcome = Self.result { () throws(StorageError) in try account.authority.tokens.applyProtection() }
        context.end()
        completion(outcome)
      }
    }
  }

  private static func result(_ body: () throws(StorageError) -> Bool) -> Result<Bool, OperationError> {
    do throws(StorageError) { return .success(try body()) } catch { return .failure(OperationError(error)) }
  }
}
