package import Dispatch
internal import Platform

/// One account's queue: a serial queue that runs one job at a time, by class and then in the order of enqueuing.
///
/// Jobs begin and end asynchronously, so a job that enqueues another one finishes its own work first. A job that fails, is cancelled or
/// is released lets the next one run.
// Sendable because all mutable state is accessed only on `queue`. Calls from other threads go through `async`.
package final class AccountQueue: @unchecked Sendable {
  /// Identifies a job that was enqueued.
  package struct Ticket: Hashable { fileprivate let ticket: JobQueue<Job>.Ticket }

  fileprivate struct Job {
    let begin: (JobContext) -> Void
    let dropped: () -> Void
  }

  package let queue: DispatchQueue
  /// Increases whenever what is known about the account becomes invalid. A response to a request from an older generation must not
  /// become current.
  package private(set) var generation = 0
  private var jobs = JobQueue<Job>()
  private var current: JobContext.State?
  private var isAboutToBegin = false
  private var isClosed = false
  private var whenIdle: [() -> Void] = []

  /// - Parameter worker: the serial queue that runs the work, together with that of other accounts; `nil` to use only the account's own
  ///   queue.
  package init(label: String, on worker: DispatchQueue? = nil) { queue = DispatchQueue(label: label, target: worker) }

  /// Enqueues a job. Call on the queue.
  /// - Parameters:
  ///   - begin: called on the queue when the job starts, and never during this call.
  ///   - dropped: called on the queue instead, if the job is cancelled before it starts.
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

  /// Removes the job if it is waiting, and cancels it if it is running. Call on the queue.
  func cancel(_ ticket: Ticket) {
    dispatchPrecondition(condition: .onQueue(queue))
    if jobs.running == ticket.ticket {
      current?.markCancelled()
    } else if let job = jobs.remove(ticket.ticket) {
      queue.later { job.dropped() }
    }
  }

  /// Begins a new generation: the running job is cancelled, and its further results are ignored. Waiting jobs will start in the new
  /// generation.
  package func advance() {
    dispatchPrecondition(condition: .onQueue(queue))
    generation += 1
    current?.markCancelled()
  }

  /// Cancels the running job, unless it belongs to the spared class, and all waiting jobs. Later jobs are dropped immediately.
  package func close(sparing spared: JobClass? = nil) {
    dispatchPrecondition(condition: .onQueue(queue))
    isClosed = true
    if jobs.runningClass != spared || spared == nil { current?.markCancelled() }
    for job in jobs.removeAll() { queue.later { job.dropped() } }
  }

  /// Whether the results of a job may still become current.
  package func isCurrent(_ context: JobContext) -> Bool {
    context.state.generation == generation && !context.state.isCancelled
  }

  /// Calls back on the queue when no jobs are running or waiting.
  package func whenIdle(_ body: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if isBusy { whenIdle.append(body) } else { queue.later(body) }
  }

  /// Whether a job is running or waiting.
  var isBusy: Bool { jobs.running != nil || !jobs.isEmpty }

  /// Starts the next job asynchronously, so that the caller and the previous job have finished their own work. The job is chosen at that
  /// time, so a more urgent one enqueued in between goes first.
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
    // The last reference to a context may be released on another queue's thread.
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

/// A job's time on its queue: from its start until it reports its end, whatever it does in between.
///
/// A job that releases its context without a report has also ended, so an error in one job does not block the jobs behind it. Belongs
/// to the account's queue.
package final class JobContext {
  /// The state of a running job, which the queue sets and the job reads. It outlives the context, whose release ends the job.
  final class State {
    /// The account's generation when the job began.
    let generation: Int
    fileprivate(set) var isCancelled = false
    fileprivate var cancel: (() -> Void)?
    fileprivate var giveWay: (() -> Void)?

    init(generation: Int) { self.generation = generation }

    /// Asks the job to end. Its further results are discarded.
    func markCancelled() {
      isCancelled = true
      cancel.take()?()
    }

    /// Tells the job that a more urgent one is waiting.
    func askToGiveWay() { giveWay.take()?() }
  }

  let state: State
  private var ended: (() -> Void)?

  init(_ state: State, ended: @escaping () -> Void) {
    self.state = state
    self.ended = ended
  }

  deinit { ended?() }

  /// Ends the job, so that the next one may begin. Further calls have no effect.
  package func end() {
    state.cancel = nil
    state.giveWay = nil
    ended.take()?()
  }

  /// Sets a closure that is called if a job of an earlier class is enqueued while this one is running. It is for jobs that can be
  /// continued later. Its results up to then are kept.
  package func onGivingWay(_ giveWay: @escaping () -> Void) { state.giveWay = giveWay }

  /// Sets a closure that is called if the job is cancelled while it is running. The job still has to end.
  package func onCancel(_ cancel: @escaping () -> Void) {
    if state.isCancelled { cancel() } else { state.cancel = cancel }
  }
}
