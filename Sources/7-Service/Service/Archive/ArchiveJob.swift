internal import Accounts
internal import Storage
internal import Time
internal import Timeline

/// Runs work on an account's stored data in a job on the account's queue. By default, it runs before jobs that no user is waiting for.
package enum ArchiveJob {
  /// Adds a job that does the work and then publishes the changes. While the files are rendered, the next job runs. Call on the account's queue.
  /// - Parameters:
  ///   - jobClass: the class of the job, which determines its order in the queue.
  ///   - work: done on that queue, within the job.
  ///   - completion: called once, on that queue, after all files have been published.
  static func enqueue<Value>(
    of account: Account, as jobClass: JobClass = .userRefresh, publishing: Bool = true,
    _ work: @escaping () throws -> Value,
    completion: @escaping (Result<Value, OperationError>) -> Void
  ) {
    account.accountQueue.enqueue(jobClass) {
      completion(.failure(ending))
    } _: { context in
      let result = run(of: account, work)
      context.end()
      guard publishing, case .success = result else { return completion(result) }
      account.publish(gathers: false) { completion($0.map(Result.failure) ?? result) }
    }
  }

  private static func run<Value>(
    of account: Account, _ work: () throws -> Value
  ) -> Result<Value, OperationError> {
    guard !account.isClosed else { return .failure(ending) }
    do {
      try account.store.reopenIfMoved()
      return .success(try work())
    } catch let failure as OperationError {
      return .failure(failure)
    } catch let error as StorageError {
      if error.kind == .damaged { account.store.beginAnew(after: error) }
      return .failure(OperationError(.inputOutput, "\(error)"))
    } catch {
      return .failure(OperationError(.inputOutput, "\(error)"))
    }
  }

  private static var ending: OperationError {
    OperationError(.tryAgain(at: nil), "homeline is shutting down; try again")
  }
}
