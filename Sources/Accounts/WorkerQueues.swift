package import Dispatch
internal import Platform

/// A number of serial queues that share the work of all accounts, so that a thousand accounts take no more threads than these.
///
/// Dispatch makes a thread for each serial queue that has something to do, up to 255, and then none for anybody else. An account stays with
/// its queue: what one account waits for there, the others of that queue wait for too. As long as there are not more accounts than queues
/// each has one of its own.
package struct WorkerQueues {
  private let queues: [DispatchQueue]
  private var given = 0

  package init(label: String, count: Int) { queues = (0..<count).map { DispatchQueue(label: "\(label).\($0)") } }

  /// What the lanes of accounts run on. Together with the other threads of a service they are at most 32.
  package static func accountQueues() -> WorkerQueues { WorkerQueues(label: "homeline.worker", count: 12) }

  /// Where the programs that secrets come from are waited for, so that no lane has to.
  package static func secrets() -> WorkerQueues { WorkerQueues(label: "homeline.secret", count: 8) }

  /// The queue for one more account: in turns, so that each has as many as the others.
  package mutating func next() -> DispatchQueue {
    defer { given += 1 }
    return queues[given % queues.count]
  }
}

extension DispatchQueue {
  /// Runs work later on this queue with values that belong to it. To be called on the queue itself.
  package func later(_ work: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(self))
    let box = QueueConfined(work)
    async { box.value() }
  }
}
