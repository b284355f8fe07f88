internal import Dispatch
internal import Platform
internal import Time

/// A user's command that waits for the outcome of a post: it learns immediately why, and until when, the post has to wait. In all, it waits
/// no longer than its patience. Belongs to the account's queue.
// Sendable because all mutable state is accessed on the account's queue only.
package final class PostWaiter: @unchecked Sendable {
  /// How long a command waits in all if it does not specify a time.
  package static let defaultPatience = Duration.seconds(30)
  /// How long nothing may happen before the user is informed.
  private static let silence = Duration.seconds(5)

  private let progress: (PostProgress) -> Void
  private var completion: ((Result<PostOutcome, OperationError>) -> Void)?
  /// The time that the command will still wait. Requests and uploads do not count.
  private var patience: Duration
  /// The time when the present wait began.
  private var waitBegan: Timestamp?
  private var reported: PostWait?
  /// What the user learns if nothing happens for a while.
  private var expected: PostWait?
  private var alarm: Alarm?

  /// - Parameters:
  ///   - patience: how long the command waits in all for another attempt.
  ///   - progress: called repeatedly, on the account's queue.
  ///   - completion: called once, on the account's queue.
  package init(
    patience: Duration = defaultPatience, progress: @escaping (PostProgress) -> Void,
    completion: @escaping (Result<PostOutcome, OperationError>) -> Void
  ) {
    self.patience = patience
    self.progress = progress
    self.completion = completion
  }

  /// Tells the user what the post is waiting for if nothing happens for a while. This does not count as waiting.
  func expects(_ wait: PostWait, on queue: DispatchQueue, at now: Timestamp) {
    rest(at: now)
    guard completion != nil else { return }
    expected = wait
    if alarm == nil {
      alarm = try? Alarm(on: queue) { [weak self] in
        if let self, let expected = self.expected { self.tell(expected) }
      }
    }
    alarm?.set(.now + Self.silence)
  }

  /// Begins or continues a wait, and informs the user unless the wait would be too long.
  /// - Returns: whether the command waits.
  func waits(for wait: PostWait, until time: Timestamp, at now: Timestamp) -> Bool {
    rest(at: now)
    guard time - now <= patience else { return false }
    waitBegan = now
    tell(wait)
    return true
  }

  func tell(_ upload: UploadProgress) {
    alarm?.set(nil)
    progress(.uploading(upload))
  }

  /// Ends the command. Further calls have no effect.
  func end(_ result: Result<PostOutcome, OperationError>) {
    alarm?.set(nil)
    alarm = nil
    completion.take()?(result)
  }

  /// Ends the command because its user has left. The post stays in the outbox.
  package func leave() { end(.failure(OperationError(.tryAgain(at: nil), "the command was interrupted"))) }

  private func tell(_ wait: PostWait) {
    alarm?.set(nil)
    guard completion != nil, wait != reported else { return }
    reported = wait
    progress(.waiting(wait))
  }

  /// Ends the present wait.
  private func rest(at now: Timestamp) {
    if let waitBegan { patience -= max(.zero, now - waitBegan) }
    waitBegan = nil
  }
}
