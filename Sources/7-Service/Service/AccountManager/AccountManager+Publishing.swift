package import Accounts
package import Dispatch
internal import Platform
internal import PublishedFiles
package import Settings

/// Brings published files up to date for a user who is waiting for them. Sends no request.
extension AccountManager {
  /// What changes on pages that show posts.
  package var changes: ContentChanges { shared.changes }

  /// Writes the outdated and missing files of the open accounts.
  /// - Parameter completion: called on `queue` with the failures.
  package func publishBehind(
    _ accounts: [AccountSettings], on queue: DispatchQueue,
    completion: @escaping @Sendable ([(AccountName, OperationError)]) -> Void
  ) {
    let all = DispatchGroup()
    let failures = Locked<[(AccountName, OperationError)]>([])
    for settings in accounts {
      guard let account = accountInUse(settings.name, orElse: {}) else { continue }
      all.enter()
      account.queue.async {
        account.publishBehind { failure in
          if let failure { failures.withLock { $0.append((settings.name, failure)) } }
          all.leave()
        }
      }
    }
    all.notify(queue: queue) { completion(failures.withLock { $0 }) }
  }

  /// Writes the outdated files of all views.
  /// - Parameter done: called on `queue`.
  package func publishViewsBehind(on queue: DispatchQueue, then done: @escaping @Sendable () -> Void) {
    shared.views.publishNow { queue.async(execute: done) }
  }
}
