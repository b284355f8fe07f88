package import Time

/// A post that a user wants to publish, with the state of its publication.
///
/// It is a state machine without side effects. Each new state is stored before the program acts on it. If the process is killed, the next
/// one continues from the stored state.
package struct PostIntent: Sendable, Hashable {
  package let id: IntentID
  /// The post's position in the order of the account's posts.
  package let number: Int
  package let author: Author
  package let createdAt: Timestamp
  package let draft: PostDraft
  /// The key sent with each attempt. It is replaced only if it is certain that no attempt with this key published the post.
  package internal(set) var key: IdempotencyKey
  package internal(set) var state: State
  /// The uploads of the draft's files, in the same order as the files.
  package internal(set) var uploads: [MediaUpload]
  /// The attempt whose outcome is unknown. The post is later recognised by it; `nil` in all other states, and if a restored
  /// post was not sent before the backup.
  package internal(set) var lastAttempt: Attempt?

  /// The user who posts. If another user logs in to the account, that user must not publish the post.
  package struct Author: Sendable, Hashable {
    package let server: String
    package let userID: String

    package init(server: String, userID: String) {
      self.server = server
      self.userID = userID
    }
  }

  package enum State: Sendable, Hashable {
    /// Nothing has been published.
    case queued(Waiting)
    /// The post's files are being uploaded. Nothing has been published.
    case uploading(Waiting)
    /// The post has been sent or is about to be sent, and the outcome is not yet known.
    case sending(Attempt)
    /// - Parameter differences: how the published post differs from the draft, each as a sentence without a full stop.
    case posted(SentPost, at: Timestamp, differences: [String])
    /// The post was not published, and is sent again only if the user asks for it.
    case refused(String, at: Timestamp)
    /// homeline cannot determine whether the post was published. It is sent again only if the user asks for it.
    case unknown(String, at: Timestamp)
  }

  /// The range of post numbers. No account has posted this often: a larger number in a record means damage.
  package static let numbers = 0...1_000_000_000_000
  /// The largest number of attempts that is counted. The count then stays the same.
  package static let attempts = 0...1_000_000_000

  /// Returns the number that follows this one. After the last number, posts are ordered by time.
  package static func number(after number: Int) -> Int { min(number, numbers.upperBound - 1) + 1 }

  /// Returns the count after one more attempt.
  static func attempt(after count: Int) -> Int { min(count, attempts.upperBound - 1) + 1 }

  /// Returns whether the account's posts are in this order.
  package static func isInOrder(_ left: PostIntent, _ right: PostIntent) -> Bool {
    (left.number, left.createdAt) < (right.number, right.createdAt)
  }

  /// Returns the pause after a number of attempts without an outcome.
  static func pause(after count: Int) -> Duration {
    let pauses: [Int64] = [5, 15, 60, 300, 900]
    return .seconds(pauses[min(max(count, 1), pauses.count) - 1])
  }

  /// What ends the pause before the next attempt.
  package enum PauseEnd: String, Sendable, Hashable, CaseIterable {
    /// Only its end: the server gave the time, a limit applies until then, or an attempt after an early end has failed.
    case time
    /// Its end, or an earlier success of another request by the account.
    case success
    /// The pause has ended early.
    case ended

    /// Returns what ends the pause after one more failure. If other requests succeed but this one does not, their success says nothing
    /// about it, so every second pause lasts until its end.
    func next(untilGivenTime isGiven: Bool) -> PauseEnd { isGiven || self == .ended ? .time : .success }
  }

  package struct Waiting: Sendable, Hashable {
    /// The time when the user last asked to send the post.
    package var since: Timestamp
    /// The earliest time of the next attempt.
    package var notBefore: Timestamp?
    /// The number of consecutive attempts that did not reach the server.
    package var failures: Int
    /// The reason the post has not been sent yet; `nil` before the first attempt.
    package var reason: String?

    /// Whether the server does not accept the token, so that the post waits until the user logs in again.
    package var needsLogin: Bool
    package var pauseEnd: PauseEnd

    /// Returns the state after another attempt that did not publish the post.
    func postponed(_ reason: String, until: Timestamp?, at now: Timestamp) -> Waiting {
      let failures = PostIntent.attempt(after: needsLogin ? 0 : failures)
      return Waiting(
        since: needsLogin ? now : since, notBefore: until ?? now + PostIntent.pause(after: failures),
        failures: failures, reason: reason, pauseEnd: pauseEnd.next(untilGivenTime: until != nil))
    }

    /// Returns the state after the server refused the token. The server may accept it again without a login, so it is asked again after an
    /// hour, two hours and so on, at most once a day.
    func withoutLogin(_ reason: String, at now: Timestamp) -> Waiting {
      let failures = PostIntent.attempt(after: needsLogin ? failures : 0)
      return Waiting(
        since: since, notBefore: now + .seconds(3600) * (1 << min(failures - 1, 4)), failures: failures, reason: reason,
        needsLogin: true)
    }

    package init(
      since: Timestamp, notBefore: Timestamp? = nil, failures: Int = 0, reason: String? = nil, needsLogin: Bool = false,
      pauseEnd: PauseEnd = .time
    ) {
      self.since = since
      self.notBefore = notBefore
      self.failures = failures
      self.reason = reason
      self.needsLogin = needsLogin
      self.pauseEnd = pauseEnd
    }
  }

  package struct Attempt: Sendable, Hashable {
    /// The time when the post was sent for the first time.
    package let firstAt: Timestamp
    /// How to determine the outcome.
    package let settlement: PostSettlement
    /// The id of the post that this one replies to.
    package let replyTo: String?
    /// The state before the first attempt, which is restored if nothing was published.
    package let waiting: Waiting
    /// The number of times that homeline has sent or looked for the post.
    package var count: Int
    /// The earliest time of the next attempt, if this attempt has no outcome.
    package var retryAt: Timestamp
    /// The reason the outcome is unknown; `nil` until the first attempt ends.
    package var reason: String?
    package var pauseEnd: PauseEnd
    /// The id in the server's response, if the response did not show whose post it is.
    package var named: String?
    /// Whether homeline has looked for the post since it was last sent.
    package var isLookedFor: Bool
    /// Set if the server refused the request as a copy of an earlier one.
    package var copyRefusal: CopyRefusal?

    /// What follows if a request is refused as a copy. The server has not carried out the copy, but may have carried out the earlier
    /// request.
    package enum CopyRefusal: String, Sendable, Hashable {
      /// If the post is not on the server, it is sent once more.
      case repeatable
      /// The post was sent once more.
      case repeated
    }

    /// How long after the first attempt a post is sent again if a copy is refused. After that, the user's newest posts prove nothing.
    private static let copyTime = Duration.seconds(3600)

    /// Returns whether the post may be sent again, if it is not found on the server.
    func allowsRepetition(at now: Timestamp) -> Bool {
      settlement.allowsRepetition(firstAt: firstAt, at: now) || allowsCopy(at: now)
    }

    private func allowsCopy(at now: Timestamp) -> Bool {
      copyRefusal == .repeatable && now >= firstAt && now - firstAt < Self.copyTime
    }

    package init(
      firstAt: Timestamp, settlement: PostSettlement, replyTo: String?, after waiting: Waiting, count: Int = 1,
      retryAt: Timestamp, reason: String? = nil, pauseEnd: PauseEnd = .time, named: String? = nil,
      isLookedFor: Bool = false, copyRefusal: CopyRefusal? = nil
    ) {
      self.copyRefusal = copyRefusal
      self.named = named
      self.isLookedFor = isLookedFor
      self.firstAt = firstAt
      self.settlement = settlement
      self.replyTo = replyTo
      self.waiting = waiting
      self.count = count
      self.retryAt = retryAt
      self.reason = reason
      self.pauseEnd = pauseEnd
    }
  }

  /// Creates an intent from its stored form.
  package init(
    id: IntentID, number: Int, author: Author, createdAt: Timestamp, draft: PostDraft, key: IdempotencyKey,
    state: State, uploads: [MediaUpload] = [], lastAttempt: Attempt? = nil
  ) {
    self.lastAttempt = lastAttempt
    self.id = id
    self.number = number
    self.author = author
    self.createdAt = createdAt
    self.draft = draft
    self.key = key
    self.state = state
    // A file without an upload has not been uploaded.
    self.uploads = draft.media.indices.map { uploads.indices.contains($0) ? uploads[$0] : MediaUpload() }
  }

  /// Creates a new intent, which waits to be sent.
  /// - Parameter id: nil for a random id.
  package init(
    _ draft: PostDraft, as id: IntentID? = nil, by author: Author, number: Int, at now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    self.init(
      id: id ?? IntentID(using: &generator), number: number, author: author, createdAt: now, draft: draft,
      key: IdempotencyKey(using: &generator), state: .queued(Waiting(since: now)))
  }

  /// The reason the post has not been sent, or its outcome is unknown; `nil` if there is none.
  package var waitingReason: String? {
    switch state {
    case .queued(let waiting), .uploading(let waiting): waiting.reason
    case .sending(let attempt): attempt.reason
    case .posted, .refused, .unknown: nil
    }
  }

  package var isPosted: Bool { if case .posted = state { true } else { false } }

  /// Whether the post may still be sent or looked for without asking the user.
  package var isPending: Bool {
    switch state {
    case .queued, .uploading, .sending: true
    case .posted, .refused, .unknown: false
    }
  }
}
