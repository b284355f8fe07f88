package import Time

/// The allowed transitions. A call in the wrong state is a programming error and traps.
extension PostIntent {
  /// How long a post may wait for the network or the server. After that, it is sent only if the user asks for it.
  static let longestWait = Duration.seconds(86_400)
  /// How long the server may still be working on an attempt whose sender was killed. If two requests with the same key are processed at the
  /// same time, the server may publish both.
  static let grace = Duration.seconds(15)

  /// The next step for the intent, regardless of other intents.
  package enum Step: Sendable, Hashable {
    case nothing
    case wait(until: Timestamp)
    case send
    case lookUp
    /// The post has waited too long, so the user has to decide.
    case expire
  }

  package func step(at now: Timestamp) -> Step {
    switch state {
    case .posted, .refused, .unknown: return .nothing
    case .queued(let waiting), .uploading(let waiting):
      let due = [draft.postAt, waiting.notBefore.flatMap { Self.isPlausible($0, at: now) ? $0 : nil }].compactMap { $0 }
        .max()
      if let due, due > now { return .wait(until: due) }
      // A post that waits for a login waits for as long as the user needs.
      if waiting.needsLogin { return .send }
      return now - max(waiting.since, draft.postAt ?? waiting.since) > Self.longestWait ? .expire : .send
    case .sending(let attempt):
      if attempt.retryAt > now, Self.isPlausible(attempt.retryAt, at: now) { return .wait(until: attempt.retryAt) }
      // Repeating the key is not a certain way to learn the outcome: the server may refuse the key, or ignore it and publish the post
      // twice.
      let isRepeated = attempt.isLookedFor && attempt.allowsRepetition(at: now)
      return isRepeated ? .send : .lookUp
    }
  }

  /// Returns whether this program could have set a pause that ends at this time. A later end means that the clock has been set back.
  private static func isPlausible(_ end: Timestamp, at now: Timestamp) -> Bool { end - now <= longestWait }

  /// Begins an attempt. The new state must be stored before the request is sent.
  /// - Parameters:
  ///   - settlement: used only for the first attempt; later attempts keep the first one's settlement.
  ///   - replyTo: the id of the post that this one replies to; used only for the first attempt.
  package mutating func begin(settling settlement: PostSettlement, replyTo: String?, at now: Timestamp) {
    switch state {
    case .queued(let waiting), .uploading(let waiting):
      state = .sending(
        Attempt(
          firstAt: now, settlement: settlement, replyTo: replyTo, after: waiting, retryAt: now + Self.grace,
          pauseEnd: waiting.pauseEnd == .ended ? .ended : .time))
    case .sending(var attempt):
      precondition(
        attempt.allowsRepetition(at: now), "a post is repeated only under a valid key, or once after a refused copy")
      if attempt.copyRefusal != nil { attempt.copyRefusal = .repeated }
      attempt.count = Self.attempt(after: attempt.count)
      attempt.retryAt = now + Self.grace
      // No other request may shorten the time while the server may still be working on this attempt.
      if attempt.pauseEnd == .success { attempt.pauseEnd = .time }
      attempt.isLookedFor = false
      state = .sending(attempt)
    case .posted, .refused, .unknown: preconditionFailure("a settled post is not sent")
    }
  }

  /// Ends an attempt.
  package mutating func end(
    _ result: AttemptResult, at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) {
    guard case .sending(var attempt) = state else { preconditionFailure("no attempt is under way") }
    let isFirst = attempt.count == 1
    attempt.retryAt = now + Self.pause(after: attempt.count)
    switch result {
    case .posted(let post): settle(as: post, replyingTo: attempt.replyTo, at: now)
    case .refused(let reason, let coversEarlier) where isFirst || coversEarlier: state = .refused(reason, at: now)
    case .unsent(let reason) where isFirst: state = .queued(attempt.waiting.postponed(reason, until: nil, at: now))
    case .postponed(let reason, let until) where isFirst:
      // Some servers store an error with the key, and would send it again.
      key = IdempotencyKey(using: &generator)
      state = .queued(attempt.waiting.postponed(reason, until: until, at: now))
    case .withoutLogin(let reason) where isFirst:
      key = IdempotencyKey(using: &generator)
      state = .queued(attempt.waiting.withoutLogin(reason, at: now))
    case .postponed(let reason, let until):
      attempt.retryAt = max(attempt.retryAt, until ?? attempt.retryAt)
      attempt.reason = reason
      attempt.pauseEnd = attempt.pauseEnd.next(untilGivenTime: until != nil)
      state = .sending(attempt)
    case .unanswered(let reason, let until, let named):
      attempt.retryAt = max(attempt.retryAt, until ?? attempt.retryAt)
      attempt.reason = reason
      attempt.named = named ?? attempt.named
      attempt.pauseEnd = attempt.pauseEnd.next(untilGivenTime: until != nil)
      state = .sending(attempt)
    case .copyRefused(let reason):
      attempt.copyRefusal = attempt.copyRefusal == nil ? .repeatable : .repeated
      attempt.reason = reason
      // The server may still be working on the request that it received before.
      attempt.retryAt = max(attempt.retryAt, now + Self.grace)
      attempt.pauseEnd = .time
      state = .sending(attempt)
    case .unsent(let reason), .refused(let reason, _), .withoutLogin(let reason):
      attempt.reason = reason
      attempt.pauseEnd = attempt.pauseEnd.next(untilGivenTime: false)
      state = .sending(attempt)
    }
  }

  /// Ends a look-up. If it did not find the post, the post is sent again: under its key if the key is still valid, or once without a key if
  /// the server refused it as a copy and does not have it.
  package mutating func end(_ result: LookUpResult, at now: Timestamp) {
    guard case .sending(var attempt) = state else { preconditionFailure("only a sent post is looked for") }
    let isRepeated = attempt.settlement.allowsRepetition(firstAt: attempt.firstAt, at: now) && !attempt.isLookedFor
    switch result {
    case .found(let post): return settle(as: post, replyingTo: attempt.replyTo, at: now)
    case .failed(_, nil) where isRepeated, .inconclusive where isRepeated:
      attempt.isLookedFor = true
      attempt.retryAt = now
    case .absent where attempt.allowsRepetition(at: now) && !attempt.isLookedFor:
      attempt.isLookedFor = true
      attempt.retryAt = now
    case .absent(let reason), .inconclusive(let reason): return giveUp(reason, at: now)
    case .failed(let reason, let until):
      attempt.count = Self.attempt(after: attempt.count)
      attempt.retryAt = until ?? now + Self.pause(after: attempt.count)
      attempt.reason = reason
      attempt.isLookedFor = false
      attempt.pauseEnd = attempt.pauseEnd.next(untilGivenTime: until != nil)
    }
    state = .sending(attempt)
  }

  /// Gives up determining whether a sent post was published.
  package mutating func giveUp(_ reason: String, at now: Timestamp) {
    guard case .sending(let attempt) = state else {
      preconditionFailure("only the outcome of a sent post is unknown")
    }
    lastAttempt = attempt
    state = .unknown(reason, at: now)
  }

  /// Ends the doubt about a post because the home timeline shows it.
  package mutating func recognise(_ post: SentPost, at now: Timestamp) {
    switch state {
    case .sending(let attempt): settle(as: post, replyingTo: attempt.replyTo, at: now)
    case .unknown: settle(as: post, replyingTo: lastAttempt?.replyTo ?? post.replyTo, at: now)
    case .queued, .uploading, .posted, .refused:
      preconditionFailure("only a post whose outcome is in doubt is recognised")
    }
  }

  /// Ends the pause before the next attempt, because another request of the account has succeeded since the pause began. A sent post is
  /// repeated after the shortest pause at the earliest, because the server may still be working on it.
  /// - Returns: whether the post was waiting for this.
  package mutating func endPauseEarly(at now: Timestamp) -> Bool {
    switch state {
    case .queued(var waiting) where waiting.pauseEnd == .success:
      (waiting.notBefore, waiting.pauseEnd) = (nil, .ended)
      state = .queued(waiting)
    case .uploading(var waiting) where waiting.pauseEnd == .success:
      (waiting.notBefore, waiting.pauseEnd) = (nil, .ended)
      state = .uploading(waiting)
    case .sending(var attempt) where attempt.pauseEnd == .success:
      let earliest = attempt.retryAt - Self.pause(after: attempt.count) + Self.pause(after: 1)
      attempt.retryAt = min(attempt.retryAt, max(now, earliest))
      attempt.pauseEnd = .ended
      state = .sending(attempt)
    case .queued, .uploading, .sending, .posted, .refused, .unknown: return false
    }
    return true
  }

  private mutating func settle(as post: SentPost, replyingTo replyTo: String?, at now: Timestamp) {
    let comparison = PostComparison(draft, replyTo: replyTo)
    lastAttempt = nil
    state = .posted(post, at: now, differences: comparison.differences(in: post))
  }

  /// Postpones a post that could not be prepared, or whose files could not be uploaded. The post was not sent.
  package mutating func postpone(_ reason: String, until: Timestamp? = nil, at now: Timestamp) {
    switch state {
    case .queued(let waiting): state = .queued(waiting.postponed(reason, until: until, at: now))
    case .uploading(let waiting): state = .uploading(waiting.postponed(reason, until: until, at: now))
    case .sending, .posted, .refused, .unknown: preconditionFailure("only a post that was not sent is postponed")
    }
  }

  /// Postpones a post until the user logs in again. The post was not sent.
  package mutating func awaitLogin(_ reason: String, at now: Timestamp) {
    switch state {
    case .queued(let waiting): state = .queued(waiting.withoutLogin(reason, at: now))
    case .uploading(let waiting): state = .uploading(waiting.withoutLogin(reason, at: now))
    case .sending, .posted, .refused, .unknown: preconditionFailure("only a post that was not sent is postponed")
    }
  }

  /// Ends the waiting for a login, because the user has logged in.
  /// - Returns: whether the post was waiting for this.
  package mutating func resumeAfterLogin(at now: Timestamp) -> Bool {
    switch state {
    case .queued(let waiting) where waiting.needsLogin: state = .queued(Waiting(since: now))
    case .uploading(let waiting) where waiting.needsLogin: state = .uploading(Waiting(since: now))
    case .queued, .uploading, .sending, .posted, .refused, .unknown: return false
    }
    return true
  }

  /// Whether the post waits until the user logs in again.
  package var awaitsLogin: Bool {
    switch state {
    case .queued(let waiting), .uploading(let waiting): waiting.needsLogin
    case .sending, .posted, .refused, .unknown: false
    }
  }

  /// Marks a post that was not sent as refused.
  package mutating func refuse(_ reason: String, at now: Timestamp) {
    guard isUnsent else { preconditionFailure("only a post that was not sent is marked as refused") }
    state = .refused(reason, at: now)
  }

  /// Whether the post was not sent. Its files may have been uploaded.
  package var isUnsent: Bool {
    switch state {
    case .queued, .uploading: true
    case .sending, .posted, .refused, .unknown: false
    }
  }

  /// Returns the files that cannot be published yet, with the stages of their uploads.
  package func pendingUploads(at now: Timestamp) -> [(index: Int, stage: MediaStage)] {
    uploads.enumerated().compactMap { index, upload in
      let stage = upload.stage(at: now)
      if case .ready = stage { return nil }
      return (index, stage)
    }
  }

  /// Returns the number of descriptions that are sent if the user asks to send the post again.
  package func descriptionsOfRetry(at now: Timestamp) -> Int {
    // `retry(at:using:)` discards the uploads of a post that has been sent.
    guard isUnsent else { return draft.descriptions }
    return pendingUploads(at: now).count { draft.media[$0.index].description != nil }
  }

  /// Begins or continues the upload of the post's files. The new state must be stored before a request is sent.
  package mutating func beginUpload(at now: Timestamp) {
    switch state {
    case .queued(var waiting), .uploading(var waiting):
      waiting.notBefore = nil
      waiting.reason = nil
      if waiting.pauseEnd == .success { waiting.pauseEnd = .time }
      state = .uploading(waiting)
    case .sending, .posted, .refused, .unknown: preconditionFailure("files are uploaded before the post is sent")
    }
  }

  /// Records the stage of a file's upload.
  /// - Parameters:
  ///   - pause: the time to wait before the upload continues.
  ///   - lifetime: how long the server keeps the file; `nil` if this has not changed.
  package mutating func reach(
    _ stage: MediaStage, ofFile index: Int, after pause: Duration?, lifetime: Duration?, at now: Timestamp
  ) {
    guard case .uploading(var waiting) = state else { preconditionFailure("no file is being uploaded") }
    uploads[index] = MediaUpload(stage, expiresAt: lifetime.map { now + $0 } ?? uploads[index].expiresAt)
    waiting.notBefore = pause.map { now + $0 }
    waiting.failures = 0
    waiting.pauseEnd = .time
    state = .uploading(waiting)
  }

  /// Queues the post again at the user's request, even if it may have been published.
  /// - Returns: false if the post was published, or if it is not yet known whether it was published.
  package mutating func retry(at now: Timestamp, using generator: inout some RandomNumberGenerator) -> Bool {
    switch state {
    case .posted, .sending: return false
    case .queued, .uploading: break
    case .refused, .unknown:
      key = IdempotencyKey(using: &generator)
      // Files that were published, or that the server has refused, cannot be published again.
      uploads = uploads.map { _ in MediaUpload() }
      lastAttempt = nil
    }
    state = .queued(Waiting(since: now))
    return true
  }
}
