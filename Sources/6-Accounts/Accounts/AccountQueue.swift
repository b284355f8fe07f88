package import Dispatch
internal import Platform

/// One account's queue: a serial queue that runs one job at a time. Jobs run by class, and within a class in the order they were enqueued.
///
/// Jobs begin and end asynchronously, so a job that enqueues another job finishes its own work first. When a job fails, is cancelled or is
/// released, the next job runs.
// Sendable because all mutable state is accessed only on `queue`. Calls from other threads go through `async`.
package final class AccountQueue: @unchecked Sendable {
  /// Identifies an enqueued job.
  package struct Ticket: Hashable { fileprivate let ticket: JobQueue<Job>.Ticket }

  fileprivate struct Job {
    let begin: (JobContext) -> Void
    let dropped: () -> Void
  }

  package let queue: DispatchQueue
  /// The number of the current generation. It increases when earlier results become invalid for the account: the response to a request from
  /// an older generation must be discarded.
  package private(set) var generation = 0
  private var jobs = JobQueue<Job>()
  private var current: JobContext.State?
  private var isAboutToBegin = false
  private var isClosed = false
  private var whenIdle: [() -> Void] = []

  /// - Parameter worker: the serial queue that runs the work, shared with other accounts; `nil` to use only the account's own queue.
  package init(label: String, on worker: DispatchQueue? = nil) { queue = DispatchQueue(label: label, target: worker) }

  /// Enqueues a job. Call on the queue.
  /// - Parameters:
  ///   - begin: called on the queue when the job starts, and never during this call.
  ///   - dropped: called on the queue instead of `begin`, if the job is cancelled before it starts.
  @discardableResult
  package func enqueue(
    _ jobClass: JobClass, dropped: @escaping () -> Void = {}, _ begin: @escaping (JobContext) -> Void
  ) -> Ticket {
    dispatchPrecondition(condition: .onQueue(queue))
    let ticket = jobs.append(Job(begin: begin, dropped: dropped), as: jobClass)
    if let running = jobs.runningClass, jobClass < running { current?.askToGiveWay() }
    if isClosed { cancel(Ticket(ticket: ticket)) } else { runNext() }
    return Ticket(ticket: ticket)
  }

  /// Removes a waiting job, or cancels a running one. Call on the queue.
  func cancel(_ ticket: Ticket) {
    dispatchPrecondition(condition: .onQueue(queue))
    if jobs.running == ticket.ticket {
      current?.markCancelled()
    } else if let job = jobs.remove(ticket.ticket) {
      queue.later { job.dropped() }
    }
  }

  /// Begins a new generation: the running job is cancelled, and its remaining results are ignored. Waiting jobs start in the new
  /// generation.
  package func advance() {
    dispatchPrecondition(condition: .onQueue(queue))
    generation += 1
    current?.markCancelled()
  }

  /// Cancels all waiting jobs and the running job, unless it belongs to the spared class. Later jobs are dropped immediately.
  package func close(sparing spared: JobClass? = nil) {
    dispatchPrecondition(condition: .onQueue(queue))
    isClosed = true
    if jobs.runningClass != spared || spared == nil { current?.markCancelled() }
    for job in jobs.removeAll() { queue.later { job.dropped() } }
  }

  /// Returns whether a job's further results may be used: the job has not been cancelled, and its generation is the current one.
  package func isCurrent(_ context: JobContext) -> Bool {
    context.state.generation == generation && !context.state.isCancelled
  }

  /// Calls back on the queue once no jobs are running or waiting.
  package func whenIdle(_ body: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if isBusy { whenIdle.append(body) } else { queue.later(body) }
  }

  /// Whether a job is running or waiting.
  var isBusy: Bool { jobs.running != nil || !jobs.isEmpty }

  /// Starts the next job asynchronously, so that the caller and the previous job finish their own work first. The job is chosen only then,
  /// so a more urgent job that is enqueued in the meantime runs first.
  private func runNext() {
    guard jobs.running == nil, !isAboutToBegin, !jobs.isEmpty else { return }
    isAboutToBegin = true
    queue.later { self.begin() }
  }

  private func begin() {
    isAboutToBegin = false
    guard let (ticket, job) = jobs.next() else { return }
    let state = JobContext.State(generation: generation)
    current = state
    // A context's last reference may be released on another queue's thread.
    let accountQueue = QueueConfined(self)
    job.begin(JobContext(state) { [queue] in queue.async { accountQueue.value.end(ticket) } })
  }

  private func end(_ ticket: JobQueue<Job>.Ticket) {
    jobs.end(ticket)
    current = nil
    runNext()
    guard !isBusy else { return }
    let waiting = whenIdle
    whenIdle = []
    for body in waiting { queue.later(body) }
  }
}
