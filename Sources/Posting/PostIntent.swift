package import CivilTime

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
  /// The key that is sent with each attempt. It is replaced only if it is certain that no attempt with this key published the post.
  package internal(set) var key: IdempotencyKey
  package internal(set) var state: State
  /// The uploads of the draft's files, in the same order as the files.
  package internal(set) var uploads: [MediaUpload]

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
    /// The files of the post are being uploaded. Nothing has been published.
    case uploading(Waiting)
    /// The post has been sent or is about to be sent, and the outcome is not yet known.
    case sending(Attempt)
    /// - Parameter differences: how the published post differs from the draft, each as a sentence without a full stop.
    case posted(SentPost, at: Timestamp, differences: [String])
    /// The post was not published, and is sent again only if the user asks for it.
    case refused(String, at: Timestamp)
    /// homeline cannot find out whether the post was published. It is sent again only if the user asks for it.
    case unknown(String, at: Timestamp)
  }

  /// The numbers that posts have. No account has posted so often; a larger number in a record is damage.
  package static let numbers = 0...1_000_000_000_000
  /// The numbers of attempts that are counted. After the last one, the count stays.
  package static let attempts = 0...1_000_000_000

  /// Returns the number of the post after the one with this number. After the last number, posts are ordered by their time.
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

    /// Returns the state after one more attempt that did not publish the post.
    func postponed(_ reason: String, until: Timestamp?, at now: Timestamp) -> Waiting {
      let failures = PostIntent.attempt(after: needsLogin ? 0 : failures)
      return Waiting(
        since: needsLogin ? now : since, notBefore: until ?? now + PostIntent.pause(after: failures),
        failures: failures, reason: reason)
    }

    /// Returns the state after the server has not accepted the token. The server may do so again without a login, so it is asked again after
    /// an hour, two hours and so on, at most once a day.
    func withoutLogin(_ reason: String, at now: Timestamp) -> Waiting {
      let failures = PostIntent.attempt(after: needsLogin ? failures : 0)
      return Waiting(
        since: since, notBefore: now + .seconds(3600) * (1 << min(failures - 1, 4)), failures: failures, reason: reason,
        needsLogin: true)
    }

    package init(
      since: Timestamp, notBefore: Timestamp? = nil, failures: Int = 0, reason: String? = nil, needsLogin: Bool = false
    ) {
      self.since = since
      self.notBefore = notBefore
      self.failures = failures
      self.reason = reason
      self.needsLogin = needsLogin
    }
  }

  package struct Attempt: Sendable, Hashable {
    /// The time when the post was sent for the first time.
    package let firstAt: Timestamp
    /// How to find out the outcome.
    package let settlement: PostSettlement
    /// The id of the post that this one replies to.
    package let replyTo: String?
    /// The state before the first attempt, which is restored if nothing was published.
    package let waiting: Waiting
    /// The number of times that homeline has sent or looked for the post.
    package var count: Int
    /// The earliest time of the next attempt, if this one has no outcome.
    package var retryAt: Timestamp
    /// The reason the outcome is unknown; `nil` until the first attempt ends.
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

  /// Creates an intent from its stored form.
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

  /// Creates a new intent, which waits to be sent.
  package init(
    _ draft: PostDraft, by author: Author, number: Int, at now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) {
    self.init(
      id: IntentID(using: &generator), number: number, author: author, createdAt: now, draft: draft,
      key: IdempotencyKey(using: &generator), state: .queued(Waiting(since: now)))
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

/// How to find out whether a post was published if the server's response was lost.
package enum PostSettlement: Sendable, Hashable {
  /// Send the post again with the same idempotency key, within this time after the first attempt; after that, look for it as in `lookUp`.
  case sameKey(for: Duration, knownBefore: Set<String>?)
  /// Look for the post among the user's own newest posts, and never send it again.
  /// - Parameter knownBefore: the ids of the user's newest posts before the first attempt; `nil` if they could not be read. In that case, a
  ///   post on the server with the draft's text does not prove that the attempt was published.
  case lookUp(knownBefore: Set<String>?)

  /// The lifetimes that a key can have, in seconds: at most a year.
  package static let keySeconds = 0...(366 * 86_400 as Int64)

  /// The ids of the user's newest posts before the first attempt.
  package var knownBefore: Set<String>? {
    switch self {
    case .sameKey(_, let known), .lookUp(let known): known
    }
  }

  /// Returns whether the post may be sent again. If the clock has been set back, the age of the key is unknown, and the post must not be
  /// sent again.
  func allowsRepetition(firstAt: Timestamp, at now: Timestamp) -> Bool {
    guard case .sameKey(let lifetime, _) = self else { return false }
    return now >= firstAt && now - firstAt < lifetime - Self.margin
  }

  /// The last part of a key's lifetime, during which the key is not used, because a request takes time.
  private static let margin = Duration.seconds(300)
}

/// A post as the server has published it.
package struct SentPost: Sendable, Hashable {
  package let id: String
  package let url: String?
  /// The plain text, without the content warning.
  package let text: String
  /// The visibility; `nil` if the server does not report one.
  package let visibility: PostVisibility?
  /// The id of the post that this one replies to.
  package let replyTo: String?
  /// Further properties, right after the server's response; `nil` if the server does not report them.
  package let details: Details?

  /// Properties that are compared with the draft, but not needed to recognise a post.
  package struct Details: Sendable, Hashable {
    /// The content warning; empty if there is none.
    let warning: String
    let language: String?
    let fileCount: Int

    package init(warning: String, language: String?, fileCount: Int) {
      self.warning = warning
      self.language = language
      self.fileCount = fileCount
    }
  }

  package init(
    id: String, url: String?, text: String, visibility: PostVisibility?, replyTo: String?, details: Details? = nil
  ) {
    self.details = details
    self.id = id
    self.url = url
    self.text = text
    self.visibility = visibility
    self.replyTo = replyTo
  }
}
