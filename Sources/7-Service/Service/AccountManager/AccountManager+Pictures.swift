internal import Accounts
package import Dispatch
internal import Platform
internal import Time

extension AccountManager {
  /// Calls back once all available pictures for the pages of the open accounts have been fetched, or the time limit has passed. A process
  /// calls this if it would otherwise exit before the pictures arrive.
  package func whenPicturesCame(
    within limit: Duration, on queue: DispatchQueue, _ completion: @escaping @Sendable () -> Void
  ) {
    let isDone = Locked(false)
    let finish: @Sendable () -> Void = {
      if isDone.setOnce() { completion() }
    }
    let all = DispatchGroup()
    for account in openAccounts {
      all.enter()
      account.queue.async {
        guard let pictures = account.pictures.fetcher else { return all.leave() }
        pictures.whenDone { all.leave() }
      }
    }
    all.notify(queue: queue, execute: finish)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(limit.nanoseconds)), execute: finish)
  }

  /// Calls back on the main queue with two numbers for all open accounts: the pictures whose fetch has ended, and all pictures.
  package func pictureProgress(_ completion: @escaping @Sendable (_ done: Int, _ of: Int) -> Void) {
    let sum = Locked((done: 0, of: 0))
    let all = DispatchGroup()
    for account in openAccounts {
      all.enter()
      account.queue.async {
        let progress = account.pictures.fetcher?.progress ?? (done: 0, of: 0)
        sum.withLock { $0 = ($0.done + progress.done, $0.of + progress.of) }
        all.leave()
      }
    }
    all.notify(queue: .main) {
      let (done, total) = sum.withLock { $0 }
      completion(done, total)
    }
  }
}
