internal import Accounts
internal import Platform
internal import PublishedFiles
internal import Storage
internal import Time

/// Removes posts, one portion per job on the account's queue, so that refreshes can run in between.
package final class PurgeJob {
  private let account: Account
  /// The database to purge. Its row numbers are meaningless in a database that replaces it.
  private let database: any AccountStorage
  private let tell: (PurgeRun) -> Void
  private let completion: (Result<Purged, OperationError>) -> Void
  private var run: PurgeRun

  /// Starts a purge. Call on the account's queue.
  /// - Parameters:
  ///   - tell: called after each portion except the last one.
  ///   - completion: called once, on that queue, after the posts have been removed from the account's files.
  static func begin(
    of account: Account, _ purge: Purge, tell: @escaping (PurgeRun) -> Void,
    completion: @escaping (Result<Purged, OperationError>) -> Void
  ) {
    ArchiveJob.enqueue(of: account, publishing: false) {
      let now = account.clock.now
      let run = try account.store.write { (database, revision) throws(StorageError) in
        try database.begin(purge, at: now, expecting: revision)
      }
      let job = PurgeJob(account, run, tell: tell, completion: completion)
      // A purge with a single portion needs no second job.
      return (job, try job.removePortion())
    } completion: { (result: Result<(PurgeJob, Bool), OperationError>) in
      switch result {
      case .success((let job, let hasMore)): job.handle(.success(hasMore))
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }

  /// Resumes purges that an earlier process started but did not finish. Call on the account's queue.
  static func finishInterrupted(of account: Account) {
    guard !account.isClosed, let runs = try? account.store.database.unfinishedPurges(), !runs.isEmpty else { return }
    account.log(.notice, "continuing an interrupted purge")
    for run in runs {
      account.interruptedPurges.begin()
      PurgeJob(account, run, tell: { _ in }) { result in
        switch result {
        case .success(let purged):
          account.log(.notice, "the interrupted purge is complete; posts removed: \(purged.posts)")
        case .failure(let failure): account.log(.warning, "the interrupted purge is not complete: \(failure.message)")
        }
        account.core.shared.views.publishNow {}
        if case .success(let purged) = result { account.core.shared.media?.remove(purged.pictures) }
        account.interruptedPurges.end()
      }.proceed()
    }
  }

  private init(
    _ account: Account, _ run: PurgeRun, tell: @escaping (PurgeRun) -> Void,
    completion: @escaping (Result<Purged, OperationError>) -> Void
  ) {
    self.account = account
    database = account.store.database
    self.run = run
    self.tell = tell
    self.completion = completion
  }

  /// Removes the next portion in a job of the same class as scheduled refreshes, so that jobs requested by users run first.
  private func proceed() {
    ArchiveJob.enqueue(of: account, as: .schedule, publishing: false) {
      try self.removePortion()
    } completion: {
      self.handle($0)
    }
  }

  /// Removes the next portion.
  /// - Returns: whether there are more posts to remove.
  private func removePortion() throws -> Bool {
    guard account.store.database === database else {
      throw OperationError(.inputOutput, "the database was replaced during the purge; run the purge again")
    }
    let now = account.clock.now
    run = try account.store.write { (database, revision) throws(StorageError) in
      try database.continuePurge(run, at: now, expecting: revision)
    }
    return !run.hasEnded
  }

  private func handle(_ result: Result<Bool, OperationError>) {
    switch result {
    case .success(true):
      tell(run)
      proceed()
    case .success(false): finish()
    case .failure(let failure): end(failure)
    }
  }

  private func finish() {
    ArchiveJob.enqueue(of: account) {
      self.account.store.hasLogToClear = !self.run.purged.isLogCleared
      return self.run.purged
    } completion: { result in
      switch result {
      case .success: self.completion(result)
      case .failure(let failure): self.end(failure)
      }
    }
  }

  private func end(_ failure: OperationError) {
    guard case .tryAgain = failure.kind else { return completion(.failure(failure)) }
    completion(
      .failure(OperationError(failure.kind, "homeline is shutting down; the rest will be removed when it runs next")))
  }
}
