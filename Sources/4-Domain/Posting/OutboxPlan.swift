package import Time

/// Determines the order of sending an account's posts.
///
/// Posts are sent in the order they were written. A post that waits for its author's chosen time, or whose outcome is in doubt, delays only
/// its replies.
package enum OutboxPlan {
  package enum Action: Sendable, Hashable {
    /// - Parameter replyTo: the id of the post that this one replies to.
    case send(PostIntent, replyTo: String?)
    case lookUp(PostIntent)
    case refuse(PostIntent, String)
    case wait(until: Timestamp)
    case idle
  }

  /// Returns the next action for an account's outbox.
  /// - Parameter intents: all intents of the account, in any order.
  package static func next(of intents: [PostIntent], at now: Timestamp) -> Action {
    var wakeUp: Timestamp?
    search: for intent in intents.sorted(by: PostIntent.isInOrder) {
      switch intent.step(at: now) {
      case .nothing: continue
      case .lookUp: return .lookUp(intent)
      case .expire:
        return .refuse(intent, "it waited for more than 24 hours; homeline outbox --retry \(intent.id) sends it now")
      case .wait(let until):
        wakeUp = min(wakeUp ?? until, until)
        if intent.delaysLaterPosts { break search }
      case .send:
        switch target(of: intent, among: intents) {
        case .known(let id): return .send(intent, replyTo: id)
        case .pending: continue
        case .missing: return .refuse(intent, "the post that it replies to was not published")
        }
      }
    }
    return wakeUp.map { .wait(until: $0) } ?? .idle
  }

  /// What keeps a post from being sent now.
  package struct Wait: Sendable, Hashable {
    package let until: Timestamp
    /// The post itself, or an earlier post that has to be sent first.
    package let blocker: PostIntent
  }

  /// Returns what keeps a post from being sent; `nil` if nothing does, or the post only waits for its author's chosen time.
  /// - Parameter intents: all intents of the account, in any order.
  package static func wait(of intent: PostIntent, among intents: [PostIntent], at now: Timestamp) -> Wait? {
    if case .wait = intent.step(at: now), intent.waitsForItsTime { return nil }
    for other in intents.sorted(by: PostIntent.isInOrder) {
      let isItself = other.id == intent.id
      if case .wait(let until) = other.step(at: now), isItself || other.delaysLaterPosts {
        return Wait(until: until, blocker: other)
      }
      if isItself { return nil }
    }
    return nil
  }

  private enum Target {
    case known(String?)
    case pending, missing
  }

  private static func target(of intent: PostIntent, among intents: [PostIntent]) -> Target {
    switch intent.draft.replyTo {
    case nil: return .known(nil)
    case .post(let id): return .known(id)
    case .intent(let id):
      switch intents.first(where: { $0.id == id })?.state {
      case .posted(let post, _, _): return .known(post.id)
      case .queued, .uploading, .sending, .unknown: return .pending
      case .refused, nil: return .missing
      }
    }
  }

  /// How long the intent of a published post is kept, so that commands can list it.
  private static let posted = Duration.seconds(86_400)

  /// Returns the intents of published posts that are no longer needed. An intent is still needed if another intent replies to it, or if its
  /// post could be mistaken for one whose outcome is in doubt.
  package static func outdated(_ intents: [PostIntent], at now: Timestamp) -> [IntentID] {
    let targets = intents.compactMap { intent -> IntentID? in
      if intent.isPosted { return nil }
      if case .intent(let id) = intent.draft.replyTo { return id } else { return nil }
    }
    let doubtful = intents.filter(\.isInDoubt)
    return intents.compactMap { intent in
      guard case .posted(_, let at, _) = intent.state, now - at > posted, !targets.contains(intent.id),
        !doubtful.contains(where: { PostComparison.haveSameText($0.draft, intent.draft) })
      else { return nil }
      return intent.id
    }
  }
}

extension PostIntent {
  /// Whether the post is waiting only for the time that the user has set.
  fileprivate var waitsForItsTime: Bool {
    if case .queued(let waiting) = state { waiting.failures == 0 } else { false }
  }

  /// Whether later posts wait until this one has been sent: it was not sent, and is not waiting only for the time that the user has set.
  fileprivate var delaysLaterPosts: Bool {
    switch state {
    case .queued: !waitsForItsTime
    case .uploading: true
    case .sending, .posted, .refused, .unknown: false
    }
  }
}
