internal import Dispatch
internal import Platform
internal import PublishedFiles
internal import Timeline

/// Runs a timeline's renderings on shared queues, one at a time and in order, so that no older file replaces a newer one. A newer rendering
/// replaces one that has not begun. Belongs to the account's queue, which is never blocked.
final class TimelineRenderer {
  private let queues: QueuePool
  private let accountQueue: DispatchQueue
  /// The rendering that has not begun.
  private let next = Locked<Rendering?>(nil)
  /// The formats of all renderings that have not ended.
  private(set) var unfinished: Set<PublishedFormat> = []
  /// Whether a rendering is running, or is to run when a queue is free.
  private(set) var isBusy = false
  private var waiting: [(OperationError?) -> Void] = []
  /// Called on the account's queue when a rendering has ended, and whether it was the last one. Returns the failure to publish.
  var onEnd: (RenderingOutcome, Bool) -> OperationError? = { _, _ in nil }

  init(on queues: QueuePool, for accountQueue: DispatchQueue) {
    self.queues = queues
    self.accountQueue = accountQueue
  }

  /// Adds a rendering, which includes the unfinished formats.
  func submit(_ rendering: Rendering) {
    unfinished.formUnion(rendering.formats)
    next.withLock { $0 = rendering }
    begin()
  }

  private func begin() {
    guard !isBusy else { return }
    isBusy = true
    let renderer = QueueConfined(self)
    queues.run { [next, accountQueue] in
      let outcome = next.withLock { $0.take() }?.write()
      accountQueue.async { renderer.value.end(outcome) }
    }
  }

  private func end(_ outcome: RenderingOutcome?) {
    isBusy = false
    let isLast = next.withLock { $0 == nil }
    if isLast { unfinished = [] } else { begin() }
    let failure = outcome.flatMap { onEnd($0, isLast) }
    guard !isBusy else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body(failure) }
  }

  /// Calls back once no rendering is unfinished, with the failure of the last one; immediately if there is none.
  func whenDone(_ body: @escaping (OperationError?) -> Void) {
    if isBusy { waiting.append(body) } else { body(nil) }
  }
}
