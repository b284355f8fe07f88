package import Dispatch
internal import Platform

/// One account's order of things: a serial queue, and on it one job at a time, by class and in the order asked for.
///
/// Jobs are begun and ended asynchronously, so a job that asks for another one has its own handling finished first. A lane
/// survives its jobs: one that fails, is cancelled or is let go of lets the next one run.
// Sendable because everything that changes in it is touched on `queue` only; what may come from anywhere goes through `async`.
package final class AccountQueue: @unchecked Sendable {
  /// A job that was asked for.
  package struct Ticket: Hashable { fileprivate let ticket: JobQueue<Job>.Ticket }

  fileprivate struct Job {
    let begin: (JobContext) -> Void
    let dropped: () -> Void
  }

  package let queue: DispatchQueue
  /// Counts up whenever what is known so far stops being true of the account: an answer to a question of an older generation must
  /// not become current.
  package private(set) var generation = 0
  private var jobs = JobQueue<Job>()
  private var current: JobContext.Standing?
  private var isAboutToBegin = false
  private var isClosed = false
  private var whenIdle: [() -> Void] = []

  /// - Parameter worker: the serial queue that its work is done on, beside that of other lanes; `nil` for none but its own.
  package init(label: String, on worker: DispatchQueue? = nil) { queue = DispatchQueue(label: label, target: worker) }

  /// Asks for a turn. To be called on the queue.
  /// - Parameters:
  ///   - begin: called on the queue when the turn has come, and never from within this call.
  ///   - dropped: called on the queue instead, when the job is cancelled before its turn.
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

  /// Takes the job out if it still waits, and tells it to come to its end if it has its turn. To be called on the queue.
  package func cancel(_ ticket: Ticket) {
    dispatchPrecondition(condition: .onQueue(queue))
    if jobs.running == ticket.ticket {
      current?.markCancelled()
    } else if let job = jobs.remove(ticket.ticket) {
      queue.later { job.dropped() }
    }
  }

  /// Begins a new generation: the job that has its turn is told to come to its end, and what it still learns is dropped. Those
  /// that wait will begin in the new generation.
  package func advance() {
    dispatchPrecondition(condition: .onQueue(queue))
    generation += 1
    current?.markCancelled()
  }

  /// Ends what is under way, but for a job of the spared class, and everything that waits; whoever asks later is told at once that
  /// there is no turn to be had.
  package func close(sparing spared: JobClass? = nil) {
    dispatchPrecondition(condition: .onQueue(queue))
    isClosed = true
    if jobs.runningClass != spared || spared == nil { current?.markCancelled() }
    for job in jobs.removeAll() { queue.later { job.dropped() } }
  }

  /// Whether what a job has learnt in its turn may still become current.
  package func isCurrent(_ context: JobContext) -> Bool {
    context.standing.generation == generation && !context.standing.isCancelled
  }

  /// Calls back on the queue when no job has its turn or waits for it.
  package func whenIdle(_ body: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if isBusy { whenIdle.append(body) } else { queue.later(body) }
  }

  /// Whether a job has its turn, or waits for it.
  package var isBusy: Bool { jobs.running != nil || !jobs.isEmpty }

  /// Gives the next job its turn: later, so that whoever asked, and the job before, have finished their own handling; and it is
  /// chosen then, so that a more urgent one that was asked for meanwhile goes first.
  private func runNext() {
    guard jobs.running == nil, !isAboutToBegin, !jobs.isEmpty else { return }
    isAboutToBegin = true
    queue.later { self.begin() }
  }

  private func begin() {
    isAboutToBegin = false
    guard let (ticket, job) = jobs.next() else { return }
    let standing = JobContext.Standing(generation: generation)
    current = standing
    // A turn can be let go of on another queue's thread, by whoever held it last.
    let accountQueue = QueueConfined(self)
    job.begin(JobContext(standing) { [queue] in queue.async { accountQueue.value.end(ticket) } })
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

/// A job's turn in its lane: from when it is called until it says that it has ended, whatever it does in between.
///
/// A job that lets go of its turn without a word has ended too, so that no mistake of one job stops those behind it.
/// Belongs to the lane's queue.
package final class JobContext {
  /// What the lane knows of the turn, and the job asks for. It outlives the turn; the turn tells by its own end that it is over.
  package final class Standing {
    /// The account's generation when the job began.
    let generation: Int
    fileprivate(set) var isCancelled = false
    fileprivate var cancel: (() -> Void)?
    fileprivate var giveWay: (() -> Void)?

    package init(generation: Int) { self.generation = generation }

    /// Tells the job to come to its end. What it still learns does not count.
    func markCancelled() {
      isCancelled = true
      cancel.take()?()
    }

    /// Tells the job that a more urgent one waits.
    func askToGiveWay() { giveWay.take()?() }
  }

  let standing: Standing
  private var ended: (() -> Void)?

  package init(_ standing: Standing, ended: @escaping () -> Void) {
    self.standing = standing
    self.ended = ended
  }

  deinit { ended?() }

  /// The job is over: the next one may begin. Said again it means nothing.
  package func end() {
    standing.cancel = nil
    standing.giveWay = nil
    ended.take()?()
  }

  /// What is to be done should a job of an earlier class ask for a turn meanwhile: for one that can be gone on with later. What it has
  /// learnt until then counts.
  package func onGivingWay(_ giveWay: @escaping () -> Void) { standing.giveWay = giveWay }

  /// What is to be done should the job be cancelled while it runs; the job still has to end.
  package func onCancel(_ cancel: @escaping () -> Void) {
    if standing.isCancelled { cancel() } else { standing.cancel = cancel }
  }
}
