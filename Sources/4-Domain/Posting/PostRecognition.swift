package import Time

/// Decides whether an attempt published a post on the server. Only this type decides it: for the attempt's response, for the user's own
/// posts, and for the home timeline.
package struct PostRecognition: Sendable {
  /// Where a post was read.
  package enum Place: Sendable {
    /// The user's own posts. They were also read before the first attempt.
    case ownPosts
    /// The home timeline. It also shows other users' posts, and older posts that were not read before the first attempt.
    case home
  }

  private let comparison: PostComparison
  /// The id of the user who posts.
  private let authorID: String
  /// The time of the first attempt.
  private let sentAt: Timestamp
  /// The ids of the user's newest posts before the first attempt; `nil` if they are unknown.
  private let knownBefore: Set<String>?
  /// The ids of the posts that belong to other intents.
  private let claimed: Set<String>
  /// The id in the response to the attempt, if the response did not show whose post it is.
  private let named: String?
  /// The other attempts that may have published a post with the same text.
  private let rivals: [PostRecognition]

  /// The maximum error of a server's time after correction with the `Date` header, which has whole seconds.
  private static let tolerance = Duration.seconds(30)

  package init(
    of draft: PostDraft, replyTo: String?, by authorID: String, sentAt: Timestamp, knownBefore: Set<String>?,
    claimed: Set<String> = [], named: String? = nil, rivals: [PostRecognition] = []
  ) {
    comparison = PostComparison(draft, replyTo: replyTo)
    self.authorID = authorID
    self.sentAt = sentAt
    self.knownBefore = knownBefore
    self.claimed = claimed
    self.named = named
    self.rivals = rivals
  }

  // MARK: The response to the attempt

  /// Returns whether a post in the response to an attempt is the sent post.
  ///
  /// It must be new and by the user. Its text or its time must also match the attempt: either alone is enough, because a server may change
  /// the text.
  /// - Parameters:
  ///   - now: the time of the response.
  ///   - mayOmitAuthor: whether the API's responses to new posts may lack the author. The text must then match.
  package func isProven(by answer: SentPost, at now: Timestamp, mayOmitAuthor: Bool = false) -> Bool {
    guard !isEarlier(answer) else { return false }
    let hasText = comparison.hasSameText(answer)
    let hasTime = answer.createdAt.map { $0 >= sentAt - Self.tolerance && $0 <= now + Self.tolerance } ?? false
    guard let author = answer.authorID else { return mayOmitAuthor && hasText && (comparison.isDistinct || hasTime) }
    return author == authorID && (hasText && comparison.isDistinct || hasTime)
  }

  /// Returns whether a post existed before the attempt, or belongs to another intent.
  package func isEarlier(_ post: SentPost) -> Bool {
    claimed.contains(post.id) || knownBefore?.contains(post.id) == true
  }

  // MARK: The user's posts

  /// Looks for the post among posts on the server.
  ///
  /// The post is found only if exactly one new post has the text, visibility and reply target that homeline sent, or if it is the post whose
  /// id was in the response.
  package func find(among posts: [SentPost], in place: Place) -> LookUpResult {
    if let post = posts.first(where: { $0.id == named }), isNew(post, in: place) { return .found(post) }
    // Text that consists only of links cannot be compared, because servers shorten links.
    guard comparison.isDistinct else { return .inconclusive("its text is too short to be recognised") }
    let matches = posts.filter { comparison.isSame($0) && isNew($0, in: place) }
    let own = matches.filter { post in !rivals.contains { $0.isNew(post, in: place) } }
    switch own.count {
    case 1: return .found(own[0])
    case 0 where !matches.isEmpty: return .inconclusive("several posts in the outbox have its text")
    case 0 where knownBefore == nil && posts.contains { $0.createdAt == nil }:
      return .inconclusive("the earlier posts are unknown, so it cannot be recognised")
    case 0:
      let reason = "it is not among the user's newest posts"
      return place == .ownPosts && showsNothingNew(posts) ? .absent(reason) : .inconclusive(reason)
    default: return .inconclusive("several of the user's posts have its text")
    }
  }

  /// Returns whether the user's newest posts prove that nothing was published since the first attempt. Even a single new post could be the
  /// one looked for, because a server may change the text.
  private func showsNothingNew(_ posts: [SentPost]) -> Bool {
    guard let knownBefore, posts.allSatisfy(isEarlier) else { return false }
    return knownBefore.isEmpty || posts.contains { knownBefore.contains($0.id) }
  }

  /// Returns whether the user may have published the post with this attempt.
  private func isNew(_ post: SentPost, in place: Place) -> Bool {
    guard !isEarlier(post) else { return false }
    switch place {
    case .ownPosts:
      guard post.authorID.map({ $0 == authorID }) ?? true else { return false }
      // The server's times are not needed, and may be wrong.
      if knownBefore != nil { return true }
    case .home: guard post.authorID == authorID else { return false }
    }
    return post.createdAt.map { $0 >= sentAt - Self.tolerance } ?? false
  }
}

extension PostIntent {
  /// Returns how the post is recognised on the server; `nil` if its outcome is not in doubt.
  /// - Parameter intents: all intents of the account.
  package func recognition(among intents: [PostIntent]) -> PostRecognition? {
    guard let doubt else { return nil }
    let rivals = intents.filter { $0.isRival(of: self, sentAt: doubt.sentAt) }
    return recognition(
      doubt, among: intents,
      rivals: rivals.compactMap { rival in
        rival.doubt.map { rival.recognition($0, among: intents, rivals: []) }
      })
  }

  private func recognition(
    _ doubt: Doubt, among intents: [PostIntent], rivals: [PostRecognition]
  ) -> PostRecognition {
    PostRecognition(
      of: draft, replyTo: doubt.replyTo ?? Self.target(of: draft, among: intents), by: author.userID,
      sentAt: doubt.sentAt, knownBefore: doubt.knownBefore, claimed: Self.claimed(among: intents, exceptBy: id),
      named: doubt.named, rivals: rivals)
  }

  /// Returns the ids of the posts that belong to other intents.
  package static func claimed(among intents: [PostIntent], exceptBy id: IntentID) -> Set<String> {
    Set(
      intents.compactMap { other in
        if case .posted(let post, _, _) = other.state, other.id != id { post.id } else { nil }
      })
  }

  private static func target(of draft: PostDraft, among intents: [PostIntent]) -> String? {
    switch draft.replyTo {
    case nil: return nil
    case .post(let id): return id
    case .intent(let id):
      guard case .posted(let post, _, _)? = intents.first(where: { $0.id == id })?.state else { return nil }
      return post.id
    }
  }

  /// Returns whether a new post on the server could belong to this intent rather than another. An earlier attempt that has ended cannot
  /// have published a post after the other attempt began.
  private func isRival(of other: PostIntent, sentAt: Timestamp) -> Bool {
    guard id != other.id, author == other.author, PostComparison.haveSameText(draft, other.draft), let doubt else {
      return false
    }
    if case .sending = state { return true }
    return doubt.sentAt > sentAt
  }

  /// Whether the post was, or may have been, sent, and it is unknown whether it was published.
  package var isInDoubt: Bool { doubt != nil }

  private struct Doubt {
    let sentAt: Timestamp
    let replyTo: String?
    let knownBefore: Set<String>?
    let named: String?
  }

  /// What is known about an attempt without an outcome. A restored post may have been published by the other machine, at any time after it
  /// was written.
  private var doubt: Doubt? {
    let attempt: Attempt?
    switch state {
    case .sending(let current): attempt = current
    case .unknown: attempt = lastAttempt
    case .queued, .uploading, .posted, .refused: return nil
    }
    return Doubt(
      sentAt: attempt?.firstAt ?? createdAt, replyTo: attempt?.replyTo, knownBefore: attempt?.settlement.knownBefore,
      named: attempt?.named)
  }
}
