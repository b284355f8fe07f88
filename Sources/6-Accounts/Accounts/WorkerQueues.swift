package import Dispatch
internal import Platform

/// Serial queues that share the work of all accounts, so that a thousand accounts use no more threads than there are queues.
///
/// Dispatch creates a thread for each serial queue with work, up to 255; after that, no other code gets a thread. An account keeps its
/// queue. While one account blocks its queue, the other accounts on that queue also wait. If there are no more accounts than queues, each
/// account has its own queue.
package struct WorkerQueues {
  private let queues: [DispatchQueue]
  private var given = 0

  init(label: String, count: Int) { queues = (0..<count).map { DispatchQueue(label: "\(label).\($0)") } }

  /// Returns the queues that run the accounts' work. Including these, a service has at most 32 threads.
  package static func accountQueues() -> WorkerQueues { WorkerQueues(label: "homeline.worker", count: 12) }

  /// Returns the queues that wait for the programs that supply secrets, so that no account's queue has to wait for them.
  package static func secrets() -> WorkerQueues { WorkerQueues(label: "homeline.secret", count: 8) }

  /// Returns the queue for another account. The queues take turns, so that accounts are spread evenly.
  package mutating func next() -> DispatchQueue {
    defer { given += 1 }
    return queues[given % queues.count]
  }
}

extension DispatchQueue {
  /// Runs work later on this queue, with values that belong to the queue. Call on the queue itself.
  package func later(_ work: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(self))
    let box = QueueConfined(work)
    async { box.value() }
  }
}
