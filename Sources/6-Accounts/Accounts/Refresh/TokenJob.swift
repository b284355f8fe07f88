internal import Platform
internal import Providers
package import Scheduling
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// Checks an account's token, and renews it if it is due, in a job on the account's queue.
package enum TokenJob {
  /// Adds the job to the account's queue. Call on the account's queue.
  /// - Parameter completion: called on the queue when the job has ended or was refused.
  package static func enqueue(
    _ work: Work, of account: Account, completion: @escaping (RefreshReport) -> Void
  ) {
    let name = account.name.text
    account.accountQueue.enqueue(JobClass(work)) {
      completion(RefreshReport(account: name, timeline: .home, outcome: .cancelled))
    } _: { context in
      run(of: account, isAwaited: work == .user) { outcome in
        context.end()
        var report = RefreshReport(account: name, timeline: .home, outcome: outcome)
        report.hasTimeline = account.provider.hasTimeline
        completion(report)
      }
    }
  }

  private static func run(
    of account: Account, isAwaited: Bool, completion: @escaping (RefreshReport.Outcome) -> Void
  ) {
    let token: StoredToken
    do throws(StorageError) {
      guard let stored = try account.authority.loadToken() else {
        return completion(.failed(.notAuthorisedYet(account.name)))
      }
      token = stored
    } catch { return completion(.unable(OperationError(error))) }
    account.authority.provide(for: token, isAwaited: isAwaited) { result in
      guard !account.isClosed else { return completion(.cancelled) }
      switch result {
      case .success:
        if !account.provider.hasTimeline { account.noteToken(nil) }
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
