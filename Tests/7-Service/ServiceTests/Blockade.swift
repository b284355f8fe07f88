import Accounts
import Platform

/// Jobs that keep the account's queue busy, ahead of the schedule's jobs.
final class Blockade: Sendable {
  private let contexts = Locked<[QueueConfined<JobContext>]>([])

  /// Enqueues a job that runs until `lift()`. Call on the account's queue.
  func begin(_ account: Account) {
    account.accountQueue.enqueue(.login) { context in
      let held = QueueConfined(context)
      self.contexts.withLock { $0.append(held) }
    }
  }

  var isRunning: Bool { contexts.withLock { !$0.isEmpty } }

  /// Ends the job. Call on the account's queue.
  func lift() {
    let contexts = contexts.withLock { contexts in
      defer { contexts = [] }
      return contexts
    }
    for context in contexts { context.value.end() }
  }
}
