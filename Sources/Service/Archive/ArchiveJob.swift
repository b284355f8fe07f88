internal import Accounts
internal import CivilTime
internal import Storage
internal import Timeline

/// Work on what an account keeps, in a turn of its lane and in front of whatever nobody waits for.
package enum ArchiveJob {
  /// Asks for a turn, does the work, and publishes what is different then. To be called on the lane's queue.
  /// - Parameters:
  ///   - jobClass: what waits behind it, and what goes first.
  ///   - work: done on that queue, within the turn.
  ///   - completion: called once, on that queue.
  static func enqueue<OAuthResponse>(
    of account: Account, as jobClass: JobClass = .userRefresh, publishing: Bool = true,
    _ work: @escaping () throws -> OAuthResponse,
    completion: @escaping (Result<OAuthResponse, Failure>) -> Void
  ) {
    account.accountQueue.enqueue(jobClass) {
      completion(.failure(ending))
    } _: { context in
      let result = run(of: account, publishing: publishing, work)
      context.end()
      completion(result)
    }
  }

  private static func run<OAuthResponse>(
    of account: Account, publishing: Bool, _ work: () throws -> OAuthResponse
  ) -> Result<OAuthResponse, Failure> {
    guard !account.isClosed else { return .failure(ending) }
    do {
      try account.reopenIfMoved()
      let response = try work()
      if publishing, let failure = account.publish(gathers: false) { return .failure(failure) }
      return .success(response)
    } catch let failure as Failure {
      return .failure(failure)
    } catch let error as StorageError {
      if error.kind == .damaged { account.beginAnew(after: error) }
      return .failure(Failure(.inputOutput, "\(error)"))
    } catch {
      return .failure(Failure(.inputOutput, "\(error)"))
    }
  }

  private static var ending: Failure { Failure(.tryAgain(at: nil), "the program ends; ask again") }
}
