/// A job's turn in its lane: from when it is called until it says that it has ended, whatever it does in between.
///
/// A job that lets go of its turn without a word has ended too, so that no mistake of one job stops those behind it.
/// Belongs to the lane's queue.
package final class Turn {
  /// What the lane knows of the turn, and the job asks for. It outlives the turn; the turn tells by its own end that it is over.
  final class Standing {
    /// The account's generation when the job began.
    let generation: Int
    fileprivate(set) var isCancelled = false
    fileprivate var cancel: (() -> Void)?
    fileprivate var giveWay: (() -> Void)?

    init(generation: Int) { self.generation = generation }

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

  init(_ standing: Standing, ended: @escaping () -> Void) {
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
