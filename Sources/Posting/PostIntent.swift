package import CivilTime

/// A post that a user wants to publish, and what is known about its publication.
///
/// It is a state machine without side effects. The owner of the outbox stores each new state before it acts on it. If the process is
/// killed, the next one continues from the stored state.
package struct PostIntent: Sendable, Hashable {
  package let id: IntentID
  /// Its place in the order of the account's posts.
  package let number: Int
  package let author: Author
  package let createdAt: Timestamp
  package let draft: PostDraft
  /// Sent with each attempt. It is replaced only if it is certain that nothing was posted with it.
  package internal(set) var key: IdempotencyKey
  package internal(set) var state: State
  /// The uploads of the draft's files, in the same order.
  package internal(set) var uploads: [MediaUpload]

  /// The user who posts. Another user of the same account must not publish the post.
  package struct Author: Sendable, Hashable {
    package let server: String
    package let userID: String

    package init(server: String, userID: String) {
      self.server = server
      self.userID = userID
    }
  }

  package enum State: Sendable, Hashable {
    /// Nothing has been posted.
    case queued(Waiting)
    /// Its files are being uploaded. Nothing has been posted.
    case uploading(Waiting)
    /// It has been sent, or is about to be, and the outcome is not known yet.
    case sending(Attempt)
    /// - Parameter differences: how the published post differs from the draft, each as a sentence without a full stop.
    case posted(SentPost, at: Timestamp, differences: [String])
    /// It was not posted, and is not sent again unless the user asks for it.
    case refused(String, at: Timestamp)
    /// Nobody can tell whether it was posted. It is not sent again unless the user asks for it.
    case unknown(String, at: Timestamp)
  }

  /// The pause after a number of attempts without an outcome.
  static func pause(after count: Int) -> Duration {
    let pauses: [Int64] = [5, 15, 60, 300, 900]
    return .seconds(pauses[min(max(count, 1), pauses.count) - 1])
  }

  package struct Waiting: Sendable, Hashable {
    /// When the user last asked to send the post.
    package var since: Timestamp
    /// The earliest time of the next attempt.
    package var notBefore: Timestamp?
    /// The number of consecutive attempts that did not reach the server.
    package var failures: Int
    /// Why it has not been sent yet; `nil` before the first attempt.
    package var reason: String?

    /// The same after one more attempt that posted nothing.
    func postponed(_ reason: String, until: Timestamp?, at now: Timestamp) -> Waiting {
      Waiting(
        since: since, notBefore: until ?? now + PostIntent.pause(after: failures + 1), failures: failures + 1,
        reason: reason)
    }

    package init(since: Timestamp, notBefore: Timestamp? = nil, failures: Int = 0, reason: String? = nil) {
      self.since = since
      self.notBefore = notBefore
      self.failures = failures
      self.reason = reason
    }
  }

  package struct Attempt: Sendable, Hashable {
    /// When the post was sent for the first time.
    package let firstAt: Timestamp
    /// How to find out the outcome.
    package let settlement: PostSettlement
    /// The id of the post that it replies to.
    package let replyTo: String?
    /// The state before the first attempt, which is restored if nothing was posted.
    package let waiting: Waiting
    /// How often it has been sent or looked for.
    package var count: Int
    /// The earliest time of the next attempt, if this one has no outcome.
    package var retryAt: Timestamp
    /// Why the outcome is not known; `nil` while no attempt has ended.
    package var reason: String?

    package init(
      firstAt: Timestamp, settlement: PostSettlement, replyTo: String?, after waiting: Waiting, count: Int = 1,
      retryAt: Timestamp, reason: String? = nil
    ) {
      self.firstAt = firstAt
      self.settlement = settlement
      self.replyTo = replyTo
      self.waiting = waiting
      self.count = count
      self.retryAt = retryAt
      self.reason = reason
    }
  }

  /// A stored intent.
  package init(
    id: IntentID, number: Int, author: Author, createdAt: Timestamp, draft: PostDraft, key: IdempotencyKey,
    state: State, uploads: [MediaUpload] = []
  ) {
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

  /// A new intent, which waits to be sent.
  package init(
    _ draft: PostDraft, by author: Author, number: Int, at now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    self.init(
      id: IntentID(using: &generator), number: number, author: author, createdAt: now, draft: draft,
      key: IdempotencyKey(using: &generator), state: .queued(Waiting(since: now)))
  }

  /// Whether it may still be sent or looked for without asking the user.
  package var isPending: Bool {
    switch state {
    case .queued, .uploading, .sending: true
    case .posted, .refused, .unknown: false
    }
  }
}

/// How to find out whether a post was published after its answer was lost.
package enum PostSettlement: Sendable, Hashable {
  /// Send it again with the same idempotency key, within this time after the first attempt; later, do the same as for `lookUp`.
  case sameKey(for: Duration, knownBefore: Set<String>?)
  /// Look for it among the user's own newest posts. It is never sent again.
  /// - Parameter knownBefore: the ids of the user's newest posts before the first attempt; `nil` if they could not be read, so that a
  ///   post that is found proves nothing.
  case lookUp(knownBefore: Set<String>?)

  /// The ids of the user's newest posts before the first attempt.
  package var knownBefore: Set<String>? {
    switch self {
    case .sameKey(_, let known), .lookUp(let known): known
    }
  }

  /// Whether the post may be sent again. If the clock has been set back, it proves nothing about the age of the key.
  func allowsRepetition(firstAt: Timestamp, at now: Timestamp) -> Bool {
    guard case .sameKey(let lifetime, _) = self else { return false }
    return now >= firstAt && now - firstAt < lifetime - Self.margin
  }

  /// The part at the end of a key's lifetime that is not used, because a request takes time.
  private static let margin = Duration.seconds(300)
}

/// A post as the server has published it.
package struct SentPost: Sendable, Hashable {
  package let id: String
  package let url: String?
  /// Plain text without the content warning.
  package let text: String
  /// `nil` if the server does not report one.
  package let visibility: PostVisibility?
  /// The id of the post that it replies to.
  package let replyTo: String?

  package init(id: String, url: String?, text: String, visibility: PostVisibility?, replyTo: String?) {
    self.id = id
    self.url = url
    self.text = text
    self.visibility = visibility
    self.replyTo = replyTo
  }
}
