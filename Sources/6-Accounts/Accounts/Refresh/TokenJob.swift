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

extension Account {
  /// Records the result of a token check. For an account with a timeline, only a final problem is recorded: as long as the token can be
  /// renewed, the timeline becomes stale only when a refresh fails.
  func noteToken(_ problem: Problem?) {
    let hasTimeline = provider.hasTimeline
    let isFinal = problem.map { RefreshOutcome($0).isFinal } ?? false
    guard !hasTimeline || isFinal else { return }
    let now = clock.now
    let change = { (state: inout AccountState) in
      for name in self.timelines.keys {
        state[name].problem = problem
        if problem == nil { state[name].refreshedAt = now }
        state[name].staleSince = problem == nil ? nil : state[name].staleSince ?? now
        if isFinal { state[name].nextRefreshAt = nil }
      }
    }
    if hasTimeline {
      store.update(change, publishing: { publish(then: $0) }) {
        if let failure = $0 { self.log(.error, failure.message) }
      }
    } else {
      do throws(StorageError) { try store.update(change) } catch {
        log(.error, "the account's state could not be stored: \(error)")
      }
    }
  }
}
