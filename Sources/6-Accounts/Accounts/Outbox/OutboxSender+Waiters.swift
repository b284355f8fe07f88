internal import Posting
internal import Providers
internal import Time

/// What users' commands that wait for posts learn.
extension OutboxSender {
  /// Informs the users whose posts have to wait. Ends the commands whose posts have an outcome, wait only for their author's chosen time or
  /// post, or would wait for too long.
  func tellOfWait(among intents: [PostIntent], at now: Timestamp) {
    endWaiting(among: intents) { intent, waiter in
      guard intent.isPending, !intent.awaitsLogin, let wait = OutboxPlan.wait(of: intent, among: intents, at: now)
      else { return PostOutcome(intent) }
      guard let reason = wait.blocker.waitingReason else {
        waiter.expects(
          PostWait(reason: "\(account.provider.serverName) has not finished yet", until: nil), on: account.queue,
          at: now)
        return nil
      }
      let description = PostWait(
        reason: wait.blocker.id == intent.id ? reason : "the earlier post \(wait.blocker.id) waits: \(reason)",
        until: wait.until)
      if waiter.waits(for: description, until: wait.until, at: now) { return nil }
      return PostOutcome(intent, wait: description)
    }
  }

  /// Ends all commands, because this process does not send their posts.
  func tellOfEnd() {
    guard !waiting.isEmpty else { return }
    do throws(OperationError) {
      endWaiting(among: try intents()) { intent, _ in
        let isLeft = intent.isPending && !intent.awaitsLogin
        return PostOutcome(intent, wait: isLeft ? PostWait(reason: "the program is shutting down", until: nil) : nil)
      }
    } catch { endWaiting(with: error) }
  }

  /// Ends the commands whose posts have an outcome.
  private func endWaiting(among intents: [PostIntent], _ outcome: (PostIntent, PostWaiter) -> PostOutcome?) {
    for (id, waiters) in waiting {
      let intent = intents.first { $0.id == id }
      waiting[id] = waiters.filter { waiter in
        guard let intent else {
          waiter.end(.failure(.noIntent(id)))
          return false
        }
        guard let outcome = outcome(intent, waiter) else { return true }
        waiter.end(.success(outcome))
        return false
      }
      if waiting[id]?.isEmpty == true { waiting[id] = nil }
    }
  }

  /// Informs the users if the server is silent for a while.
  func expectAnswer(for waiters: some Sequence<PostWaiter>) {
    let wait = PostWait(reason: "no response from \(account.provider.serverName) yet", until: nil)
    for waiter in waiters { waiter.expects(wait, on: account.queue, at: account.clock.now) }
  }

  /// Reports an error to all users who are waiting.
  func endWaiting(with error: OperationError) {
    let waiters = waiting.values.joined()
    waiting = [:]
    for waiter in waiters { waiter.end(.failure(error)) }
  }
}
