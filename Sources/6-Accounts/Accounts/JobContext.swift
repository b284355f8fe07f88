/// The context of a running job, from the job's start until it reports its end.
///
/// A job that releases its context without reporting its end has also ended, so an error in one job does not block the next jobs. Belongs
/// to the account's queue.
package final class JobContext {
  /// A running job's state, which the queue sets and the job reads. The state outlives the context; releasing the context ends the job.
  final class State {
    /// The account's generation when the job began.
    let generation: Int
    fileprivate(set) var isCancelled = false
    fileprivate var cancel: (() -> Void)?
    fileprivate var giveWay: (() -> Void)?

    init(generation: Int) { self.generation = generation }

    /// Marks the job as cancelled and calls its cancellation closure. The job's remaining results are discarded.
    func markCancelled() {
      isCancelled = true
      cancel.take()?()
    }

    /// Notifies the job that a more urgent job is waiting.
    func askToGiveWay() { giveWay.take()?() }
  }

  let state: State
  private var ended: (() -> Void)?

  init(_ state: State, ended: @escaping () -> Void) {
    self.state = state
    self.ended = ended
  }

  deinit { ended?() }

  /// Ends the job, so that the next job may begin. Further calls have no effect.
  package func end() {
    state.cancel = nil
    state.giveWay = nil
    ended.take()?()
  }

  /// Sets a closure to call if a more urgent job is enqueued while this job is running. It is meant for jobs that can be continued later;
  /// results up to that point are kept.
  package func onGivingWay(_ giveWay: @escaping () -> Void) { state.giveWay = giveWay }

  /// Sets a closure to call if the job is cancelled while it is running. The job still has to end.
  package func onCancel(_ cancel: @escaping () -> Void) {
    if state.isCancelled { cancel() } else { state.cancel = cancel }
  }
}
